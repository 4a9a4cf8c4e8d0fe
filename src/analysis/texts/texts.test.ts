import { describe, expect, it } from 'vitest';
import { spell, valueAt } from './plain.ts';
import { readToml } from './toml.ts';
import { readYaml } from './yaml.ts';

describe('readToml', () => {
  it('Tables, inline tables and dotted keys give the same value [X8]', () => {
    const texts = [
      '[a.b]\nc = 1\n',
      'a = { b = { c = 1 } }',
      'a.b.c = 1',
      '[a]\n"b"."\\u0063" = 1 # """',
      '\uFEFFa.b.c = 1',
    ];
    expect(new Set(texts.map((text) => spell(readToml(text))))).toEqual(new Set(['{"a":{"b":{"c":1}}}']));
  });

  it.each([
    'a = ',
    'a = 1\na = 2',
    '[a]\n[a]',
    'a = "',
    `a = ${'['.repeat(100_000)}`,
    `a${'.a'.repeat(100_000)} = 1`,
  ])('A text that no tool would read has no value: %# [X8]', (text) => {
    expect(readToml(text)).toBeNull();
  });

  it('Dates, long numbers and infinities differ from one another [X8]', () => {
    const values = ['inf', 'nan', '-inf', '9007199254740993', '9007199254740992', '1979-05-27', '1979-05-28'];
    const spelt = values.map((value) => spell(readToml(`a = ${value}`)));
    expect(new Set(spelt).size).toBe(values.length);
  });

  it('A key called __proto__ is a key like any other [X8]', () => {
    const table = readToml('[__proto__]\njest = 1\n') ?? {};
    expect(valueAt(table, 'jest')).toBeUndefined();
    expect(valueAt(table, '__proto__.jest')).toBe(1);
  });
});

describe('readYaml', () => {
  it('Anchors and merges are resolved, and each document is a value [X8]', () => {
    expect(readYaml('a: &x {b: 1}\nc: {<<: *x, d: 2}\n---\n[3]\n', 'typed')).toEqual([
      { a: { b: 1 }, c: { b: 1, d: 2 } },
      [3],
    ]);
    expect(readYaml('# nothing\n', 'typed')).toEqual([]);
  });

  it('Scalars can be kept as they are written [X8]', () => {
    expect(readYaml('a: 3.10\nb: yes\n', 'text')).toEqual([{ a: '3.10', b: 'yes' }]);
    expect(readYaml('a: 3.10\n', 'typed')).toEqual([{ a: 3.1 }]);
  });

  const bomb = (levels: number): string => {
    const names = Array.from({ length: levels }, (_, index) => `n${index}`);
    return names
      .map(
        (name, index) =>
          `${name}: &${name} [${Array(9)
            .fill(index === 0 ? 'x' : `*n${index - 1}`)
            .join(',')}]`,
      )
      .join('\n');
  };

  it.each([
    ['a duplicate key', 'a: 1\na: 2\n'],
    ['a duplicate key in another spelling', 'a: 1\n"\\x61": 2\n'],
    ['a key that is a list', '[a, b]: 1\n'],
    ['an alias of nothing', 'a: *b\n'],
    ['a value that contains itself', '&a [*a]\n'],
    ['an alias bomb', bomb(9)],
    ['a bracket that is never closed', 'a: {b: 1\n'],
    ['a hundred thousand brackets', '['.repeat(100_000)],
    ['a hundred thousand lists in one line', '- '.repeat(100_000)],
    ['a hundred thousand keys in one line', '? '.repeat(100_000)],
  ])('A text with %s has no value [X8]', (_, text) => {
    expect(readYaml(text, 'typed')).toBeNull();
    expect(readYaml(text, 'text')).toBeNull();
  });
});
