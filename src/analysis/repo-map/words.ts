// Splits texts into search words: parts of names, lower case, without endings. Goals are read as text, files
// as numbers, letter by letter: a string for each word of a repository would take most of the time.

/** The search words of a file: a number for each, because numbers are fast to scan. */
export interface Words {
  readonly numbers: Uint32Array;
  /** Their total length, with a blank on both sides of each. */
  readonly chars: number;
}

/** Too frequent in goals to distinguish files. */
const common = new Set(
  'the and for with that this from into not are was were will shall should must can may has have had its it is in on of to a an or as at by be do does did so if then than when where which who how all any each every new add make use using used change update fix create remove get set'.split(
    ' ',
  ),
);

const wordsMax = 400;

/** Each word of the goal once. */
export function goalWords(goal: string): string[] {
  const found = new Set<string>();
  for (const word of wordsOf(goal)) {
    if (word.length > 1 && !common.has(word)) found.add(word);
    if (found.size >= wordsMax) break;
  }
  return [...found];
}

/** As `readWords` reads them, one by one. */
export function wordsOf(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{N}_]{2,}/gu) ?? []).flatMap(split);
}

function split(name: string): readonly string[] {
  const pieces = name
    .replaceAll(/([\p{Ll}\p{N}])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2_')
    .split(/_+/)
    .filter((piece) => piece.length > 1)
    .map(stem);
  // A name as a whole is rarer than its parts.
  return pieces.length > 1 ? [...pieces, name.toLowerCase()] : pieces;
}

/** The longest first. */
const endings = ['ing', 'ers', 'er', 'ed', 'es', 's', 'e'];
const stemMin = 5;

function stem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length < stemMin) return lower;
  if (lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
  const ending = endings.find((one) => lower.endsWith(one)) ?? '';
  return lower.slice(0, lower.length - ending.length);
}

const basis = 0x811c_9dc5;
const prime = 0x0100_0193;

/** Two words share a number once in four thousand million times. */
export function numberOf(word: string): number {
  let number = basis;
  for (let at = 0; at < word.length; at += 1) number = Math.imul(number ^ word.charCodeAt(at), prime);
  return mixed(number);
}

function mixed(number: number): number {
  return Math.imul(number ^ (number >>> 15), 0x85eb_ca6b) >>> 0;
}

// The role of a character in a name: none, or one of these.
const lower = 1;
const digit = 2;
const upper = 3;
const joint = 4;
/** Letters of other scripts, and much else: such a name is read as text. */
const other = 5;
const kinds = new Uint8Array(128);
for (let code = 48; code <= 57; code += 1) kinds[code] = digit;
for (let code = 65; code <= 90; code += 1) kinds[code] = upper;
for (let code = 97; code <= 122; code += 1) kinds[code] = lower;
kinds[95] = joint;

function kindAt(text: string, at: number): number {
  const letter = text.charCodeAt(at);
  return letter >= 128 ? other : (kinds[letter] ?? 0);
}

/** The words read so far; shared, because it is long. A name may add a few words beyond the limit. */
const read = { numbers: new Uint32Array(wordsMax + 100), count: 0, chars: 0 };

export function readWords(text: string): Words {
  read.count = 0;
  read.chars = 0;
  for (let at = 0; at < text.length && read.count < wordsMax; at += 1) {
    const from = at;
    let isPlain = true;
    for (let kind = kindAt(text, at); kind !== 0; kind = kindAt(text, at)) {
      if (kind === other) isPlain = false;
      at += 1;
    }
    if (!isPlain) for (const word of wordsOf(text.slice(from, at))) take(numberOf(word), word.length);
    else if (at - from > 1) readName(text, from, at);
  }
  return { numbers: read.numbers.slice(0, read.count), chars: read.chars };
}

function take(number: number, length: number): void {
  if (read.count >= read.numbers.length) return;
  read.numbers[read.count] = number;
  read.count += 1;
  read.chars += length + 2;
}

function readName(text: string, from: number, to: number): void {
  let pieces = 0;
  let start = from;
  let before = 0;
  for (let at = from; at < to; at += 1) {
    const kind = kinds[text.charCodeAt(at)] ?? 0;
    const begins =
      kind === upper &&
      (before === lower ||
        before === digit ||
        (before === upper && at + 1 < to && kindAt(text, at + 1) === lower));
    if (begins || kind === joint) {
      pieces += readPiece(text, start, at);
      start = kind === joint ? at + 1 : at;
    }
    before = kind;
  }
  pieces += readPiece(text, start, to);
  if (pieces > 1) take(mixed(sumOf(text, from, to)), to - from);
}

/** Number of words: zero or one. */
function readPiece(text: string, from: number, to: number): number {
  const length = to - from;
  if (length < 2) return 0;
  const cut = length < stemMin ? 0 : endingOf(text, to);
  const sum = sumOf(text, from, to - cut);
  const isIes = cut === 3 && lowerAt(text, to - 1) === s && lowerAt(text, to - 3) === i;
  // `parties` are one `party`.
  if (isIes) take(mixed(Math.imul(sum ^ y, prime)), length - 2);
  else take(mixed(sum), length - cut);
  return 1;
}

function sumOf(text: string, from: number, to: number): number {
  let number = basis;
  for (let at = from; at < to; at += 1) number = Math.imul(number ^ lowerAt(text, at), prime);
  return number;
}

/** Contract: the character is an ASCII letter or digit, or `_`. */
function lowerAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90 ? code + 32 : code;
}

const [d, e, g, i, n, r, s, y] = [100, 101, 103, 105, 110, 114, 115, 121] as const;

/** Length of the ending that a word before `to` loses: one of `endings`, or three for `ies`. */
function endingOf(text: string, to: number): number {
  const last = lowerAt(text, to - 1);
  const second = lowerAt(text, to - 2);
  const third = lowerAt(text, to - 3);
  if (last === g) return second === n && third === i ? 3 : 0;
  if (last === r || last === d) return second === e ? 2 : 0;
  if (last === e) return 1;
  if (last !== s) return 0;
  if (third === e && second === r) return 3;
  return second === e ? (third === i ? 3 : 2) : 1;
}
