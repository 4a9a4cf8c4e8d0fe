// Folds the chunks of a stream into one bounded reply, and passes text on at once.
import type { Reply, ReplyUsage, ToolCall } from './chat.ts';
import { createBoundedText } from './bounded-text.ts';
import { createThoughtSplitter } from './thoughts.ts';
import type { Fields } from '#agents/shared/json.ts';
import { isRecord } from '#base/record.ts';

export interface Listener {
  /** The model's text. A returned promise holds the stream back. */
  onText(text: string): void | Promise<void>;
  /** Work without text: the model thinks, or writes a tool call. */
  onSilentWork(what: 'thinking' | 'calling', text: string): void | Promise<void>;
}

export interface ReplyFold {
  add(chunk: Fields): Promise<void>;
  end(): Promise<Reply>;
}

/** A model reads its own answer again with every request; a longer one is useless anyway. */
const textLengthMax = 400_000;
/** Longer files have to be written in parts. */
const argumentsLengthMax = 2_000_000;
const callsMax = 64;

interface OpenCall {
  id: string;
  name: string;
  pieces: string[];
  length: number;
}

export function createReplyFold(listener: Listener): ReplyFold {
  const kept = createBoundedText(textLengthMax);
  const thoughts = createThoughtSplitter();
  const calls = new Map<number, OpenCall>();
  let finish: string | null = null;
  let refusal = '';
  let usage: ReplyUsage | null = null;

  const emitText = async (text: string): Promise<void> => {
    if (text === '') return;
    kept.add(text);
    await listener.onText(text);
  };
  const hear = async (content: string): Promise<void> => {
    const { text: said, thought } = thoughts.add(content);
    if (thought !== '') await listener.onSilentWork('thinking', thought);
    await emitText(said);
  };
  const addDelta = async (delta: Fields): Promise<void> => {
    const thought = textOf(delta['reasoning_content'] ?? delta['reasoning']);
    if (thought !== '') await listener.onSilentWork('thinking', thought);
    await hear(textOf(delta['content']));
    refusal = (refusal + textOf(delta['refusal'])).slice(0, 2_000);
    const pieces = Array.isArray(delta['tool_calls']) ? delta['tool_calls'].filter(isRecord) : [];
    for (const [position, piece] of pieces.entries()) {
      addCall(calls, piece, position);
      await listener.onSilentWork('calling', argumentsOf(piece));
    }
  };
  return {
    add: async (chunk) => {
      usage = usageOf(chunk['usage']) ?? usage;
      const choice: unknown = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined;
      if (!isRecord(choice)) return;
      // A whole message instead of a piece: the endpoint does not stream.
      const delta = choice['delta'] ?? choice['message'];
      if (isRecord(delta)) await addDelta(delta);
      if (typeof choice['finish_reason'] === 'string') finish = choice['finish_reason'];
    },
    end: async () => {
      await emitText(thoughts.end());
      return {
        text: kept.text(),
        calls: [...calls.values()].map(callOf),
        finish,
        refusal: refusal === '' ? null : refusal,
        usage,
      };
    },
  };
}

/** By index; without one, an id or a name begins a new call, and anything else belongs to the last. */
function addCall(calls: Map<number, OpenCall>, piece: Fields, position: number): void {
  const details = isRecord(piece['function']) ? piece['function'] : {};
  const [id, name] = [textOf(piece['id']), textOf(details['name'])];
  const index = typeof piece['index'] === 'number' ? piece['index'] : indexOf(calls, { id, name, position });
  const call = calls.get(index) ?? { id: '', name: '', pieces: [], length: 0 };
  if (!calls.has(index) && calls.size >= callsMax) return;
  calls.set(index, call);
  if (id !== '') call.id = id;
  // Some endpoints repeat the name in every piece.
  if (name !== '' && call.name !== name) call.name += name;
  const text = argumentsOf(piece);
  call.length += text.length;
  if (call.length <= argumentsLengthMax) call.pieces.push(text);
}

function indexOf(
  calls: ReadonlyMap<number, OpenCall>,
  { id, name, position }: { readonly id: string; readonly name: string; readonly position: number },
): number {
  const known = [...calls].find(([, call]) => id !== '' && call.id === id);
  if (known !== undefined) return known[0];
  const begins = id !== '' || name !== '' || position > 0;
  return begins ? calls.size : Math.max(calls.size - 1, 0);
}

function callOf({ id, name, pieces, length }: OpenCall): ToolCall {
  const argumentsText = length > argumentsLengthMax ? '(arguments too long)' : pieces.join('');
  return { id, name, argumentsText };
}

/** A string, as it should be, or the object itself, as some endpoints send it. */
function argumentsOf(piece: Fields): string {
  const argumentPiece = isRecord(piece['function']) ? piece['function']['arguments'] : undefined;
  return isRecord(argumentPiece) ? JSON.stringify(argumentPiece) : textOf(argumentPiece);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((part: unknown) => (isRecord(part) ? textOf(part['text']) : '')).join('');
}

function usageOf(value: unknown): ReplyUsage | null {
  if (!isRecord(value)) return null;
  const details = isRecord(value['prompt_tokens_details']) ? value['prompt_tokens_details'] : {};
  const prompt = numberOf(value['prompt_tokens']);
  const output = numberOf(value['completion_tokens']);
  if (prompt === null && output === null) return null;
  const cacheRead = Math.min(numberOf(details['cached_tokens']) ?? 0, prompt ?? 0);
  return {
    tokens: { input: (prompt ?? 0) - cacheRead, output: output ?? 0, cacheRead, cacheWrite: 0 },
    costUsd: numberOf(value['cost']),
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
