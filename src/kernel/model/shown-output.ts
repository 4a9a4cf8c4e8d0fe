// Selects the part of a failed check's output that is shown.
import { clipped } from '#base/bounded-text.ts';

interface Output {
  readonly tail: string;
  readonly excerpt?: string | undefined;
}

/** The failures if they are known, else the end of the output. At most `max` characters and a note. */
export function shownOutput({ tail, excerpt }: Output, max: number): string {
  if (excerpt === undefined)
    return tail.length <= max ? tail : `[… ${tail.length - max} characters left out …]\n${tail.slice(-max)}`;
  return excerpt.length <= max ? excerpt : `${excerpt.slice(0, max)}\n[… cut …]`;
}

const firstLines = 8;
const lastLines = 4;
const errorLines = 4;
/** A line with the name of an error, or one that pytest marks. */
const error = /^\s*(?:E {2,}\S|[\w.]*(?:Error|Exception)(?: \[\w+\])?: )/;

/** For a screen: a few lines, without blank ones, and the first errors between them. */
export function shownLines(output: Output): string[] {
  const lines = shownOutput(output, Infinity)
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length <= firstLines + lastLines) return lines;
  const between = lines.slice(firstLines, -lastLines).filter((line) => error.test(line));
  const errors = between.length === 0 ? [] : [...between.slice(0, errorLines), '…'];
  return [...lines.slice(0, firstLines), '…', ...errors, ...lines.slice(-lastLines)];
}

const telling =
  /\b\w*(?:Error|Exception)\b|\bassert|\bexpected\b|\bpanic|\bfail(?:ed|ure)?\b|\berror\b|not found/i;
const wordsMax = 200;

/** The check's own words in one line: the first failing test with its error, else the first telling line. */
export function failureWords({ tail, excerpt }: Output): string {
  const lines = (excerpt ?? tail)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^\[(the whole output|… \d+ characters left out)/.test(line));
  const tests = /^\d+ failing tests?(?= \(|$)/.exec(lines[0] ?? '')?.[0];
  if (tests === undefined)
    return clipped(lines.find((line) => telling.test(line)) ?? lines.at(-1) ?? '', wordsMax);
  const [, name = '', ...below] = lines;
  const error = below.find((line) => telling.test(line));
  return clipped(`${tests}: ${name}${error === undefined ? '' : `: ${error}`}`, wordsMax);
}
