// The first lines of a run: who works, who pays, what is not protected, and the most that it can cost.
import type { RunConfig } from '#kernel/config.ts';
import type { AgentChoice } from '#kernel/step.ts';
import type { Task } from '#kernel/task.ts';
import { ownChoices } from '#views/agents.ts';
import { sandboxNote } from '#views/sandbox.ts';
import { weaknessNotes } from '#views/weakness.ts';
import { ceiling, paidWords } from '#views/words.ts';

/** A plan may have hundreds of tasks; the first lines of a run are for one look. */
const taskLinesMax = 6;

export interface HeaderInput {
  readonly runId: string;
  readonly config: RunConfig;
  readonly tasks: readonly Task[];
  readonly notes: readonly string[];
}

export function headerLines({ runId, config, tasks, notes }: HeaderInput): string[] {
  return [
    `untildone run ${runId} · preset ${config.preset}`,
    ...Object.entries(config.roles).map(([role, { agent }]) => `  ${role}: ${agentLine(config, agent)}`),
    ...taskLines(config, tasks),
    ...reviewerLines(config),
    `  sandbox: ${sandboxNote(config)}`,
    `  budget: at most ${ceiling(config.budget, config.policy)}`,
    `  works on: ${config.repo.inPlace ? "your own checkout, on a branch of its own; what you edit meanwhile counts as the agent's" : 'a branch and a worktree of its own; your checkout is not touched'}`,
    ...[...weaknessNotes(config, tasks), ...notes].map((note) => `  note: ${note}`),
  ];
}

function taskLines(config: RunConfig, tasks: readonly Task[]): string[] {
  const own = ownChoices(tasks);
  const lines = own.map(({ taskId, role, agent }) => `  ${taskId}/${role}: ${agentLine(config, agent)}`);
  if (lines.length <= taskLinesMax) return lines;
  return [
    ...lines.slice(0, taskLinesMax),
    `  … and ${lines.length - taskLinesMax} more roles of single tasks`,
  ];
}

/** Every other preset has a verifier among its roles; the tasks of a plan are reviewed only where that is configured. */
function reviewerLines({ policy }: RunConfig): string[] {
  if (policy.planning === undefined) return [];
  const roles = policy.planning.everyTask.flatMap(({ check }) =>
    check.kind === 'reviewer' ? [check.role] : [],
  );
  return [
    roles.length > 0
      ? `  reviewers: ${roles.join(', ')}; each must pass every task`
      : '  reviewers: none; the checks of each task decide alone. To add one: "reviewers": [{ "name": "second" }] in .untildone/config.jsonc',
  ];
}

function agentLine(config: RunConfig, { name, model }: AgentChoice): string {
  const { driver, payer } = config.agents[name] ?? { driver: 'unknown' };
  const words = name.startsWith(`${driver}:`) ? name : `${name} (${driver})`;
  return `agent ${words}, model ${model ?? "the agent's own choice"}, ${paidWords(payer)}`;
}
