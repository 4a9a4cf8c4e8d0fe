import { describe, expect, it } from 'vitest';
import type { MachineCheck } from '#kernel/model/check.ts';
import { isMachineCheck } from '#kernel/model/check.ts';
import { criteriaOf } from './checks.ts';
import { parseConfig } from '#config/config-file.ts';
import type { CheckEntry } from './check-schema.ts';

function checkOf(entry: CheckEntry): MachineCheck {
  const [made] = criteriaOf([entry], 1_200_000);
  if (made === undefined || !isMachineCheck(made.check)) throw new Error('no check was made');
  return made.check;
}

const served = { serve: null, cwd: '', timeoutMs: 120_000 };

describe('A check on one line', () => {
  it.each([
    ['npm test', { kind: 'command', run: 'npm test', cwd: '', timeoutMs: 1_200_000 }],
    ['http :3000/health', { kind: 'command', run: 'http :3000/health', cwd: '', timeoutMs: 1_200_000 }],
    ['file:docs/api.md', { kind: 'file', path: 'docs/api.md', holds: { kind: 'exists' } }],
    ['file:a.md=Usage=1', { kind: 'file', path: 'a.md', holds: { kind: 'contains', text: 'Usage=1' } }],
    ['symbol:parse', { kind: 'symbol', name: 'parse', what: 'any', file: null }],
    ['symbol:parse@src/a.ts', { kind: 'symbol', name: 'parse', what: 'any', file: 'src/a.ts' }],
    [
      'http://localhost:1/x',
      { kind: 'http', url: 'http://localhost:1/x', status: 200, contains: null, ...served },
    ],
  ])('A check is read from one line: %s', (line, check) => {
    expect(checkOf(line)).toEqual(check);
  });
});

it('A check without an id gets a readable one: the distinctive words of a long command, never a cut one', () => {
  const idOf = (...lines: string[]) => criteriaOf(lines, 1).map(({ id }) => id);
  expect(idOf('npm test', 'npm run -s test', 'npm run --s test')).toEqual([
    'npm-test',
    'npm-run-s-test',
    'npm-run-s-test-2',
  ]);
  expect(idOf('cd packages/server && CI=1 npm run --silent test -- --coverage')).toEqual([
    'cd-server-npm-run-test',
  ]);
  expect(idOf('sh -c "test -f src/deep/inside/one.txt && grep -q right src/deep/inside/one.txt"')).toEqual([
    'sh-test-one-txt-grep-right',
  ]);
  expect(idOf(`node ${'x'.repeat(60)}`, 'y'.repeat(60))).toEqual(['node', 'y'.repeat(32)]);
});

describe('A check in the configuration', () => {
  it('A configured check has the kind that its keys name', () => {
    expect(checkOf({ run: 'npm test', gate: 'tests', timeout: '5m' })).toEqual({
      kind: 'gate',
      gate: 'tests',
      run: 'npm test',
      cwd: '',
      timeoutMs: 300_000,
    });
    expect(checkOf({ file: 'a', exists: false })).toMatchObject({ holds: { kind: 'absent' } });
    expect(checkOf({ file: 'package.json', json: 'scripts.test', equals: 'vitest' })).toMatchObject({
      holds: { kind: 'json', path: 'scripts.test', value: '"vitest"' },
    });
    expect(checkOf({ file: 'package.json', json: 'private', equals: null })).toMatchObject({
      holds: { value: 'null' },
    });
    expect(checkOf({ symbol: 'Card', what: 'component', in: 'src/**' })).toMatchObject({
      what: 'component',
      file: 'src/**',
    });
    const serve = { serve: 'npm start', cwd: 'web', timeout: 30 };
    expect(checkOf({ url: 'http://localhost:{port}/', status: 204, contains: 'ok', ...serve })).toEqual({
      kind: 'http',
      url: 'http://localhost:{port}/',
      status: 204,
      contains: 'ok',
      serve: 'npm start',
      cwd: 'web',
      timeoutMs: 30_000,
    });
    expect(checkOf({ page: 'http://localhost:{port}/', selector: 'h1', ...serve })).toMatchObject({
      kind: 'browser',
      look: { kind: 'page', selector: 'h1', text: null },
    });
    expect(checkOf({ script: 'checks/login.mjs', ...serve })).toMatchObject({
      look: { kind: 'script', path: 'checks/login.mjs' },
    });
  });

  it('A configured check has a short unique id and a text that describes it', () => {
    const made = criteriaOf(
      ['file:a.md', { file: 'a.md', contains: 'x' }, { run: 'make', parallel: true }],
      1,
    );
    expect(made.map(({ id, text, alone }) => [id, text, alone])).toEqual([
      ['a-md-exists', 'a.md exists', undefined],
      ['a-md-contains-x', 'a.md contains "x"', undefined],
      ['make', '`make` passes', false],
    ]);
    expect(
      criteriaOf(['npm test', { run: 'npm test', timeout: 5 }, 'file:a', { file: 'a' }], 1),
    ).toHaveLength(2);
  });

  it.each([
    [{}, 'A check needs one of run, file, symbol, url, page, script.'],
    [{ run: 'x', file: 'y' }, 'The check "x" has both run and file; make two checks of it.'],
    [{ file: 'a', serve: 'x' }, 'The check "a" has serve, which does not go with file.'],
    [
      { id: 'f', file: '../a' },
      'The check "f" has the path "../a", which is not inside the run\'s own checkout; give one below the folder where the run is started.',
    ],
    [{ file: '/etc/passwd' }, /not inside the run's own checkout/],
    [{ symbol: 'x', in: 'C:\\x' }, /not inside the run's own checkout/],
    [{ file: 'a', contains: 'b', json: 'c' }, /asks for more than one thing of a file/],
    [{ file: 'a', equals: 1 }, /has equals without json/],
    [{ url: 'localhost:3000' }, /does not begin with http/],
    [{ url: 'http://x:{port}/' }, /no serve that would get it/],
    [{ page: 'http://x/' }, /needs a selector/],
    [{ run: '  ' }, 'A check is an empty command.'],
    [{ file: '' }, 'A check has an empty file.'],
  ] as const)('A nonsensical check is refused with one sentence: %j [X6]', (table, sentence) => {
    expect(() => criteriaOf([table], 1)).toThrow(sentence);
  });

  it('A wrong check is refused with its place in the file and the intended key [X6]', async () => {
    const read = (checks: string): Promise<unknown> =>
      parseConfig(`{\n  "checks": [\n    ${checks}\n  ]\n}`, 'c.jsonc', 'project');
    await expect(read('{ "file": "a", "serve": "x" }')).rejects.toThrow(
      'c.jsonc:3:5: "checks.0": this check has serve, which does not go with file.',
    );
    await expect(read('{ "file": "a", "contain": "x" }')).rejects.toThrow(
      'c.jsonc:3:20: unknown key "checks.0.contain"; did you mean "contains"?',
    );
    await expect(read('{ "url": "http://x/", "status": "200" }')).rejects.toThrow('c.jsonc:3:');
    await expect(
      read('"npm test", { "file": "p.json", "json": "a", "equals": [1, null] }'),
    ).resolves.toBeDefined();
  });
});
