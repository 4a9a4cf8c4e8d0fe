// The messages between the driver and its player.
import { assert } from '#base/assert.ts';
import type { AgentEvent, AgentResult } from '#ports/agent.ts';
import type { Action } from './script.ts';
import type { ScriptPlace } from './script-place.ts';

/** The first line that the player reads. */
export interface PlayerOrder {
  readonly place: ScriptPlace;
  readonly actions: readonly Action[];
}

export type PlayerControl = { readonly send: string } | { readonly interrupt: true };

type Ending<Result> = Result extends AgentResult ? Omit<Result, 'usage' | 'model'> : never;

export interface PlayerResult {
  readonly type: 'result';
  readonly result: Ending<AgentResult>;
}

export type PlayerLine = AgentEvent | PlayerResult;

export function parsePlayerLine(line: string): PlayerLine {
  const value: unknown = JSON.parse(line);
  assert(
    typeof value === 'object' && value !== null && 'type' in value,
    'the player writes lines with a type',
  );
  return value as PlayerLine;
}
