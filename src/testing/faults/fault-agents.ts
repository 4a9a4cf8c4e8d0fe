// All fault agents, and the script that runs one of them as a `command` agent.
import { createChance } from './chance.ts';
import { cheatingAgents } from './cheating-agents.ts';
import type { FaultAgent, FaultTask } from './fault.ts';
import { passes } from './fault.ts';
import { forger } from './forger.ts';
import { honestAgents } from './honest-agents.ts';
import { lyingAgents } from './lying-agents.ts';
import { troublingAgents } from './troubling-agents.ts';

export const faultAgents: readonly FaultAgent[] = [
  ...honestAgents,
  ...lyingAgents,
  ...cheatingAgents,
  ...troublingAgents,
  forger,
];

/** A shell script for all roles: `--agent "command:sh FILE"`. The same seed gives the same script. */
export function faultScript(agent: FaultAgent, task: FaultTask, seed: number): string {
  const chance = createChance(seed);
  const builder = agent.builder(task, chance);
  const reviewer = agent.reviewer?.(task, chance) ?? passes;
  const second = agent.second?.(task) ?? reviewer;
  return `# ${agent.name}: ${agent.does}
prompt=$(cat)
n=$UNTILDONE_ORDINAL
if [ "$UNTILDONE_ROLE" = builder ]; then
${builder}
elif [ "$UNTILDONE_ROLE" = second ]; then
${second}
else
${reviewer}
fi
`;
}
