// Words first: how well a file answers to the words of the goal (BM25).

export interface Worded {
  readonly path: string;
  /** As `readWords` gives them. */
  readonly words: string;
}

/** Too frequent in goals to tell files apart. */
const common = new Set(
  'the and for with that this from into not are was were will shall should must can may has have had its it is in on of to a an or as at by be do does did so if then than when where which who how all any each every new add make use using used change update fix create remove get set'.split(
    ' ',
  ),
);

const wordsMax = 400;

/**
 * A text as words to find it by: parts of names, lower case, endings off; ` a b c `, each with a blank on both sides,
 * so that a word can be counted by looking for it.
 */
export function readWords(text: string): string {
  const found: string[] = [];
  // Letters of other scripts take four times as long to tell from the rest.
  const name = /[^\p{ASCII}]/u.test(text) ? /[\p{L}\p{N}_$]{2,}/gu : /\w{2,}/g;
  for (const [one] of text.matchAll(name)) {
    for (const part of partsOf(one)) found.push(part);
    if (found.length >= wordsMax) break;
  }
  return found.length === 0 ? '' : ` ${found.join('  ')} `;
}

/** The same names come again and again; the parts of a name never change. */
const known = new Map<string, readonly string[]>();
const knownMax = 20_000;

function partsOf(name: string): readonly string[] {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = split(name);
  if (known.size >= knownMax) known.clear();
  known.set(name, found);
  return found;
}

function split(name: string): readonly string[] {
  const pieces = name
    .replaceAll(/([\p{Ll}\p{N}])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
    .split(/[\s_$]+/)
    .filter((piece) => piece.length > 1)
    .map(stem);
  // A name as a whole is rarer than its parts.
  return pieces.length > 1 ? [...pieces, name.toLowerCase()] : pieces;
}

function stem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length < 5) return lower;
  return lower.replace(/(?:ies)$/, 'y').replace(/(?:ing|ers|er|ed|es|s|e)$/, '');
}

/** Each word of the goal once. */
export function goalWords(goal: string): string[] {
  const words = readWords(goal)
    .split(/\s+/)
    .filter((word) => word.length > 1 && !common.has(word));
  return [...new Set(words)];
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
  const paths = files.map(({ path }) => pathWords(path, asked));
  const mean = files.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, files.length) || 1;
  for (const word of asked) addWord(` ${word} `, { files, paths, mean, scores });
  return scores;
}

/**
 * '' where none of these words can be in the path: most paths need not be taken apart. A word is the beginning of what
 * stands there, but for its last letter.
 */
function pathWords(path: string, asked: readonly string[]): string {
  const lower = path.toLowerCase();
  const isPossible = asked.some((word) => lower.includes(word.slice(0, -1)));
  return isPossible ? readWords(path.replaceAll('/', ' ')) : '';
}

interface Scoring {
  readonly files: readonly Worded[];
  readonly paths: readonly string[];
  readonly mean: number;
  readonly scores: Float64Array;
}

function addWord(word: string, { files, paths, mean, scores }: Scoring): void {
  const counts = files.map(({ words }, at) => count(words, word) + pathWeight * count(paths[at] ?? '', word));
  const having = counts.filter((found) => found > 0).length;
  const rarity = Math.log(1 + (files.length - having + 0.5) / (having + 0.5));
  for (const [at, found] of counts.entries()) {
    if (found === 0) continue;
    const length = 1 - lengthWeight + (lengthWeight * (files[at]?.words.length ?? 0)) / mean;
    scores[at] = (scores[at] ?? 0) + (rarity * found * (saturation + 1)) / (found + saturation * length);
  }
}

function count(words: string, word: string): number {
  let found = 0;
  for (let at = words.indexOf(word); at !== -1; at = words.indexOf(word, at + word.length)) found += 1;
  return found;
}
