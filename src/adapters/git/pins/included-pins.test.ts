// Files that a check would read if they existed, and git attributes that change a pinned file in the checkout.
import { afterEach, describe, expect, it } from 'vitest';
import { openPinnedSample, type PinnedSample } from '#test/git/pinned-sample.ts';

let pinned: PinnedSample;
afterEach(() => pinned.sample.remove());

describe('a new file that a check would load', () => {
  const base = {
    Makefile: '-include local.mk\ncheck: unit\n\tsh scripts/check.sh\nunit:\n\tnode --test\n',
    'scripts/check.sh': '[ -f ./local.sh ] && . ./local.sh\n. ./work.sh\n',
    'package.json': '{ "workspaces": ["packages/*"], "devDependencies": { "vitest": "^3" } }',
    'packages/a/package.json': '{ "name": "a" }',
  };

  it.each([
    ['local.mk', 'unit: ; true\n'],
    ['local.sh', 'exit 0\n'],
    ['scripts/local.sh', 'exit 0\n'],
    ['check', ''],
    ['unit/a/b.js', ''],
    ['node_modules/.bin/node', '#!/bin/sh\n'],
    ['tools/node', '#!/bin/sh\n'],
  ])('A new file that a check would load is refused: %s [X8]', async (path, text) => {
    pinned = await openPinnedSample(base, ['make check', 'PATH=tools:$PATH node --test']);
    expect(await pinned.brokenBy({ [path]: text })).toEqual([`${path} added`]);
    expect(await pinned.brokenBy({ 'work.sh': '', 'tools/own': '', 'packages/b/unit.js': '' })).toEqual([]);
  });

  it('A new program of a workspace member that scripts would start instead is refused [X8]', async () => {
    pinned = await openPinnedSample(base, ['npm test']);
    const member = (bin: object): string => JSON.stringify({ name: 'b', bin });
    expect(await pinned.brokenBy({ 'packages/b/package.json': member({ node: 'x.js' }) })).toEqual([
      'packages/b/package.json#bin changed',
    ]);
    expect(await pinned.brokenBy({ 'packages/a/package.json': member({ vitest: 'x.js' }) })).toEqual([
      'packages/a/package.json#bin changed',
    ]);
    expect(await pinned.brokenBy({ 'packages/b/package.json': member({ greet: 'x.js' }) })).toEqual([]);
  });

  it('A new file that the command of a check names may be the work [X8]', async () => {
    pinned = await openPinnedSample(base, ['[ -f add.sh ] && . ./add.sh', 'python3 -m greet']);
    expect(await pinned.brokenBy({ 'add.sh': 'true\n', 'greet.py': '', 'greet/__main__.py': '' })).toEqual(
      [],
    );
  });
});

describe('a module with a name of Python’s standard library', () => {
  const base = {
    'pkg/__init__.py': '',
    'pkg/a.py': '',
    'tests/test_a.py': 'def test_a(): assert True\n',
    'tools/check.py': '',
    'src/b.py': '',
    'token.py': 'its own\n',
  };

  it('A module with a name of Python’s standard library is refused in an import root, and allowed inside a package [X8]', async () => {
    pinned = await openPinnedSample(base, ['PYTHONPATH=src python3 -m pytest', 'python3 tools/check.py']);
    const shadows = ['types.py', 'tests/json.py', 'tools/random.py', 'src/re/__init__.py', 'pytest.py'];
    const broken = await pinned.brokenBy(Object.fromEntries(shadows.map((path) => [path, ''])));
    expect(broken.toSorted()).toEqual(shadows.map((path) => `${path} added`).toSorted());
    const honest = {
      'pkg/types.py': '',
      'pkg/json/__init__.py': '',
      'token.py': 'worked on\n',
      'lib/types.py': '',
    };
    expect(await pinned.brokenBy(honest)).toEqual([]);
    expect(
      await pinned.brokenBy({ 'test/__init__.py': '', 'test/test_b.py': 'def test_b(): assert 1\n' }),
    ).toEqual([]);
  });
});

describe('an attribute that changes a pinned file in the checkout', () => {
  const base = { '.gitattributes': '*.png binary\n', 'tests/a.test.sh': 'true\n', 'src/a.sh': 'true\n' };

  it.each([
    ['.gitattributes', '*.sh text eol=crlf\n', '.gitattributes#tests/a.test.sh changed'],
    ['.gitattributes', '[attr]odd ident\n*.sh odd\n', '.gitattributes#tests/a.test.sh changed'],
    ['.gitattributes', 'tests/** working-tree-encoding=UTF-16\n', '.gitattributes#tests/a.test.sh changed'],
    ['tests/.gitattributes', '* filter=evil\n', 'tests/.gitattributes#tests/a.test.sh added'],
  ])('An attribute that changes a pinned file breaks its pin: %s %j [X8]', async (path, text, broken) => {
    pinned = await openPinnedSample(base);
    expect(await pinned.brokenBy({ [path]: text })).toEqual([broken]);
  });

  it('An attribute that leaves the bytes alone, or concerns other files, breaks no pin [X8]', async () => {
    pinned = await openPinnedSample(base);
    const text =
      '* text=auto eol=lf\nsrc/** eol=crlf ident\n*.psd filter=lfs diff=lfs merge=lfs -text\n*.sh export-subst\n';
    expect(await pinned.brokenBy({ '.gitattributes': text })).toEqual([]);
  });
});
