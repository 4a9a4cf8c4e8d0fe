// The lines of a failed command that say why, instead of the usage or the stack that it ends with. Pure.

const linesMax = 12;
const charsMax = 1500;
const lineMax = 300;

const errors: readonly RegExp[] = [
  /^\s*npm (error|ERR!)/,
  /^\s*(error|fatal|failed|failure|E)\b\s*[:[\](]/i,
  /^\s*E {2,}\S/,
  /(^|[^\w-])(error|fatal):/i,
  /^\W*ERROR\b/,
  /\bERR_[A-Z]/,
  /^\s*[\w.]*(Error|Exception): /,
  /: (command )?not found$/,
  /No such file or directory/,
];

/** What follows is the help of the program, or where its log is. */
const help =
  /^(Usage:?$|usage: |Clean install a project$|Options:$|Run "?npm help|A complete log of this run)/;

/** Contract: at most 12 lines and 1,500 characters; empty for an output without a word. */
export function errorLines(output: string): string {
  const lines = output
    .split(/\r?\n|\r/)
    .map((line) => line.trimEnd().slice(0, lineMax))
    .filter((line, at, all) => line.trim() !== '' && line !== all[at - 1]);
  const found = lines.filter((line) => errors.some((pattern) => pattern.test(line)));
  const words = found.map(withoutPrefix);
  const end = words.findIndex((text) => help.test(text));
  const telling = found.filter((_, at) => words[at] !== '' && (end === -1 || at < end));
  const shown = telling.length > 0 ? telling.slice(0, linesMax) : headAndTail(lines);
  return shown.join('\n').slice(0, charsMax);
}

function withoutPrefix(line: string): string {
  return line.replace(/^\s*npm (error|ERR!)\s*/, '').trim();
}

function headAndTail(lines: readonly string[]): readonly string[] {
  if (lines.length <= linesMax) return lines;
  const half = linesMax / 2;
  return [...lines.slice(0, half), '…', ...lines.slice(1 - half)];
}
