// Turns the output of a client into our events. One reader for each known kind of output.
import type { Usage } from '#kernel/model/budget.ts';
import type { ProcessEnding } from '#kernel/model/ending.ts';
import type { AgentEvent, SessionRequest } from '#ports/agent.ts';
import type { Outcome } from './outcome.ts';

export interface OutputReader {
  /** Contract: never throws; a line that is not a message of this client becomes a notice. */
  onLine(line: string): AgentEvent[];
  /** Usage of this session so far; null if the client has reported none. */
  usage(): Usage;
  model(): string | null;
  /** From the client's own last message; `finished` only if there was one and it was good. */
  endOf(ending: ProcessEnding, complaint: string): Outcome;
}

export type ReaderContext = Pick<SessionRequest, 'knowledge' | 'model'>;
