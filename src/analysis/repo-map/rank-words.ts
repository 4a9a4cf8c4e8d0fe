// Scores files by the words of the goal (BM25).
import { goalWords, numberOf, readWords, type Words } from './words.ts';

export interface Worded {
  readonly path: string;
  readonly words: Words;
}

// Usual values of BM25; a path says more in few words than a comment in many.
const saturation = 1.2;
const lengthWeight = 0.75;
const pathWeight = 3;

/** One score for each file; 0 if it has no word of the goal. */
export function scoreByWords(goal: string, files: readonly Worded[]): Float64Array {
  const scores = new Float64Array(files.length);
  const asked = goalWords(goal);
  if (asked.length === 0) return scores;
  const counts = countAll(asked, files);
  const lengths = Float64Array.from(files, ({ words }) => words.chars);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, files.length) || 1;
  for (const found of counts) addWord(found, { lengths, mean, scores });
  return scores;
}

/** Count of each word in each file: one row per word. */
function countAll(words: readonly string[], files: readonly Worded[]): Float64Array[] {
  const asked = words.map(numberOf);
  const rows = asked.map(() => new Float64Array(files.length));
  const into: Counting = { asked, rows, flags: flagsOf(asked) };
  const possible = possibleIn(words);
  for (let at = 0; at < files.length; at += 1) {
    const file = files[at];
    if (file === undefined) continue;
    count(file.words.numbers, { at, weight: 1 }, into);
    if (!possible.test(file.path.toLowerCase())) continue;
    count(readWords(file.path.replaceAll('/', ' ')).numbers, { at, weight: pathWeight }, into);
  }
  return rows;
}

/**
 * Matches paths that may have one of these words, because most need not be split. A word is the beginning of
 * a path word, except for `y`, which may have been `ies`.
 */
function possibleIn(words: readonly string[]): RegExp {
  const beginnings = words.map((word) => word.replace(/y$/, '').replaceAll('$', String.raw`\$`));
  return new RegExp(beginnings.join('|'), 'u');
}

interface Counting {
  readonly asked: readonly number[];
  readonly rows: readonly Float64Array[];
  /** 1 at the lower half of each number in question: one access rules out most words. */
  readonly flags: Uint8Array;
}

const lowerHalf = 0xffff;

function flagsOf(asked: readonly number[]): Uint8Array {
  const flags = new Uint8Array(lowerHalf + 1);
  for (const number of asked) flags[number & lowerHalf] = 1;
  return flags;
}

function count(
  numbers: Uint32Array,
  { at, weight }: { readonly at: number; readonly weight: number },
  { asked, rows, flags }: Counting,
): void {
  // By index, not by iterator: this is the longest loop of a map, and often runs before it is optimized.
  for (let place = 0; place < numbers.length; place += 1) {
    const number = numbers[place] ?? 0;
    if (flags[number & lowerHalf] === 0) continue;
    const row = rows[asked.indexOf(number)];
    if (row !== undefined) row[at] = (row[at] ?? 0) + weight;
  }
}

interface Scoring {
  readonly lengths: Float64Array;
  readonly mean: number;
  readonly scores: Float64Array;
}

function addWord(counts: Float64Array, { lengths, mean, scores }: Scoring): void {
  const having = counts.reduce((sum, found) => sum + (found > 0 ? 1 : 0), 0);
  const rarity = Math.log(1 + (counts.length - having + 0.5) / (having + 0.5));
  for (const [at, found] of counts.entries()) {
    if (found === 0) continue;
    const length = 1 - lengthWeight + (lengthWeight * (lengths[at] ?? 0)) / mean;
    scores[at] = (scores[at] ?? 0) + (rarity * found * (saturation + 1)) / (found + saturation * length);
  }
}
