// What a client prints → our events. One reader for each known kind of output.
import type { Usage } from '#kernel/model/budget.ts';
import type { ProcessEnding } from '#kernel/model/ending.ts';
import type { AgentEvent, SessionRequest } from '#ports/agent.ts';
import type { Outcome } from './outcome.ts';

export interface OutputReader {
  /** Contract: never throws; a line that is no message of this client becomes a notice. */
  onLine(line: string): AgentEvent[];
  /** Of this session so far; null where the client has told nothing. */
  usage(): Usage;
  model(): string | null;
  /** From the client's own last word; `finished` only if there was one and it was good. */
  endOf(ending: ProcessEnding, complaint: string): Outcome;
}

export type ReaderContext = Pick<SessionRequest, 'knowledge' | 'model'>;
