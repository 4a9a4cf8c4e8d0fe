// Reads a session log for replay: text, tool calls, usage. Line by line, because logs may exceed memory.
import { open } from 'node:fs/promises';
import { leftOutPattern } from '#adapters/logs/log-cap.ts';
import { parseRecord } from '#base/parse-json.ts';
import { isRecord } from '#base/record.ts';
import type { Usage } from '#kernel/model/budget.ts';

export type LoggedMessage =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly summary: string }
  | { readonly kind: 'usage'; readonly usage: Usage };

export interface SessionLog {
  readonly messages: readonly LoggedMessage[];
  /** Characters omitted from the beginning. */
  readonly dropped: number;
  /** Bytes that the log itself omitted from its middle. */
  readonly leftOut: number;
  /** Lines that are no JSON, such as a truncated one. */
  readonly unreadable: number;
}

/** The end is kept, because signals are there; a longer recording is too large to read. */
const textLengthMax = 4 * 1024 * 1024;

/** Null if there is no such log. */
export async function readSessionLog(file: string): Promise<SessionLog | null> {
  const messages: LoggedMessage[] = [];
  let [unreadable, length, dropped, leftOut] = [0, 0, 0, 0];
  const handle = await open(file).catch(() => null);
  if (handle === null) return null;
  try {
    for await (const line of handle.readLines({ encoding: 'utf8' })) {
      if (line === '') continue;
      const event = parseRecord(line);
      if (event === null) unreadable += 1;
      else length += take(event, messages);
      leftOut += event === null ? 0 : bytesLeftOut(event);
      for (; length - dropped > textLengthMax; dropped += dropOldest(messages));
    }
  } catch {
    return null;
  } finally {
    await handle.close();
  }
  const played = messages.filter((one) => one.kind !== 'say' || one.text !== '');
  return { messages: played, dropped, leftOut, unreadable };
}

type Fields = { readonly [key: string]: unknown };

function bytesLeftOut({ type, text }: Fields): number {
  if (type !== 'notice' || typeof text !== 'string') return 0;
  return Number(leftOutPattern.exec(text)?.[1] ?? 0);
}

/** Adds what can be played; returns its number of characters. */
function take(event: Fields, messages: LoggedMessage[]): number {
  const text = (name: string): string => (typeof event[name] === 'string' ? event[name] : '');
  switch (event['type']) {
    case 'text': {
      const last = messages.at(-1);
      if (last?.kind === 'say')
        messages[messages.length - 1] = { kind: 'say', text: last.text + text('text') };
      else messages.push({ kind: 'say', text: text('text') });
      return text('text').length;
    }
    case 'tool-call':
      messages.push({ kind: 'tool', name: text('name'), summary: text('summary') });
      return text('summary').length;
    case 'usage':
      messages.push({ kind: 'usage', usage: usageOf(event['usage']) });
      return 0;
    default:
      return 0;
  }
}

function usageOf(value: unknown): Usage {
  const { usd, tokens } = isRecord(value) ? value : {};
  return {
    usd: typeof usd === 'number' ? usd : null,
    tokens: typeof tokens === 'number' ? tokens : null,
  };
}

/** Halves the oldest text, or drops the oldest tool call; returns the number of characters removed. */
function dropOldest(messages: LoggedMessage[]): number {
  const index = messages.findIndex((one) => one.kind === 'tool' || (one.kind === 'say' && one.text !== ''));
  const oldest = messages[index];
  if (oldest?.kind === 'tool') {
    messages.splice(index, 1);
    return Math.max(1, oldest.summary.length);
  }
  if (oldest?.kind !== 'say') return textLengthMax;
  const cut = Math.ceil(oldest.text.length / 2);
  messages[index] = { kind: 'say', text: oldest.text.slice(cut) };
  return cut;
}
