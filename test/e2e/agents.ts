// Small agents for scenarios: shell commands, and scripts for the scripted driver.
import { join } from 'node:path';
import type { Place } from './place.ts';

/** Flags for one agent in both roles; `$UNTILDONE_ROLE` tells it which one it is. A command reviews only where it is named for that. */
export function shellAgent(place: Place, text: string): string[] {
  const [flag = '', agent = ''] = plainAgent(place, text);
  return [flag, agent, flag, `verifier=${agent}`];
}

/** Flags for one agent in every role that needs no verdict. */
export function plainAgent(place: Place, text: string): string[] {
  return ['--agent', shellCommand(place, text)];
}

/** As `--agent` and the configuration name it. */
export function shellCommand(place: Place, text?: string): string {
  return `command:sh ${text === undefined ? join(place.folder, 'agent.sh') : place.write('agent.sh', text)}`;
}

/** A builder and a verifier from two pieces of shell; `$n` counts the sessions of the role. */
export function shellAgents(
  place: Place,
  { builder, verifier }: { builder: string; verifier?: string },
): string[] {
  const text = [
    'prompt=$(cat)',
    'n=$UNTILDONE_ORDINAL',
    `if [ "$UNTILDONE_ROLE" = builder ]; then\n${builder}\nelse\n${verifier ?? passes}\nfi`,
  ];
  return shellAgent(place, `${text.join('\n')}\n`);
}

/** A scripted agent in both roles. */
export function scriptedAgent(place: Place, turns: readonly Turn[], name = 'script.json'): string[] {
  return ['--agent', `scripted:${place.write(name, JSON.stringify({ turns }))}`];
}

export interface Turn {
  readonly role: 'builder' | 'verifier';
  readonly actions: readonly object[];
}

export const saysDone = 'echo; echo "===WIGGUM_COMPLETE==="';
export const passes = 'echo; echo "===VERIFIER_COMPLETE==="';
/** The work of the simplest scenario, and the check that sees it. */
export const writesFile = `echo right > done.txt; ${saysDone}`;
export const seesFile = 'grep -q right done.txt';
