// The width of a text in a terminal. Terminals disagree about some characters; a line wider than we think
// wraps and is then erased wrongly, so every result here is the maximum.

/** Columns of a text without control characters. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

/** The text, or its beginning and `…` if it is wider than `columns`. Reads no further than needed. */
export function cutTo(text: string, columns: number): string {
  let width = 0;
  let end = 0;
  for (const character of text) {
    width += columnsOfCharacter(character);
    if (width > columns) return columns < 1 ? '' : `${text.slice(0, end)}…`;
    if (width < columns) end += character.length;
  }
  return text;
}

/** The text, or its two ends with `…` between them if it is wider than `columns`. */
export function cutMiddle(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const room = Math.floor((columns - 1) / 2);
  const characters = Array.from(text);
  let tail = '';
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    if (columnsOf(last + tail) > room) break;
    tail = last + tail;
  }
  return cutTo(text, columns - columnsOf(tail)) + tail;
}

const takesNone = /^[\p{Mn}\p{Me}\u200B-\u200D\u2060\uFEFF]$/u;
const isEmoji = /^\p{Emoji_Presentation}$/u;
/** East Asian scripts, full-width forms, and all planes of emoji and rare ideographs. */
const wideRanges: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1d300, 0x1d37f],
  [0x1f000, 0x3ffff],
];

function columnsOfCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  // Selects the emoji form of the character before it, which is one column wider than its text form.
  if (code === 0xfe0f) return 1;
  if (takesNone.test(character)) return 0;
  return isEmoji.test(character) || wideRanges.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}
