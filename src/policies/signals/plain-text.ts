// Text as a terminal would show it: no escape sequences, no control characters, only line feeds as line ends.

// Written as strings, because linters reject control characters in literals. No sequence crosses a line end.
const escapes = new RegExp(
  String.raw`(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)|\u001B[ -/]*[0-~]`,
  'g',
);
const controls = new RegExp(String.raw`[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFEFF]`, 'g');

/** Keeps NUL, because `toolCallLine` is one; `withoutNul` removes it from the agent's text. */
export function plainText(text: string): string {
  return text.replaceAll(escapes, '').replaceAll(/\r\n?/g, '\n').replaceAll(controls, '');
}

/** Marks a tool call between two texts. */
export const toolCallLine = '\0';

export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
