// Reads the lines of `opencode run --format json`.
import type { ProcessEnding } from '#kernel/model/ending.ts';
import type { AgentEvent } from '#ports/agent.ts';
import { allTokens, priceOf } from '#agents/shared/pricing.ts';
import {
  crashOf,
  describeInput,
  failureOf,
  isGood,
  shortened,
  strayLine,
} from '#agents/shared/client-words.ts';
import type { Outcome } from '#agents/shared/outcome.ts';
import type { OutputReader, ReaderContext } from '#agents/shared/output-reader.ts';
import { fieldsOf, textOf, numberOf, type Fields } from '#agents/shared/json.ts';
import { parseRecord } from '#base/parse-json.ts';

export function readOpenCode({ knowledge, model }: ReaderContext): OutputReader {
  const sum: { usd: number | null; tokens: number | null } = { usd: null, tokens: null };
  let sessionId = '';
  let error: Fields | null = null;
  let lastReason = '';

  const finishStep = (part: Fields): AgentEvent[] => {
    lastReason = textOf(part['reason']);
    const tokens = tokensOf(fieldsOf(part['tokens']));
    const reportedCost = numberOf(part['cost']);
    // OpenCode reports zero for a model without a price.
    const cost = reportedCost > 0 ? reportedCost : priceOf(knowledge, model, tokens);
    sum.tokens = (sum.tokens ?? 0) + allTokens(tokens);
    if (cost !== null) sum.usd = (sum.usd ?? 0) + cost;
    return [];
  };
  const read = (message: Fields): AgentEvent[] | null => {
    const part = fieldsOf(message['part']);
    switch (message['type']) {
      case 'step_start':
        return [];
      case 'text':
        // Each text is a separate message.
        return [{ type: 'text', text: `${textOf(part['text'])}\n` }];
      case 'reasoning':
        return [{ type: 'notice', text: shortened(`(thinks) ${textOf(part['text'])}`) }];
      case 'tool_use':
        return toolOf(part);
      case 'step_finish':
        return finishStep(part);
      case 'error':
        error = fieldsOf(message['error']);
        return [{ type: 'notice', text: shortened(messageOf(error)) }];
      default:
        return null;
    }
  };
  const introduce = (message: Fields): AgentEvent[] => {
    const id = textOf(message['sessionID']);
    if (id === '' || id === sessionId) return [];
    sessionId = id;
    return [{ type: 'session-id', id }];
  };

  return {
    onLine: (line) => {
      const message = parseRecord(line);
      const events = message === null ? null : read(message);
      return message === null || events === null ? [strayLine(line)] : [...introduce(message), ...events];
    },
    usage: () => ({ ...sum }),
    model: () => model,
    endOf: (ending, complaint) =>
      error === null
        ? outcomeOf(lastReason, ending, complaint)
        : failureOf({ ...problemOf(error), knowledge }),
  };
}

/** From the end reason of the last step; empty if it gave none. */
function outcomeOf(lastReason: string, ending: ProcessEnding, complaint: string): Outcome {
  switch (lastReason) {
    case 'length':
      return {
        kind: 'failed',
        errorClass: 'context-overflow',
        detail: 'the agent reached its limit of tokens',
      };
    case 'content-filter':
      return { kind: 'failed', errorClass: 'refusal', detail: 'the model refused to continue' };
    case '':
    // A step that waits for a tool is never the last one of a good session.
    case 'tool-calls':
      return crashOf(ending, complaint);
    default:
      return isGood(ending) ? { kind: 'finished' } : crashOf(ending, complaint);
  }
}

/** OpenCode reports a call when it is over. */
function toolOf(part: Fields): AgentEvent[] {
  const id = textOf(part['callID']);
  const state = fieldsOf(part['state']);
  const exit = fieldsOf(state['metadata'])['exit'];
  const isError = state['status'] === 'error' || (typeof exit === 'number' && exit !== 0);
  const outcome = textOf(state['error']) || textOf(state['output']) || textOf(state['title']);
  return [
    { type: 'tool-call', id, name: textOf(part['tool']), summary: describeInput(fieldsOf(state['input'])) },
    { type: 'tool-result', id, isError, summary: shortened(outcome) },
  ];
}

function tokensOf({ input, output, reasoning, cache }: Fields) {
  const { read, write } = fieldsOf(cache);
  return {
    input: numberOf(input),
    output: numberOf(output) + numberOf(reasoning),
    cacheRead: numberOf(read),
    cacheWrite: numberOf(write),
  };
}

function messageOf(error: Fields): string {
  return textOf(fieldsOf(error['data'])['message']) || textOf(error['name']) || 'it gave no reason';
}

function problemOf(error: Fields): { text: string; detail: string; status?: number } {
  const { statusCode, responseBody } = fieldsOf(error['data']);
  const detail = messageOf(error);
  return {
    text: `${detail} ${textOf(error['name'])} ${textOf(responseBody)}`,
    detail,
    ...(typeof statusCode === 'number' && { status: statusCode }),
  };
}
