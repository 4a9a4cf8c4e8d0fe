// Text of agents and files is not ours: before it leaves it loses everything that could steer what shows it.

// Written as text: control characters in a literal would be taken for a mistake. Marks that turn the order of letters are among them.
const controls = new RegExp(
  String.raw`[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]`,
  'g',
);

/** Without control characters; lines stay lines. */
export function plain(text: string): string {
  return text.replaceAll(controls, ' ');
}

/** One line, no longer than `max` characters. */
export function oneLine(text: string, max: number): string {
  const line = plain(text).replaceAll(/\s+/g, ' ').trim();
  const letters = Array.from(line);
  return letters.length <= max ? line : `${letters.slice(0, max - 1).join('')}…`;
}

/** For what reads text as markup. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
