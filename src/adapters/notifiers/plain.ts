// Strips control characters from texts of agents and files: they must not control the display.

// A string: in a literal, control characters look like a mistake. Includes marks of text direction.
const controls = new RegExp(
  String.raw`[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]`,
  'g',
);

/** Without control characters; line breaks stay. */
export function plain(text: string): string {
  return text.replaceAll(controls, ' ');
}

/** One line of at most `max` characters. */
export function oneLine(text: string, max: number): string {
  const line = plain(text).replaceAll(/\s+/g, ' ').trim();
  const letters = Array.from(line);
  return letters.length <= max ? line : `${letters.slice(0, max - 1).join('')}…`;
}

/** For programs that read text as markup. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
