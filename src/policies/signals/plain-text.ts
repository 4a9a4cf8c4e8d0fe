// Text as a terminal would show it: no escape sequences, no control characters, line feeds at the ends of lines.

// Written as text: control characters in a literal would be taken for a mistake. No sequence goes over the end of a line.
const escapes = new RegExp(
  String.raw`(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)|\u001B[ -/]*[0-~]`,
  'g',
);
const controls = new RegExp(String.raw`[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFEFF]`, 'g');

/** Keeps NUL, which `toolCallLine` is made of; `withoutNul` takes it from what agents say. */
export function plainText(text: string): string {
  return text.replaceAll(escapes, '').replaceAll(/\r\n?/g, '\n').replaceAll(controls, '');
}

/** Stands for a tool call between two texts. */
export const toolCallLine = '\0';

export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
