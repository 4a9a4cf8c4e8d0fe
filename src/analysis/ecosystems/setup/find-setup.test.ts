import { describe, expect, it } from 'vitest';
import { findSetup, isReadForSetup } from './find-setup.ts';
import type { DetectedSetup } from './detected-setup.ts';
import { findSetupBelow } from './setup-below.ts';
import { decidesSetup, isLockFile, lockKinds } from './setup-files.ts';

/** As from a tree: the texts are those that `isReadForSetup` asks for, and no others. */
function found(files: { readonly [path: string]: unknown }, prefix = ''): DetectedSetup {
  const texts = Object.entries(files)
    .filter(([path]) => isReadForSetup(path, prefix))
    .map(([path, text]): [string, string] => [path, typeof text === 'string' ? text : JSON.stringify(text)]);
  return findSetup({ paths: Object.keys(files), texts: new Map(texts) }, prefix);
}
const commandOf = (setup: DetectedSetup): string | null => (setup.kind === 'command' ? setup.command : null);
const npm = { dependencies: { chalk: '^5' } };

describe('setup by the lock file', () => {
  it.each([
    [['package-lock.json'], 'npm ci'],
    [['package-lock.json', 'pnpm-lock.yaml'], 'pnpm install --frozen-lockfile'],
    [['yarn.lock'], 'yarn install --immutable'],
    [['bun.lock'], 'bun install --frozen-lockfile'],
    [['uv.lock'], 'uv sync --frozen'],
    [['poetry.lock'], 'poetry install'],
    [['README.md', 'deep/package-lock.json'], null],
  ])('The lock file %j decides the setup: %s', (files, expected) => {
    expect(commandOf(found(Object.fromEntries(files.map((path) => [path, '{}']))))).toBe(expected);
  });

  it('A lock file in the start folder takes precedence over one in the root, and the root is entered by cd', () => {
    expect(commandOf(found({ 'a/b/package-lock.json': '', 'yarn.lock': '' }, 'a/b'))).toBe('npm ci');
    expect(commandOf(found({ 'yarn.lock': '' }, 'a/b'))).toBe('cd ../.. && yarn install --immutable');
  });

  it('A lock file in the root takes precedence over a manifest in the start folder', () => {
    expect(commandOf(found({ 'a/package.json': npm, 'package-lock.json': '' }, 'a'))).toBe('cd .. && npm ci');
  });
});

describe('setup by the manifest', () => {
  it('A package.json with dependencies and no committed lock file is installed with npm install, and the result says why', () => {
    expect(found({ 'package.json': npm })).toEqual({
      kind: 'command',
      command: 'npm install',
      why: 'package.json declares dependencies, and no package-lock.json is committed',
      isUnlocked: true,
    });
  });

  it.each([
    [{ ...npm, packageManager: 'pnpm@9.1.0' }, 'pnpm install'],
    [{ ...npm, packageManager: 'yarn@4.0.0+sha224.abc' }, 'yarn install'],
    [{ ...npm, packageManager: 'bun@1.1.0' }, 'bun install'],
    [{ ...npm, packageManager: 'npm@10' }, 'npm install'],
    [{ ...npm, packageManager: 'rm -rf /; pnpm@9' }, 'npm install'],
    [{ ...npm, devEngines: { packageManager: { name: 'pnpm' } } }, 'pnpm install'],
    [{ devDependencies: { vitest: '4' } }, 'npm install'],
    [{ peerDependencies: { react: '19' } }, 'npm install'],
    [{ workspaces: ['packages/*'] }, 'npm install'],
    [{ name: 'toy', scripts: { test: 'node --test' } }, null],
    [{ dependencies: {}, devDependencies: {} }, null],
  ])('The package.json %j decides the setup: %s', (about, command) => {
    expect(commandOf(found({ 'package.json': about }))).toBe(command);
  });

  it('A package.json without dependencies needs no setup', () => {
    expect(found({ 'package.json': { name: 'toy' } })).toMatchObject({ kind: 'none' });
  });

  it('A pnpm workspace is installed with pnpm, and a folder with .yarnrc.yml with yarn', () => {
    expect(commandOf(found({ 'package.json': {}, 'pnpm-workspace.yaml': '' }))).toBe('pnpm install');
    expect(commandOf(found({ 'package.json': npm, '.yarnrc.yml': '' }))).toBe('yarn install');
  });

  it('Nothing is installed over a committed node_modules folder', () => {
    expect(found({ 'package.json': npm, 'node_modules/chalk/index.js': '' }).kind).toBe('none');
  });

  it('A package.json that is not valid JSON leads to a question, never to a guess', () => {
    expect(found({ 'package.json': '{' })).toMatchObject({
      kind: 'ask',
      why: 'package.json is not valid JSON',
    });
  });

  it('The manifest in the start folder takes precedence over the one in the root', () => {
    const files = { 'a/package.json': { ...npm, packageManager: 'pnpm@9' }, 'package.json': npm };
    expect(commandOf(found(files, 'a'))).toBe('pnpm install');
    expect(commandOf(found({ 'a/package.json': {}, 'package.json': npm }, 'a'))).toBe('cd .. && npm install');
    expect(found({ 'b/package.json': npm }, 'a').kind).toBe('none');
  });

  it.each([
    ['[tool.poetry.dependencies]\npython = "^3.12"\n', 'poetry install'],
    ['[project]\ndependencies = ["httpx"]\n[tool.uv]\ndev-dependencies = ["pytest"]\n', 'uv sync'],
    ['[project]\ndependencies = ["httpx"]\n[tool.pdm]\n', 'pdm install'],
    [
      '[project]\nname = "a"\n[tool.poetry.group.dev.dependencies]\npytest = "^8"\n[build-system]\nbuild-backend = "poetry.core.masonry.api"\n',
      'poetry install',
    ],
    ['[project]\ndependencies = ["httpx"]\n[tool.poetry]\npackage-mode = false\n', 'poetry install'],
    [
      '[project]\ndependencies = ["httpx"]\n[build-system]\nbuild-backend = "poetry.core.masonry.api"\n',
      'poetry install',
    ],
    ['[dependency-groups]\ndev = ["pytest"]\n[build-system]\nbuild-backend = "uv_build"\n', 'uv sync'],
    ['[project]\ndependencies = ["httpx"]\n[build-system]\nbuild-backend = "pdm.backend"\n', 'pdm install'],
    ['[build-system]\nbuild-backend = "uv_build"\n', null],
    ['[project]\ndependencies = ["httpx"]\n[build-system]\nbuild-backend = "hatchling.build"\n', null],
  ])('The pyproject.toml %j decides the setup: %s', (text, command) => {
    expect(commandOf(found({ 'pyproject.toml': text }))).toBe(command);
  });

  it.each([
    ['pyproject.toml', '[project]\ndependencies = ["httpx"]\n'],
    ['pyproject.toml', '[project.optional-dependencies]\ntest = ["pytest"]\n'],
    ['pyproject.toml', '[dependency-groups]\ndev = ["pytest"]\n'],
    ['pyproject.toml', 'no toml'],
    ['requirements.txt', '# tests\nhttpx==0.27\n'],
    ['setup.py', 'setup(install_requires=["httpx"])'],
    ['setup.py', 'setup(extras_require={"test": ["pytest"]})'],
    ['setup.py', 'setup(tests_require=["pytest"])'],
    ['a.gemspec', 'Gem::Specification.new { |s| s.add_development_dependency "rspec" }'],
    ['pubspec.yaml', 'name: a\n'],
    ['setup.cfg', '[options]\ninstall_requires =\n    httpx\n'],
    ['setup.cfg', '[options.extras_require]\ntest = pytest\n'],
    ['requirements-dev.txt', 'pytest\n'],
    ['requirements/test.txt', 'pytest\n'],
    ['environment.yml', 'dependencies:\n  - numpy\n'],
  ])(
    'The manifest %s with %j has no certain tool: the user is asked for --setup or --no-setup',
    (path, text) => {
      const setup = found({ [path]: text });
      expect(setup.kind).toBe('ask');
      const { hint } = setup as Extract<DetectedSetup, { kind: 'ask' }>;
      expect(hint).toContain('--setup "…"');
      expect(hint).toContain('--no-setup');
    },
  );

  it.each([
    ['pyproject.toml', '[tool.black]\nline-length = 100\n'],
    ['requirements.txt', '# nothing\n\n'],
    ['requirements-dev.txt', '# nothing\n\n'],
    ['setup.cfg', '[flake8]\nmax-line-length = 100\n'],
    ['docs/requirements.txt', 'sphinx\n'],
    ['Gemfile', 'source "https://rubygems.org"\n'],
    ['composer.json', '{"require":{"php":">=8.1","ext-json":"*"}}'],
    ['Makefile', 'test:\n'],
    ['a.gemspec', 'Gem::Specification.new { |s| s.name = "a" }'],
  ])('The manifest %s with %j declares no dependency', (path, text) => {
    expect(found({ [path]: text }).kind).toBe('none');
  });

  it.each([
    ['Gemfile', 'gem "rake"\n', 'bundle install'],
    ['Gemfile', 'gemspec\n', 'bundle install'],
    ['composer.json', '{"require-dev":{"phpunit/phpunit":"^11"}}', 'composer install --no-interaction'],
    ['Pipfile', '[packages]\n', 'pipenv install --dev'],
    ['mix.exs', 'defmodule', 'mix deps.get'],
  ])('The manifest %s with %j decides the setup: %s', (path, text, command) => {
    expect(found({ [path]: text })).toMatchObject({ command, isUnlocked: true });
  });

  it.each([
    'Cargo.toml',
    'go.mod',
    'pom.xml',
    'build.gradle',
    'build.gradle.kts',
    'deno.json',
    'a.csproj',
    'Package.swift',
  ])('The build tool of %s fetches dependencies by itself', (path) => {
    expect(found({ [path]: '' }).kind).toBe('self');
    expect(found({ [path]: '', 'Cargo.lock': '', 'go.sum': '' }).kind).toBe('self');
  });
});

describe('setup by more than the manifest', () => {
  it('A Cargo.toml with dependencies and no committed lock file is fetched first, so that versions are chosen once', () => {
    const fetched = { command: 'cargo fetch', isUnlocked: true };
    expect(found({ 'Cargo.toml': '[dependencies]\nserde = "1"\n' })).toMatchObject(fetched);
    const ofTarget = '[target."cfg(unix)".dev-dependencies]\na = { git = "x" }\n';
    expect(found({ 'Cargo.toml': ofTarget })).toMatchObject(fetched);
    expect(found({ 'Cargo.toml': '[workspace]\nmembers = ["a"]\n' })).toMatchObject(fetched);
    expect(found({ 'Cargo.toml': '[dependencies]\na = { path = "a" }\n' }).kind).toBe('self');
    const locked = { 'Cargo.toml': '[dependencies]\nserde = "1"\n', 'Cargo.lock': '' };
    expect(found(locked).kind).toBe('self');
    expect(found({ ...locked, 'a/Cargo.toml': '[dependencies]\nserde = "1"\n' }, 'a').kind).toBe('self');
  });

  it('A go.mod with modules and no committed go.sum leads to a question, with the next step', () => {
    const modules = 'module a\n\ngo 1.21\n\nrequire (\n\tb.c/d v1.2.3 // indirect\n)\n';
    expect(found({ 'go.mod': modules })).toMatchObject({
      kind: 'ask',
      why: 'go.mod requires modules, and no go.sum is committed, so go refuses to build',
      hint: expect.stringContaining('go mod tidy') as string,
    });
    expect(found({ 'go.mod': 'module a\nrequire b.c/d v1.2.3\n' }).kind).toBe('ask');
    expect(found({ 'go.mod': modules, 'go.sum': '' }).kind).toBe('self');
    expect(found({ 'go.mod': modules, 'vendor/modules.txt': '' }).kind).toBe('self');
    expect(found({ 'go.mod': 'module a\nretract v1.0.0\n' }).kind).toBe('self');
    expect(found({ 'go.mod': `${modules}\nreplace b.c/d => ../d\n` }).kind).toBe('self');
  });
});

describe('setup in subfolders', () => {
  const below = (files: { readonly [path: string]: unknown }, prefix = ''): DetectedSetup | null => {
    const texts = Object.entries(files).map(([path, text]): [string, string] => [
      path,
      typeof text === 'string' ? text : JSON.stringify(text),
    ]);
    return findSetupBelow({ paths: Object.keys(files), texts: new Map(texts) }, prefix);
  };

  it('Manifests in subfolders are named, with a setup command that enters them', () => {
    expect(below({ 'frontend/package.json': npm, 'backend/requirements.txt': 'httpx\n' })).toEqual({
      kind: 'ask',
      why: 'only subfolders declare dependencies: frontend/package.json, backend/requirements.txt',
      hint: 'Install them: --setup "(cd frontend && npm install) && (cd backend && …)", or --no-setup to install nothing.',
    });
    expect(below({ 'a/my app/package.json': npm, 'a/my app/yarn.lock': '' }, 'a')).toMatchObject({
      why: 'only subfolders declare dependencies: a/my app/yarn.lock',
      hint: expect.stringContaining(`(cd 'my app' && yarn install --immutable)`) as string,
    });
  });

  it('Folders beside the product, and manifests that declare nothing, are not named', () => {
    const aside = ['docs', 'test/fixtures', 'examples/a', '.github', 'a/b/c'];
    expect(below(Object.fromEntries(aside.map((folder) => [`${folder}/package.json`, npm])))).toBe(null);
    expect(below({ 'a/package.json': { name: 'a' }, 'b/go.mod': 'module b\n' })).toBe(null);
    expect(below({ 'b/package.json': npm }, 'a')).toBe(null);
  });
});

describe('setup beside a second manifest', () => {
  const requirements = { 'requirements.txt': 'httpx\n' };

  it('The setup names the dependencies that its command leaves out, and how to install them too', () => {
    const locked = found({ 'package.json': npm, 'package-lock.json': '{}', ...requirements });
    expect(locked).toMatchObject({
      kind: 'command',
      command: 'npm ci',
      why: 'package-lock.json is committed; requirements.txt is not installed, with --setup "npm ci && …" it is',
    });
    expect(found({ 'package.json': npm, ...requirements }).why).toContain(
      'requirements.txt is not installed, with --setup "npm install && …" it is',
    );
    const below = found({ 'package-lock.json': '{}', ...requirements }, 'a');
    expect(below.why).toContain('--setup "cd .. && npm ci && …"');
  });

  it('The setup ignores an empty list, and a list that a Python tool has beside its own lock file', () => {
    expect(found({ 'uv.lock': '', ...requirements }).why).toBe('uv.lock is committed');
    const empty = found({ 'package-lock.json': '{}', 'requirements.txt': '# none\n' });
    expect(empty.why).toBe('package-lock.json is committed');
  });
});

describe('a lock file beside an empty manifest', () => {
  it('The setup for a manifest that declares nothing says so, so that no hint asks to install dependencies', () => {
    const lock = { 'package-lock.json': '{}' };
    expect(found({ 'package.json': { name: 'toy' }, ...lock })).toMatchObject({ declaresNothing: true });
    expect(found({ 'package.json': npm, ...lock })).not.toHaveProperty('declaresNothing');
  });
});

describe('setup files', () => {
  it('Lists that only --setup installs from decide the setup too', () => {
    const lists = ['requirements-dev.txt', 'a/requirements/test.txt', 'environment.yml', 'setup.cfg'];
    expect(lists.filter((path) => !decidesSetup(path))).toEqual([]);
  });

  it('Every lock file that a command installs from is a lock file and decides the setup', () => {
    expect(lockKinds.filter(({ file }) => !isLockFile(`a/${file}`) || !decidesSetup(`a/${file}`))).toEqual(
      [],
    );
  });

  it('A lock file that the build tool reads by itself decides no setup command', () => {
    expect(['Cargo.lock', 'go.sum', 'deno.lock'].map(isLockFile)).toEqual([true, true, true]);
    expect(['Cargo.lock', 'go.sum', 'deno.lock'].some(decidesSetup)).toBe(false);
  });
});
