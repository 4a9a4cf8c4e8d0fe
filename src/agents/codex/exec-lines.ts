// Translates the JSON lines of `codex exec --json` to our events. Pure: the `command` driver uses it too.
import type { AgentKnowledge } from '#kernel/model/config.ts';
import type { ProcessEnding } from '#kernel/model/ending.ts';
import type { AgentEvent } from '#ports/agent.ts';
import type { Outcome } from '#agents/shared/outcome.ts';
import type { TokenCount } from '#agents/shared/pricing.ts';
import { createItemReader, notice } from './codex-items.ts';
import { readTokens, usageOf } from './codex-usage.ts';
import { textOf, fieldsOf, type Fields } from '#agents/shared/json.ts';
import { parseRecord } from '#base/parse-json.ts';
import { unknownUsage } from '#kernel/model/budget.ts';
import { failureOf } from './turn-error.ts';
import { crashOf, isGood } from '#agents/shared/client-words.ts';
import type { OutputReader, ReaderContext } from '#agents/shared/output-reader.ts';

export interface CodexLineReader {
  /** Contract: never throws; a line that is not codex's becomes a notice. */
  onLine(line: string): AgentEvent[];
  state(): CodexOutputState;
}

export interface CodexOutputState {
  readonly threadId: string | null;
  /** Over the whole thread, as codex counts. */
  readonly tokens: TokenCount | null;
  /** Null until codex has reported how its turn ended. */
  readonly end: { readonly kind: 'completed' } | { readonly kind: 'failed'; readonly message: string } | null;
}

export function createCodexLineReader(): CodexLineReader {
  const items = createItemReader();
  let state: CodexOutputState = { threadId: null, tokens: null, end: null };

  const read = (line: Fields): AgentEvent[] | null => {
    const item = fieldsOf(line['item']);
    switch (line['type']) {
      case 'thread.started':
        state = { ...state, threadId: textOf(line['thread_id']) };
        return [{ type: 'session-id', id: textOf(line['thread_id']) }];
      case 'item.started':
        return items.started(item);
      case 'item.completed':
        return items.completed(item);
      case 'turn.completed':
        state = { ...state, tokens: readTokens(line['usage']), end: { kind: 'completed' } };
        return [];
      case 'turn.failed':
        state = { ...state, end: { kind: 'failed', message: textOf(fieldsOf(line['error'])['message']) } };
        return [];
      case 'error':
        return [notice(textOf(line['message']))];
      case 'turn.started':
      case 'item.updated':
        return [];
      default:
        return null;
    }
  };

  return {
    onLine: (line) => {
      const message = parseRecord(line);
      return (message === null ? null : read(message)) ?? [notice(line)];
    },
    state: () => state,
  };
}

export function readCodex({ knowledge, model }: ReaderContext): OutputReader {
  const reader = createCodexLineReader();
  return {
    onLine: (line) => reader.onLine(line),
    usage: () => {
      const { tokens } = reader.state();
      return tokens === null ? unknownUsage : usageOf(knowledge, model, tokens);
    },
    model: () => model,
    endOf: (ending, complaint) => outcomeOf(reader.state(), { ending, complaint, knowledge }),
  };
}

/** From codex's own last message; without one, from how its process ended. */
export function outcomeOf(
  { end }: CodexOutputState,
  exit: { readonly ending: ProcessEnding; readonly complaint: string; readonly knowledge: AgentKnowledge },
): Outcome {
  const { ending, complaint, knowledge } = exit;
  if (end?.kind === 'completed' && isGood(ending)) return { kind: 'finished' };
  if (end?.kind !== 'failed') return crashOf(ending, complaint);
  const error = { message: end.message, info: null };
  return failureOf(error, { knowledge, now: Date.now(), windowResetAt: null });
}
