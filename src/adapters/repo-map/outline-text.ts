// Makes the outline of one file's text for a map, with the parser.
import { outlineOf, type Signature } from '#adapters/syntax/outline.ts';

export interface OutlineText {
  /** One per line, members indented. */
  readonly signatures: string;
  /** Why there are none; '' if there are some. */
  readonly note: string;
  /** Whether changes inside bodies cannot change this. */
  readonly isShort: boolean;
}

/** Contract: never throws, whatever the file contains. */
export async function outlineTextOf(path: string, text: string): Promise<OutlineText> {
  const { reading, isShort } = await outlineOf({ path, text });
  if (reading.kind === 'unread') return { signatures: '', note: reading.why, isShort };
  const { found, hasErrors } = reading;
  const note = hasErrors && found.length === 0 ? 'does not parse' : '';
  return { signatures: shown(found), note, isShort };
}

// A program without exports still shows its own functions, up to a screen of them.
const hiddenMax = 40;

function shown(signatures: readonly Signature[]): string {
  const open = signatures.filter((one, at) => one.isPublic && !isEmptyImpl(signatures, at));
  const lines = open.length > 0 ? open : signatures.slice(0, hiddenMax);
  return lines.map(({ depth, text }) => `${'  '.repeat(Math.min(depth, 6))}${text}`).join('\n');
}

/** A Rust `impl` block without public members. */
function isEmptyImpl(signatures: readonly Signature[], at: number): boolean {
  const one = signatures[at];
  if (one === undefined || !/^(?:unsafe )?impl\b/.test(one.text)) return false;
  for (const next of signatures.slice(at + 1, at + 1 + 500)) {
    if (next.depth <= one.depth) return true;
    if (next.isPublic) return false;
  }
  return true;
}
