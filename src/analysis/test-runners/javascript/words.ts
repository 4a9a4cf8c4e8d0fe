// Assertion words of JavaScript: their failing arguments, and their opposites. Pure.

/** Two expressions that a planted assertion compares: the joined id, and a different string. */
interface Operands {
  readonly id: string;
  readonly other: string;
}

const groups: readonly { readonly words: string; readonly args: (operands: Operands) => string }[] = [
  {
    words:
      'equal equals is isEqual strictEqual strictEquals deepEqual deepEquals deepStrictEqual looseEqual same strictSame eql',
    args: ({ id, other }) => `${id}, ${other}`,
  },
  {
    words:
      'notEqual notEquals not isNot isNotEqual notStrictEqual notDeepEqual notDeepStrictEqual notSame notStrictSame',
    args: ({ id }) => `${id}, ${id}`,
  },
  { words: 'ok true truthy assert isTrue isOk', args: ({ id, other }) => `${id} === ${other}` },
  { words: 'notOk false falsy isFalse isNotOk', args: ({ id, other }) => `${id} !== ${other}` },
  { words: 'match regex', args: ({ id }) => `${id}, /^green$/` },
  { words: 'doesNotMatch notRegex notMatch', args: ({ id }) => `${id}, /_/` },
  { words: 'throws', args: ({ id }) => `() => ${id}` },
];

const matchers: readonly {
  readonly words: string;
  readonly write: (word: string, operands: Operands) => string;
}[] = [
  {
    words: 'toBe toEqual toStrictEqual toMatch toContain to.equal to.eql to.deep.equal to.eq to.be.equal',
    write: (word, { id, other }) => `expect(${id}).${word}(${other})`,
  },
  { words: 'toBeTruthy', write: (word, { id, other }) => `expect(${id} === ${other}).${word}()` },
  { words: 'to.be.true', write: (word, { id, other }) => `expect(${id} === ${other}).${word}` },
  { words: 'to.be.false', write: (word, { id, other }) => `expect(${id} !== ${other}).${word}` },
  { words: 'toBeFalsy toBeNull toBeUndefined', write: (word, { id }) => `expect(${id}).${word}()` },
  { words: 'toThrow toThrowError', write: (word, { id }) => `expect(() => ${id}).${word}()` },
  { words: 'toHaveLength', write: (word, { id }) => `expect(${id}).${word}(0)` },
  {
    words: 'toBeGreaterThan toBeGreaterThanOrEqual',
    write: (word, { id }) => `expect(${id}.length).${word}(999)`,
  },
  { words: 'toBeLessThan toBeLessThanOrEqual', write: (word, { id }) => `expect(${id}.length).${word}(0)` },
];

/** Arguments that make the word of an assertion object fail; null for an unknown word. */
export function failingArguments(word: string, operands: Operands): string | null {
  return groups.find(({ words }) => words.split(' ').includes(word))?.args(operands) ?? null;
}

/** An `expect` statement that fails by this matcher; null for an unknown matcher. */
export function failingExpect(matcher: string, operands: Operands): string | null {
  return matchers.find(({ words }) => words.split(' ').includes(matcher))?.write(matcher, operands) ?? null;
}

const opposites: readonly (readonly [string, string])[] = [
  ['equal', 'notEqual'],
  ['strictEqual', 'notStrictEqual'],
  ['deepEqual', 'notDeepEqual'],
  ['deepStrictEqual', 'notDeepStrictEqual'],
  ['match', 'doesNotMatch'],
  ['throws', 'doesNotThrow'],
  ['rejects', 'doesNotReject'],
];
const avaOpposites: readonly (readonly [string, string])[] = [
  ['is', 'not'],
  ['deepEqual', 'notDeepEqual'],
  ['true', 'false'],
  ['truthy', 'falsy'],
  ['regex', 'notRegex'],
  ['throws', 'notThrows'],
];
const tapOpposites: readonly (readonly [string, string])[] = [
  ['equal', 'not'],
  ['same', 'notSame'],
  ['strictSame', 'strictNotSame'],
  ['ok', 'notOk'],
  ['match', 'notMatch'],
  ['throws', 'doesNotThrow'],
];
const tapeOpposites: readonly (readonly [string, string])[] = [
  ['equal', 'notEqual'],
  ['deepEqual', 'notDeepEqual'],
  ['same', 'notSame'],
  ['is', 'isNot'],
  ['ok', 'notOk'],
  ['match', 'doesNotMatch'],
  ['throws', 'doesNotThrow'],
];

export type AssertDialect = 'assert' | 'ava' | 'tap' | 'tape';

export function oppositeWord(word: string, dialect: AssertDialect): string | null {
  const pairs = { assert: opposites, ava: avaOpposites, tap: tapOpposites, tape: tapeOpposites }[dialect];
  const pair = pairs.find(([a, b]) => a === word || b === word);
  if (pair === undefined) return null;
  return pair[0] === word ? pair[1] : pair[0];
}
