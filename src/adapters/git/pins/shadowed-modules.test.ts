// Modules that are loaded instead of another one because of their name; a repository's own packages may be added
// and moved.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPinnedSample, type PinnedSample } from '#test/git/pinned-sample.ts';
import { shadowsTests } from '#analysis/tampering/pins/shadowed-modules.ts';

const lock = (row: string): string =>
  `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    devDependencies:\n      vitest:\n        specifier: ^3.0.0\n        version: ${row}\n      '@me/one':\n        specifier: ^1.0.0\n        version: link:packages/one\n`;
const goMod = 'module sample\n\nrequire (\n\tgithub.com/stretchr/testify v1.9.0\n)\n';
const base: { readonly [path: string]: string } = {
  'package.json': JSON.stringify({
    workspaces: ['packages/*'],
    devDependencies: { vitest: '^3.0.0', '@me/one': '^1.0.0' },
  }),
  'package-lock.json': JSON.stringify({
    packages: {
      'node_modules/vitest': {
        version: '3.0.0',
        resolved: 'https://r.invalid/vitest/-/v.tgz',
        integrity: 'sha512-a',
      },
      'node_modules/@me/one': { resolved: 'packages/one', link: true },
    },
  }),
  'packages/one/package.json': '{ "name": "@me/one" }',
  'go.mod': goMod,
  'go.work': 'go 1.22\nuse .\n',
  'vendor/modules.txt':
    '# github.com/stretchr/testify v1.9.0\n## explicit\ngithub.com/stretchr/testify/assert\n',
  'vendor/github.com/stretchr/testify/assert/a.go': 'package assert\n',
  'calc_test.go': 'package calc\n',
};

let pinned: PinnedSample;

beforeAll(async () => {
  pinned = await openPinnedSample(base);
});
afterAll(() => pinned.sample.remove());

async function brokenBy(files: { readonly [path: string]: string | null }): Promise<string[]> {
  return (await pinned.brokenBy(files)).toSorted();
}

describe('a name that shadows a module', () => {
  it('A shadowing package, workspace module, bundled module or lock file of another package manager is detected [X8]', async () => {
    const broken = await brokenBy({
      'packages/fake/package.json': '{ "name": "vitest" }',
      'fake/go.mod': 'module github.com/stretchr/testify\n',
      'go.work': 'go 1.22\nuse (\n\t.\n\t./fake\n)\n',
      'pnpm-lock.yaml': lock('link:packages/fake'),
      'vendor/github.com/stretchr/testify/assert/a.go': 'package assert // nothing\n',
    });
    expect(broken).toEqual([
      'fake/go.mod#module changed',
      'packages/fake/package.json#name changed',
      'pnpm-lock.yaml#place.vitest added',
      'vendor/github.com/stretchr/testify/assert/a.go changed',
    ]);
  });

  it('New or moved own packages, another package manager and newer modules are not reported as shadowing [X8]', async () => {
    const broken = await brokenBy({
      'packages/one/package.json': null,
      'packages/two/package.json': '{ "name": "@me/two" }',
      'packages/first/package.json': '{ "name": "@me/one" }',
      'tools/go.mod': 'module sample/tools\n',
      'go.work': 'go 1.22\nuse (\n\t.\n\t./tools\n)\n',
      'package-lock.json': null,
      'pnpm-lock.yaml': `${lock('3.0.0')}\npackages:\n\n  vitest@3.0.0:\n    resolution: {integrity: sha512-a}\n`,
      'vendor/modules.txt': (base['vendor/modules.txt'] ?? '').replace('v1.9.0', 'v1.10.0'),
      'vendor/github.com/stretchr/testify/assert/a.go': 'package assert // newer\n',
      'go.mod': goMod.replace('v1.9.0', 'v1.10.0'),
    });
    expect(broken).toEqual([]);
  });
});

describe('a test library', () => {
  const files = new Map([
    ['src/main/java/app/A.java', ''],
    ['lib/app.rb', ''],
  ]);

  it.each([
    'src/main/java/org/junit/jupiter/api/Assertions.java',
    'core/src/test/kotlin/org/assertj/core/api/Assertions.kt',
    'pytest.py',
    'src/unittest/__init__.py',
    'lib/minitest/quiet_plugin.rb',
    'src/PHPUnit/Framework/Assert.php',
  ])('A replacement for a real test library is detected: %s [X8]', (path) => {
    expect(shadowsTests(path, files)).toBe(true);
    expect(
      shadowsTests(
        path,
        new Map([
          [path.replace(/[^/]+$/, 'older'), ''],
          [path, ''],
        ]),
      ),
    ).toBe(false);
  });

  it.each([
    'src/test/java/app/junit/ATest.java',
    'src/main/java/app/org/junit/A.java',
    'app/pytest_plugin.py',
    'tests/unittest_helpers.py',
    'lib/rspec/app_matchers.rb',
  ])('A change that replaces no test library is allowed: %s [X8]', (path) => {
    expect(shadowsTests(path, files)).toBe(false);
  });
});
