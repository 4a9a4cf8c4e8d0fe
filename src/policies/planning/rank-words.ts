// Words first: how well a file answers to the words of the goal (BM25).

export interface Worded {
  readonly path: string;
  readonly words: Words;
}

/** What a file can be found by: a number for each word, because numbers are quickly looked through. */
export interface Words {
  readonly numbers: Uint32Array;
  /** How long they are together, with a blank on both sides of each. */
  readonly chars: number;
}

/** Too frequent in goals to tell files apart. */
const common = new Set(
  'the and for with that this from into not are was were will shall should must can may has have had its it is in on of to a an or as at by be do does did so if then than when where which who how all any each every new add make use using used change update fix create remove get set'.split(
    ' ',
  ),
);

const wordsMax = 400;

/** A text as words to find it by: parts of names, lower case, endings off. */
export function readWords(text: string): Words {
  const numbers: number[] = [];
  let chars = 0;
  eachName(text, (name) => {
    const parts = partsOf(name);
    for (const number of parts.numbers) numbers.push(number);
    chars += parts.chars;
    return numbers.length < wordsMax;
  });
  return { numbers: Uint32Array.from(numbers), chars };
}

/** Until `onName` has enough. Letters of other scripts take four times as long to tell from the rest. */
function eachName(text: string, onName: (name: string) => boolean): void {
  const name = /[^\p{ASCII}]/u.test(text) ? /[\p{L}\p{N}_$]{2,}/gu : /\w{2,}/g;
  for (let found = name.exec(text); found !== null; found = name.exec(text)) if (!onName(found[0])) return;
}

interface Parts {
  readonly numbers: readonly number[];
  readonly chars: number;
}

/** The same names come again and again; the parts of a name never change. */
const known = new Map<string, Parts>();
const knownMax = 20_000;

function partsOf(name: string): Parts {
  const before = known.get(name);
  if (before !== undefined) return before;
  const words = split(name);
  const found = {
    numbers: words.map(numberOf),
    chars: words.reduce((sum, { length }) => sum + length + 2, 0),
  };
  if (known.size >= knownMax) known.clear();
  known.set(name, found);
  return found;
}

/** Two words have the same number once in four thousand million times. */
function numberOf(word: string): number {
  let number = 0x811c_9dc5;
  for (let at = 0; at < word.length; at += 1) number = Math.imul(number ^ word.charCodeAt(at), 0x0100_0193);
  return Math.imul(number ^ (number >>> 15), 0x85eb_ca6b) >>> 0;
}

const oneWord = /^[a-z\d]+$/;

function split(name: string): readonly string[] {
  if (oneWord.test(name)) return [stem(name)];
  const pieces = name
    .replaceAll(/([\p{Ll}\p{N}])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
    .split(/[\s_$]+/)
    .filter((piece) => piece.length > 1)
    .map(stem);
  // A name as a whole is rarer than its parts.
  return pieces.length > 1 ? [...pieces, name.toLowerCase()] : pieces;
}

/** The longest first. */
const endings = ['ing', 'ers', 'er', 'ed', 'es', 's', 'e'];

function stem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length < 5) return lower;
  if (lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
  const ending = endings.find((one) => lower.endsWith(one)) ?? '';
  return lower.slice(0, lower.length - ending.length);
}

/** Each word of the goal once. */
export function goalWords(goal: string): string[] {
  const found = new Set<string>();
  eachName(goal, (name) => {
    for (const word of split(name)) if (word.length > 1 && !common.has(word)) found.add(word);
    return found.size < wordsMax;
  });
  return [...found];
}

// The usual ones of BM25; a path says more in few words than a comment in many.
const saturation = 1.2;
const lengthWeight = 0.75;
const pathWeight = 3;

/** One score for each file; 0 where no word of the goal is in it. */
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

/** How often each word that is asked for is in each file: a row for each word. */
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
 * Tells paths that may have one of these words: most need not be taken apart. A word is the beginning of what stands
 * there, but for an `y`, which may have been `ies`.
 */
function possibleIn(words: readonly string[]): RegExp {
  const beginnings = words.map((word) => word.replace(/y$/, '').replaceAll('$', String.raw`\$`));
  return new RegExp(beginnings.join('|'), 'u');
}

interface Counting {
  readonly asked: readonly number[];
  readonly rows: readonly Float64Array[];
  /** 1 at the lower half of each number that is asked for: most words are told from them by one look. */
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
  // By place, and not one by one: this is the longest loop of a map, and often run before it is compiled well.
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
