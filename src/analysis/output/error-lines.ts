// Finds the lines that say why a command failed, instead of its final usage text or stack. Pure.

const linesMax = 12;
const charsMax = 1500;
const lineMax = 300;
/** Limit for lines with an error; the other lines show their context. */
const strongMax = 6;

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

/** The rest is the help of the program, or the place of its log. */
const help =
  /^(Usage:?$|usage: |Clean install a project$|Options:$|Run "?npm help|A complete log of this run)/;

/** Contract: at most 12 lines and 1,500 characters; empty for an output without words. */
export function errorLines(output: string): string {
  const lines = output
    .split(/\r?\n|\r/)
    .map((line) => line.trimEnd().slice(0, lineMax))
    .filter((line, at, all) => line.trim() !== '' && line !== all[at - 1]);
  const found = lines.filter((line) => errors.some((pattern) => pattern.test(line)));
  const words = found.map(withoutPrefix);
  const end = words.findIndex((text) => help.test(text));
  const telling = found.filter((_, at) => words[at] !== '' && (end === -1 || at < end));
  const shown = mostTelling(telling.length > 0 ? telling : lines);
  const text = shown.join('\n');
  if (text.length <= charsMax) return text;
  const width = Math.floor(charsMax / linesMax) - 1;
  return shown.map((line) => line.slice(0, width)).join('\n');
}

/** If npm passes on a line of an install script, the line itself says more than npm's prefix. */
function weightOf(line: string): number {
  const words = withoutPrefix(line);
  if (errors.some((pattern) => pattern.test(words))) return 2;
  return /\bERR!|\berror\b/i.test(words) ? 1 : 0;
}

function withoutPrefix(line: string): string {
  return line.replace(/^\s*npm (error|ERR!)\s*/, '').trim();
}

/** The first lines, those with an error, and the last ones, in their order; the first gap is marked. */
function mostTelling(lines: readonly string[]): readonly string[] {
  if (lines.length <= linesMax) return lines;
  const all = [...lines.keys()];
  const ofWeight = (weight: number): number[] => all.filter((at) => weightOf(lines[at] ?? '') === weight);
  const strong = fromBothEnds(ofWeight(2)).slice(0, strongMax);
  const wanted = new Set([
    ...all.slice(0, 3),
    ...strong,
    lines.length - 1,
    ...fromBothEnds(ofWeight(1)),
    ...fromBothEnds(all),
  ]);
  const kept = [...wanted].slice(0, linesMax - 1).toSorted((a, b) => a - b);
  const gap = kept.findIndex((at, index) => at !== index);
  return kept.flatMap((at, index) => [...(index === gap ? ['…'] : []), lines[at] ?? '']);
}

/** The first, the last, the second, the last but one, … */
function fromBothEnds(list: readonly number[]): number[] {
  return list.map((_, at) => list.at(at % 2 === 0 ? at / 2 : -(at + 1) / 2) ?? 0);
}
