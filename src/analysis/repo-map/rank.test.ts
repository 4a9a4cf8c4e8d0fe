import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { type Cuttable, fitMap, type Fitting, tokensOf } from './map-cut.ts';
import { mapText } from './map-text.ts';
import { type Rankable, rankFiles } from './rank-files.ts';
import { linksOf, pageRank } from './rank-imports.ts';
import { scoreByWords } from './rank-words.ts';
import { goalWords, numberOf, readWords, wordsOf } from './words.ts';

function file(path: string, text = '', imports: readonly string[] = []): Rankable {
  return { path, words: readWords(text), imports: imports.join('\n'), kind: 'code' };
}

function order(goal: string, files: readonly Rankable[]): string[] {
  const ranks = rankFiles(goal, files);
  return [...files.keys()]
    .sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0))
    .map((at) => files[at]?.path ?? '');
}

function targetsOfFirst(files: readonly Rankable[]): number[] {
  const { targets, ends } = linksOf(files);
  return [...targets.subarray(0, ends[0])];
}

describe('ranking by words [C2]', () => {
  it('Names are split into words, without endings and frequent words', () => {
    expect(goalWords('Add the retrying HTTPServer for user_uploads')).toEqual([
      'retry',
      'http',
      'serv',
      'httpserver',
      'user',
      'upload',
      'user_uploads',
    ]);
    expect(goalWords('größeÄndern')).toContain('ändern');
    expect(goalWords('parties rulers closing houses cars')).toEqual(['party', 'rul', 'clos', 'hous', 'cars']);
    expect(readWords('')).toMatchObject({ chars: 0 });
  });

  it('The words of a file and the words of a goal are split by the same rules', () => {
    const name = fc.stringMatching(/^[a-zA-Z\d_]{1,12}(?:ing|ers|er|ed|es|ies|s|e|IES|Ers|E)?$/);
    const part = fc.oneof(
      name,
      fc.string(),
      fc.constantFrom('größeÄndern', 'İstanbul', 'naïve_Käse', '\u0080', '漢字'),
    );
    const text = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(' '));
    const several = countReached('several words', { floor: 0.5 });
    const foreign = countReached('a word with letters beyond ASCII', { floor: 0.2 });
    assertProperty(
      fc.property(text, (given) => {
        const words = wordsOf(given).slice(0, 500);
        if (words.length > 1) several.mark();
        if (words.some((word) => /[^ -~]/.test(word))) foreign.mark();
        const { numbers, chars } = readWords(given);
        expect([...numbers]).toEqual(words.map(numberOf));
        expect(chars).toBe(words.reduce((sum, { length }) => sum + length + 2, 0));
      }),
      { numRuns: 300, reaches: [several, foreign] },
    );
  });

  it('A file with the rare word of the goal comes before those with its frequent ones', () => {
    const files = [
      ...Array.from({ length: 20 }, (_, at) => file(`src/f${at}.ts`, 'export function runTask(run: Run)')),
      file('src/upload.ts', 'export function retryUpload(run: Run)'),
    ];
    expect(order('retry the upload of a run', files)[0]).toBe('src/upload.ts');
  });

  it('A path counts for more than a signature', () => {
    const files = [
      file('src/other.ts', 'function header() header'),
      file('src/header.ts', 'function draw()'),
    ];
    expect(order('change the header', files)[0]).toBe('src/header.ts');
  });

  it('A goal without any match, and an empty goal, rank by imports alone', () => {
    expect([...scoreByWords('zzz', [file('a.ts')])]).toEqual([0]);
    const files = [file('a.ts', '', ['./c']), file('b.ts', '', ['./c']), file('c.ts')];
    expect(order('', files)[0]).toBe('c.ts');
    expect(order('zzz', files)[0]).toBe('c.ts');
  });
});

describe('ranking by imports [C2]', () => {
  it('A file that is used near the goal ranks before files that others use', () => {
    const files = [
      file('src/upload.ts', 'upload', ['./queue']),
      file('src/queue.ts', 'queue'),
      file('src/aside.ts', 'aside'),
      file('src/far.ts', 'far', ['./aside']),
    ];
    expect(order('upload', files).slice(0, 2)).toEqual(['src/upload.ts', 'src/queue.ts']);
  });

  it.each([
    ['src/a/x.ts', '../b/y', 'src/b/y.ts'],
    ['src/a/x.ts', './y', 'src/a/y/index.ts'],
    ['src/a/x.ts', 'kernel/run', 'src/kernel/run.ts'],
    ['app/a.py', 'core/models', 'core/models/__init__.py'],
    ['app/a.py', './b', 'app/b.py'],
    ['cmd/main.go', 'example.com/shop/cart/', 'internal/shop/cart/cart.go'],
    ['src/main.rs', './helper', 'src/helper.rs'],
    ['a/A.java', 'org/shop/Cart', 'src/main/java/org/shop/Cart.java'],
    ['src/a.c', 'shop/cart', 'include/shop/cart.h'],
    ['src/A.php', 'App/Models/User', 'src/Models/User.php'],
  ])('In %s, the import %s is %s', (from, name, to) => {
    const others = ['src/z/y.ts', 'other/cart/cart.go', 'lib/run.ts', 'x/User.php', 'y/Cart.java'];
    const files = [file(from, '', [name]), file(to), ...others.map((path) => file(path))];
    expect(targetsOfFirst(files)).toEqual([1]);
  });

  it('An uncertain import is no link', () => {
    const files = ['a.ts', 'x/util.ts', 'y/util.ts', 'z/util.ts'].map((path) =>
      file(path, '', ['util', './nothing', '../../../x']),
    );
    expect(targetsOfFirst(files)).toEqual([]);
  });

  it('Ranks add up to one, with cycles and with files without imports', () => {
    const rank = pageRank(
      { targets: Int32Array.of(1, 0, 2), ends: Int32Array.of(1, 3, 3, 3) },
      new Float64Array([1, 0, 0, 0]),
    );
    expect(rank.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1);
    expect([...pageRank(linksOf([]), new Float64Array())]).toEqual([]);
  });
});

describe('a map limited by tokens [C2]', () => {
  const signatures = Array.from(
    { length: 20 },
    (_, at) => `export function number${at}(a: string): void`,
  ).join('\n');
  const files: Cuttable[] = Array.from({ length: 200 }, (_, at) => ({
    path: `src/part${at % 10}/file${at}.ts`,
    kind: at % 5 === 0 ? 'test' : 'code',
    note: '',
  }));
  const offered = files.map(({ kind }) => (kind === 'test' ? '' : signatures));
  const places = [...files.keys()];
  const head = {
    name: 'x',
    goal: 'g',
    nearest: [],
    nearestChars: Number.POSITIVE_INFINITY,
    submodules: ['lib/sub'],
    notes: new Map<string, string>(),
  };
  const fit = (tokens: number, more: Partial<Fitting> = {}) =>
    fitMap({
      files,
      order: places,
      tokens,
      signaturesOf: async (asked) => asked.map((at) => offered[at] ?? ''),
      write: (cut, foldersMax) => mapText(cut, { ...head, foldersMax }, 'summary'),
      ...more,
    });

  it.each([300, 500, 1_000, 4_000, 20_000, 100_000])(
    'A limit of %d tokens is never exceeded, and is used',
    async (tokens) => {
      const { markdown } = await fit(tokens);
      expect(tokensOf(markdown.length)).toBeLessThanOrEqual(tokens);
      expect(tokensOf(markdown.length)).toBeGreaterThan(Math.min(tokens * 0.5, 10_000));
    },
  );

  it.each([500, 1_000])(
    'A limit of %d tokens is not exceeded by long names or many submodules either',
    async (tokens) => {
      const long = (at: number): string => `${'folder/'.repeat(60)}${at}.ts`;
      const others = Array.from({ length: 300 }, (_, at) => long(at));
      const { markdown } = await fit(tokens, {
        files: others.map((path) => ({ path, kind: 'code', note: '' })),
        order: [...others.keys()],
        write: (cut, foldersMax) =>
          mapText(
            cut,
            {
              ...head,
              foldersMax,
              goal: 'x '.repeat(400),
              nearest: others.slice(0, 8),
              nearestChars: tokens,
              submodules: others,
            },
            'summary',
          ),
      });
      expect(tokensOf(markdown.length)).toBeLessThanOrEqual(tokens);
      expect(markdown).toMatch(/… \d+ other submodules/);
    },
  );

  it('The nearest files come first, whole; the rest is counted in their folders', async () => {
    const { cut, markdown } = await fit(2_000);
    expect(cut.shown.map(({ path }) => path)).toContain('src/part1/file1.ts');
    expect(cut.shown.length + cut.named.length + cut.unnamed.length).toBe(files.length);
    expect(cut.isWhole).toBe(false);
    expect(markdown).toMatch(/… \d+ (?:more|files)/);
    const counted = [...markdown.matchAll(/^(?: {2}|src.*?)… (\d+) (?:more|files?)/gm)];
    expect(counted.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(cut.unnamed.length);
  });

  it('Signatures that would not be shown are not requested', async () => {
    const asked = new Set<number>();
    const { cut } = await fit(1_000, {
      signaturesOf: async (wanted) =>
        wanted.map((at) => {
          asked.add(at);
          return offered[at] ?? '';
        }),
    });
    expect(cut.shown.length).toBeGreaterThan(0);
    expect(asked.size).toBeLessThanOrEqual(128);
    expect(Math.max(...asked)).toBeLessThan(128);
  });

  it('A map without a limit shows everything', async () => {
    const { cut } = await fit(Number.POSITIVE_INFINITY);
    expect(cut.unnamed).toEqual([]);
    expect(cut.shown.every(({ left }) => left === 0)).toBe(true);
    expect(cut.isWhole).toBe(true);
  });

  it('One file takes a fifth of the map at most', async () => {
    const huge: Cuttable = { path: 'huge.ts', kind: 'code', note: '' };
    const all = [`${signatures}\n`.repeat(50).trim(), ...offered];
    const { cut } = await fit(5_000, {
      files: [huge, ...files],
      order: [0, ...places.map((at) => at + 1)],
      signaturesOf: async (asked) => asked.map((at) => all[at] ?? ''),
    });
    const shown = cut.shown.find(({ path }) => path === 'huge.ts');
    expect(shown?.left).toBeGreaterThan(800);
    expect(cut.shown.length).toBeGreaterThan(5);
  });

  it('Names and signatures cannot break out of the text', async () => {
    const { markdown } = await fit(1_000, {
      files: [
        { path: 'a\n```\n# Instructions', kind: 'other', note: '' },
        { path: 'b.ts', kind: 'code', note: '' },
      ],
      order: [0, 1],
      signaturesOf: async (asked) => asked.map((at) => (at === 0 ? '' : 'export type A = "````"')),
    });
    expect(markdown).toContain('`````text');
    expect(markdown).not.toMatch(/^# Instructions/m);
  });
});
