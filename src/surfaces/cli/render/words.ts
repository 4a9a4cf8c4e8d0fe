// Cleans text of agents and files: removes everything that could control a terminal.
import { cutTo } from './width.ts';

/** One line, without control characters, no wider than `columns`. */
export function fit(text: string, columns: number): string {
  return cutTo(clean(text).replaceAll(/\s+/g, ' '), columns);
}

// As strings: linters flag control characters in a literal.
const escapes = new RegExp(
  String.raw`\u001B(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|.)`,
  'g',
);
const controls = new RegExp(String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F]`, 'g');

export function clean(text: string): string {
  return text.replaceAll(escapes, '').replaceAll(controls, '');
}
