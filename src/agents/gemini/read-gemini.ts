// Reads the lines of `gemini -o stream-json`.
import { unknownUsage, type Usage } from '#kernel/model/budget.ts';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import type { AgentEvent } from '#ports/agent.ts';
import { priceOf } from '#agents/shared/pricing.ts';
import {
  crashOf,
  describeInput,
  failureOf,
  isGood,
  shortened,
  strayLine,
} from '#agents/shared/client-words.ts';
import type { OutputReader, ReaderContext } from '#agents/shared/output-reader.ts';
import { fieldsOf, textOf, numberOf, type Fields } from '#agents/shared/json.ts';
import { isRecord } from '#base/record.ts';
import { parseRecord } from '#base/parse-json.ts';

export function readGemini({ knowledge, model: asked }: ReaderContext): OutputReader {
  let model = asked;
  let result: Fields | null = null;
  let usage: Usage = unknownUsage;

  const read = (message: Fields): AgentEvent[] | null => {
    switch (message['type']) {
      case 'init':
        model = textOf(message['model']) || model;
        return [{ type: 'session-id', id: textOf(message['session_id']) }];
      case 'message':
        return message['role'] === 'assistant' ? [{ type: 'text', text: wordsOf(message) }] : [];
      case 'tool_use':
        return [callOf(message)];
      case 'tool_result':
        return [resultOf(message)];
      case 'error':
        return [
          {
            type: 'notice',
            text: shortened(`${textOf(message['severity'])}: ${textOf(message['message'])}`),
          },
        ];
      case 'result':
        result = message;
        usage = usageOf(fieldsOf(message['stats']), knowledge);
        return [];
      default:
        return null;
    }
  };

  return {
    onLine: (line) => {
      const message = parseRecord(line);
      return (message === null ? null : read(message)) ?? [strayLine(line)];
    },
    usage: () => usage,
    model: () => model,
    endOf: (ending, complaint) => {
      if (result?.['status'] === 'success' && isGood(ending)) return { kind: 'finished' };
      const text = textOf(fieldsOf(result?.['error'])['message']);
      if (text !== '') return failureOf({ text, detail: plain(text), knowledge });
      // Some refusals print no line at all: only an exit code and text on standard error.
      const failure = complaint === '' ? null : failureOf({ text: complaint, knowledge });
      return failure?.kind === 'failed' && failure.errorClass !== 'other'
        ? failure
        : crashOf(ending, complaint);
    },
  };
}

/** A whole message, unlike a piece of one, ends its line. */
function wordsOf(message: Fields): string {
  return `${textOf(message['content'])}${message['delta'] === true ? '' : '\n'}`;
}

function callOf(message: Fields): AgentEvent {
  return {
    type: 'tool-call',
    id: textOf(message['tool_id']),
    name: textOf(message['tool_name']),
    summary: describeInput(fieldsOf(message['parameters'])),
  };
}

function resultOf(message: Fields): AgentEvent {
  const problem = textOf(fieldsOf(message['error'])['message']);
  return {
    type: 'tool-result',
    id: textOf(message['tool_id']),
    isError: message['status'] !== 'success',
    summary: shortened(problem || textOf(message['output']) || textOf(message['status'])),
  };
}

function usageOf(stats: Fields, knowledge: AgentKnowledge): Usage {
  const tokens = numberOf(stats['total_tokens']);
  if (tokens === 0) return unknownUsage;
  const costs = Object.entries(fieldsOf(stats['models'])).map(([name, used]) =>
    costOf(name, used, knowledge),
  );
  const isKnown = costs.length > 0 && costs.every((cost) => cost !== null);
  return { tokens, usd: isKnown ? costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0) : null };
}

/** Thinking tokens are in the total only; they are billed as output. */
function costOf(model: string, used: unknown, knowledge: AgentKnowledge): number | null {
  const stats = isRecord(used) ? used : {};
  const input = numberOf(stats['input_tokens']);
  const cacheRead = Math.min(numberOf(stats['cached']), input);
  const output = Math.max(numberOf(stats['total_tokens']) - input, numberOf(stats['output_tokens']));
  return priceOf(knowledge, model, { input: input - cacheRead, output, cacheRead, cacheWrite: 0 });
}

/** `[API Error: {"error":{"message":"…"}}]` → its message. */
function plain(text: string): string {
  return /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text;
}
