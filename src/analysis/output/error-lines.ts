// The lines of a failed command that say why, instead of the usage or the stack that it ends with. Pure.

const linesMax = 12;
const charsMax = 1500;
const lineMax = 300;
/** Of those that say error; the rest of the lines is for what stands around them. */
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
  const shown = mostTelling(telling.length > 0 ? telling : lines);
  const text = shown.join('\n');
  if (text.length <= charsMax) return text;
  const width = Math.floor(charsMax / linesMax) - 1;
  return shown.map((line) => line.slice(0, width)).join('\n');
}

/** A line that npm passes on from an install script says more by its own words than by the prefix of npm. */
function weightOf(line: string): number {
  const words = withoutPrefix(line);
  if (errors.some((pattern) => pattern.test(words))) return 2;
  return /\bERR!|\berror\b/i.test(words) ? 1 : 0;
}

function withoutPrefix(line: string): string {
  return line.replace(/^\s*npm (error|ERR!)\s*/, '').trim();
}

/** The first lines, those that say error, and the last ones, in their order; the first gap is marked. */
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
