// Repairs a damaged journal from its own sound lines and the authentic ones of its mirror. Pure.
import type { MirrorReading } from './mirror.ts';
import { encodeLine, jsonOffset, newline, parseEntry, soundCrc } from './line.ts';

export type Healing =
  | {
      readonly kind: 'healed';
      /** The repaired journal. */
      readonly bytes: Buffer;
      readonly entries: number;
      /** Entries taken from the mirror. */
      readonly fromMirror: readonly number[];
      readonly cut: Cut;
    }
  /** Entry `seq` is lost: neither file has it. */
  | { readonly kind: 'hopeless'; readonly seq: number };

/** An unsound last line without a copy: never acknowledged, or damaged before it was mirrored. */
type Cut = 'nothing' | 'unfinished-line' | 'damaged-line';

interface SoundLines {
  readonly lines: ReadonlyMap<number, Buffer>;
  /** The highest seq seen, even if its line was not kept. */
  readonly highest: number;
  readonly isEmpty: boolean;
  /** Number of unsound lines after the last sound one. */
  readonly unsoundTail: number;
  readonly hasEnd: boolean;
}

export function heal(journal: Buffer | null, mirror: MirrorReading): Healing {
  const own = soundLines(journal ?? Buffer.alloc(0));
  const count = Math.max(own.highest, mirror.lastSeq);
  const fromMirror: number[] = [];
  const lines: Buffer[] = [];
  for (let seq = 1; seq <= count; seq += 1) {
    const json = own.lines.get(seq) ?? mirror.lines.get(seq);
    if (json === undefined) return { kind: 'hopeless', seq };
    if (!own.lines.has(seq)) fromMirror.push(seq);
    lines.push(encodeLine(json));
  }
  const cut = cutAtEnd(own, count, mirror);
  if (count === 0 || cut === 'too-much') return { kind: 'hopeless', seq: count + 1 };
  return { kind: 'healed', bytes: Buffer.concat(lines), entries: count, fromMirror, cut };
}

/** One unsound last line is a torn write; more, or one that the mirror also lost, is damage. */
function cutAtEnd(own: SoundLines, count: number, mirror: MirrorReading): Cut | 'too-much' {
  const unsound = own.unsoundTail - (count - lastSeq(own.lines));
  const mayBeLost = own.isEmpty || (own.hasEnd && unsound > 0);
  if (unsound > 1 || (mayBeLost && mirror.strangersAtEnd > 0)) return 'too-much';
  if (unsound <= 0) return 'nothing';
  return own.hasEnd ? 'damaged-line' : 'unfinished-line';
}

/** Lines with a correct checksum and a seq that is higher than all before and unique. */
function soundLines(journal: Buffer): SoundLines {
  const lines = new Map<number, Buffer>();
  let [start, highest, unsoundTail] = [0, 0, 0];
  while (start < journal.length) {
    const found = journal.indexOf(newline, start);
    const end = found === -1 ? journal.length : found;
    const seq = seqOf(journal, start, end);
    if (seq > highest) {
      lines.set(seq, journal.subarray(start + jsonOffset, end));
      [highest, unsoundTail] = [seq, 0];
    } else {
      // Written twice: it is unknown which one is true.
      lines.delete(seq);
      unsoundTail += 1;
    }
    start = end + 1;
  }
  return { lines, highest, isEmpty: journal.length === 0, unsoundTail, hasEnd: journal.at(-1) === newline };
}

function seqOf(journal: Buffer, start: number, end: number): number {
  if (soundCrc(journal, start, end) === -1) return 0;
  return parseEntry(journal.toString('utf8', start + jsonOffset, end))?.seq ?? 0;
}

function lastSeq(lines: ReadonlyMap<number, Buffer>): number {
  let last = 0;
  for (const seq of lines.keys()) last = Math.max(last, seq);
  return last;
}
