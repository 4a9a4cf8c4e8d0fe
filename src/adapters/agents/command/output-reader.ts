// What a client prints → our events. One reader for each known kind of output.
import type { Usage } from '#kernel/budget.ts';
import type { ProcessEnding } from '#kernel/ending.ts';
import type { AgentEvent, SessionRequest } from '#ports/agent.ts';
import type { Outcome } from '#adapters/agents/acp/outcome.ts';
import type { CommandOutput } from './command-options.ts';

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

/** Loaded when used: a host reads one kind of output. */
export async function createOutputReader(
  output: Exclude<CommandOutput, 'text'>,
  context: ReaderContext,
): Promise<OutputReader> {
  switch (output) {
    case 'claude':
      return (await import('./read-claude.ts')).readClaude(context);
    case 'codex':
      return (await import('./read-codex.ts')).readCodex(context);
    case 'gemini':
      return (await import('./read-gemini.ts')).readGemini(context);
    case 'opencode':
      return (await import('./read-opencode.ts')).readOpenCode(context);
  }
}
