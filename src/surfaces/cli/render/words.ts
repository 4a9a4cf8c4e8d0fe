// Text of agents and files is not ours: before it reaches a terminal it loses everything that could steer one.

/** One line, without control characters, no wider than `columns`. */
export function fit(text: string, columns: number): string {
  const plain = clean(text).replaceAll(/\s+/g, ' ');
  let width = 0;
  let end = 0;
  for (const character of plain) {
    width += widthOf(character);
    if (width > columns - 1) return `${plain.slice(0, end)}…`;
    end += character.length;
  }
  return plain;
}

// Written as text: control characters in a literal would be taken for a mistake.
const escapes = new RegExp(
  String.raw`\u001B(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|.)`,
  'g',
);
const controls = new RegExp(String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F]`, 'g');

export function clean(text: string): string {
  return text.replaceAll(escapes, '').replaceAll(controls, '');
}

/** Wide enough for a frame that must not wrap: emoji and East Asian letters take two columns. */
function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0xfe0f || code === 0x200d) return 0;
  const isWide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    code >= 0x1f300 ||
    [0x231b, 0x23e9, 0x23ed, 0x23f3, 0x2705, 0x274c, 0x2753, 0x26d4].includes(code);
  return isWide ? 2 : 1;
}
