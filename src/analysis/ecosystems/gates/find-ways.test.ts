import { expect, test } from 'vitest';
import { findWays } from './find-ways.ts';

function gates(
  contents: Readonly<Record<string, string>>,
  others: readonly string[] = [],
): Record<string, string> {
  const ways = findWays([...Object.keys(contents), ...others], new Map(Object.entries(contents)));
  return Object.fromEntries(ways.gates.map(({ gate, run, confidence }) => [gate, `${run} (${confidence})`]));
}

test.each([
  ['npm', [], 'npm test'],
  ['pnpm', ['pnpm-lock.yaml'], 'pnpm test'],
  ['yarn', ['yarn.lock'], 'yarn test'],
  ['bun', ['bun.lock'], 'bun run test'],
])('The lock file decides that %s runs the scripts [K6]', (_, locks, run) => {
  expect(gates({ 'package.json': '{"scripts":{"test":"vitest run"}}' }, locks)).toEqual({
    tests: `${run} (0.95)`,
  });
});

test('Scripts by their usual names are gates; placeholders, watchers and fixers are none [K6]', () => {
  const scripts = {
    test: 'echo "Error: no test specified" && exit 1',
    'test:unit': 'jest',
    lint: 'eslint --fix .',
    typecheck: 'tsc',
    build: 'vite build',
  };
  expect(gates({ 'package.json': JSON.stringify({ scripts }) })).toEqual({
    tests: 'npm run test:unit (0.95)',
    types: 'npm run typecheck (0.95)',
    build: 'npm run build (0.95)',
  });
  expect(gates({ 'package.json': '{"scripts":{"test":"jest --watch"}}' })).toEqual({});
});

test('Tools without a script are likely gates if they are installed and configured [K6]', () => {
  const manifest = '{"devDependencies":{"typescript":"5","eslint":"9","vitest":"3"}}';
  expect(gates({ 'package.json': manifest }, ['tsconfig.json', 'pnpm-lock.yaml'])).toEqual({
    tests: 'pnpm exec vitest run (0.75)',
    types: 'pnpm exec tsc --noEmit (0.75)',
  });
});

test('Python gates are pytest, ruff and mypy where they are configured, behind the lock file’s runner [K6]', () => {
  const project =
    '[project]\nname="x"\n[tool.pytest.ini_options]\n[tool.ruff.lint]\n[tool.mypy]\nfiles = "x"\n';
  expect(gates({ 'pyproject.toml': project }, ['uv.lock'])).toEqual({
    tests: 'uv run pytest (0.9)',
    lint: 'uv run ruff check . (0.9)',
    types: 'uv run mypy (0.9)',
  });
  expect(gates({ 'setup.cfg': '[flake8]\n[mypy]\n', 'requirements-dev.txt': 'pytest==8\n' })).toEqual({
    tests: 'python -m pytest (0.85)',
    lint: 'flake8 (0.9)',
    types: 'mypy . (0.9)',
  });
  expect(gates({ 'requirements.txt': 'pytest-randomly\n' }, ['tests/test_a.py'])).toEqual({
    tests: 'python -m unittest discover (0.6)',
  });
});

test('Go, Rust, Java and C# have the gates of their own tool [K6]', () => {
  expect(gates({ 'go.mod': 'module x' }, ['.golangci.yml'])).toMatchObject({
    tests: 'go test ./... (0.85)',
    lint: 'golangci-lint run (0.9)',
  });
  expect(gates({ 'Cargo.toml': '[workspace]\n' })).toMatchObject({ tests: 'cargo test --workspace (0.85)' });
  expect(gates({ 'pom.xml': '<project/>' }, ['mvnw'])).toMatchObject({ tests: './mvnw -B -q test (0.85)' });
  expect(gates({ 'build.gradle.kts': '' }, ['gradlew'])).toMatchObject({
    build: './gradlew -q assemble (0.85)',
  });
  expect(gates({}, ['App.sln'])).toMatchObject({ tests: 'dotnet test (0.85)' });
});

test('A target of a Makefile or justfile covers the whole repository [K6]', () => {
  const makefile = 'VERSION := 1\n.PHONY: test\ntest lint: deps\n\tgo test\nbuild::\n\ttrue\n';
  expect(gates({ Makefile: makefile, 'go.mod': 'module x' })).toMatchObject({
    tests: 'make test (0.9)',
    lint: 'make lint (0.9)',
  });
  expect(gates({ justfile: 'test *args:\n  cargo test\n', 'Cargo.toml': '' })).toMatchObject({
    tests: 'just test (0.9)',
  });
});

test('Gates are not certain with two languages of which none covers the whole repository [K6]', () => {
  const both = { 'package.json': '{"scripts":{"test":"vitest run"}}', 'go.mod': 'module x' };
  expect(gates(both)).toMatchObject({ tests: 'npm test (0.6)' });
});

test('A broken manifest counts as no manifest', () => {
  expect(gates({ 'package.json': '{"scripts": ' })).toEqual({});
  expect(gates({ 'package.json': '[1]' })).toEqual({});
  expect(gates({ 'package.json': '{"scripts": 5, "bin": null}' })).toEqual({});
});
