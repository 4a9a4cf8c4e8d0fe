// What a map knows of one file's text, whatever it is called: this is what the cache keeps.
import { outlineOf, type Signature } from '#adapters/syntax/outline.ts';
import { whyNotWritten } from './kind.ts';
import { shortKeyOf } from './short-key.ts';

export interface FileRecord {
  /** How long the text is; what tokens are estimated from. */
  readonly chars: number;
  /** One signature a line, members further in; '' where there are none. */
  readonly signatures: string;
  /** How long those are: to be had without reading them. */
  readonly signatureChars: number;
  /** One a line. */
  readonly imports: string;
  readonly words: Words;
  /** Why there are no signatures: `generated`, `minified`, `binary`, `takes too long to parse`, …; '' where there are. */
  readonly note: string;
}

/** Everything to find a file by, in a form that the caller likes. */
export interface Words {
  /** A number for each. */
  readonly numbers: Uint32Array;
  /** How long they are together. */
  readonly chars: number;
}

/** What one text gave, before its words are read. */
export interface ReadRecord extends Omit<FileRecord, 'words'> {
  /** Names and comments. */
  readonly wordText: string;
  /** Of the text without its bodies, where that was all that was parsed; '' where it was not. */
  readonly shortKey: string;
}

/** Contract: never throws for what a file holds. */
export async function recordOf(path: string, text: string): Promise<ReadRecord> {
  const why = whyNotWritten(text);
  if (why !== null) return unreadRecord(text.length, why);
  const { reading, short } = await outlineOf({ path, text });
  if (reading.kind === 'unread') return unreadRecord(text.length, reading.why);
  const { signatures, comments, imports } = reading.found;
  const all = signatures.map((one) => one.text).join('\n');
  const lines = shown(signatures);
  return {
    chars: text.length,
    signatures: lines,
    signatureChars: lines.length,
    imports: imports.join('\n'),
    wordText: `${all}\n${comments}`,
    note: reading.hasErrors && signatures.length === 0 ? 'does not parse' : '',
    shortKey: short === null ? '' : shortKeyOf(path, short),
  };
}

export function unreadRecord(chars: number, note: string): ReadRecord {
  return { chars, signatures: '', signatureChars: 0, imports: '', wordText: '', note, shortKey: '' };
}
// A program that exports nothing is still something: its own functions, up to a screen of them.
const hiddenMax = 40;

function shown(signatures: readonly Signature[]): string {
  const open = signatures.filter((one, at) => one.isPublic && !isEmptyImpl(signatures, at));
  const lines = open.length > 0 ? open : signatures.slice(0, hiddenMax);
  return lines.map(({ depth, text }) => `${'  '.repeat(Math.min(depth, 6))}${text}`).join('\n');
}

/** A block of Rust that has nothing for others. */
function isEmptyImpl(signatures: readonly Signature[], at: number): boolean {
  const one = signatures[at];
  if (one === undefined || !/^(?:unsafe )?impl\b/.test(one.text)) return false;
  for (const next of signatures.slice(at + 1, at + 1 + 500)) {
    if (next.depth <= one.depth) return true;
    if (next.isPublic) return false;
  }
  return true;
}
