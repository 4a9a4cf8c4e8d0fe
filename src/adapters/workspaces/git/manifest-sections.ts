// Manifests of JavaScript, Python, Rust and Go: what in them decides checks, and where their packages come from. Pure.
import { listOf, spell, valueAt } from '#analysis/texts/plain.ts';
import { readToml } from '#analysis/texts/toml.ts';
import { type Json, pick, pickPaths, readJson, recordOf, unreadable } from './json-text.ts';
import type { Sections } from './sections.ts';
import { judgingCommands } from './task-sections.ts';

const packageKeys = [
  'jest',
  'vitest',
  'mocha',
  'ava',
  'tap',
  'c8',
  'nyc',
  'eslintConfig',
  'eslintIgnore',
  'prettier',
  'xo',
  'standard',
  'stylelint',
  'lint-staged',
  'simple-git-hooks',
  'husky',
  'babel',
  'overrides',
  'resolutions',
  'pnpm',
];

/** Run by the setup of a clean checkout, where they could put anything in the place of what was installed. */
const installScripts = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
];

const elsewhere = /^(file|link|portal|npm|git|https?|github|workspace|patch)\b|[/\\]/;

/** `main`, `exports` and `type` are free: what they name is what everybody gets, tests and users alike. */
export function packageSections(text: string): Sections {
  const manifest = recordOf(readJson(text));
  if (manifest === null) return unreadable(text);
  const sections = pick(manifest, packageKeys);
  for (const [name, script] of pick(recordOf(manifest['scripts']) ?? {}, installScripts))
    sections.set(`scripts.${name}`, script);
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']) {
    for (const [name, wanted] of Object.entries(recordOf(manifest[kind]) ?? {})) {
      // Not from the registry under its own name: it could be anything, a test runner that always passes too.
      if (typeof wanted === 'string' && elsewhere.test(wanted)) sections.set(`${kind}.${name}`, wanted);
    }
  }
  for (const [name, command] of judgingCommands(manifest['wireit'], 'wireit.')) sections.set(name, command);
  const { workspaces } = manifest;
  for (const pattern of listOf(recordOf(workspaces)?.['packages'] ?? workspaces))
    sections.set(`members.${String(pattern)}`, '');
  for (const [alias, target] of Object.entries(recordOf(manifest['imports']) ?? {}))
    sections.set(`imports.${alias}`, JSON.stringify(target));
  for (const condition of conditionsOf(manifest['exports']))
    sections.set(`exports.${condition}`, 'tests only');
  return sections;
}

/** What a package shows to tests, or to a runner, and to nobody else. */
function conditionsOf(exports: unknown): Set<string> {
  const found = JSON.stringify(exports ?? {}).match(
    /"(test|tests|testing|jest|vitest|mocha|spec|development)":/g,
  );
  return new Set((found ?? []).map((each) => each.slice(1, -2)));
}

const pythonPrefixes = [
  'tool.pytest',
  'tool.coverage',
  'tool.ruff',
  'tool.mypy',
  'tool.pyright',
  'tool.basedpyright',
  'tool.pylint',
  'tool.flake8',
  'tool.isort',
  'tool.black',
  'tool.tox',
  'tool.nox',
  'tool.bandit',
  'tool.poe',
  'tool.pdm.scripts',
  'tool.pdm.source',
  'tool.taskipy',
  'tool.uv.index',
  'tool.uv.override-dependencies',
  'tool.uv.find-links',
  'tool.poetry.source',
  'project.entry-points.pytest11',
  'tool.poetry.plugins.pytest11',
];

export function pythonSections(text: string): Sections {
  const manifest = readToml(text);
  if (manifest === null) return unreadable(text);
  const poetry = recordOf(valueAt(manifest, 'tool.poetry')) ?? {};
  const groups = [poetry, ...Object.values(recordOf(poetry['group']) ?? {})];
  const places = placesOf([valueAt(manifest, 'tool.uv.sources'), ...groups.flatMap(dependenciesOf)]);
  for (const each of textsIn(manifest)) {
    const [, name = '', place] = /^([\w.-]+)\s*(?:\[[^\]]*\])?\s*@\s*([^;\s]+)/.exec(each) ?? [];
    if (place !== undefined) places.set(`place.${name}`, place);
  }
  return new Map([...pickPaths(manifest, pythonPrefixes), ...hatchSections(manifest), ...places]);
}

/** What hatch starts in its environments; what it installs there is free. */
function hatchSections(manifest: Json): [string, string][] {
  const environments = Object.entries(recordOf(valueAt(manifest, 'tool.hatch.envs')) ?? {});
  const keys = ['scripts', 'env-vars', 'pre-install-commands', 'post-install-commands', 'overrides'];
  return environments.flatMap(([name, environment]) =>
    [...pick(recordOf(environment) ?? {}, keys)].map(([key, value]): [string, string] => [
      `tool.hatch.envs.${name}.${key}`,
      value,
    ]),
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const cargoPrefixes = [
  'profile',
  'lints',
  'workspace.lints',
  'patch',
  'replace',
  'test',
  'workspace.default-members',
  'package.autotests',
  'package.autobins',
  'lib.test',
  'lib.doctest',
  'lib.harness',
  'lib.path',
];

/** `bin.X` for where a program that tests may start is taken from. */
export function cargoSections(text: string): Sections {
  const manifest = readToml(text);
  if (manifest === null) return unreadable(text);
  const workspace = recordOf(manifest['workspace']) ?? {};
  const targets = Object.values(recordOf(manifest['target']) ?? {});
  const sections = placesOf([manifest, workspace, ...targets].flatMap(dependenciesOf));
  for (const list of ['members', 'exclude'])
    for (const pattern of listOf(workspace[list])) sections.set(`${list}.${String(pattern)}`, '');
  for (const each of listOf(manifest['bin'])) {
    const program = recordOf(each) ?? {};
    sections.set(`bin.${String(program['name'])}`, spell(program['path']));
  }
  return new Map([...pickPaths(manifest, cargoPrefixes), ...sections]);
}

function dependenciesOf(table: unknown): unknown[] {
  const lists = Object.entries(recordOf(table) ?? {});
  return lists.filter(([key]) => /^(?:dev[-_]|build[-_])?dependencies$/.test(key)).map(([, list]) => list);
}

const placeKeys = 'path git url package registry index workspace branch rev tag'.split(' ');

/** `place.X` for what is taken from elsewhere than a registry: `x = { path = "y" }`. */
function placesOf(lists: readonly unknown[]): Map<string, string> {
  const places = new Map<string, string>();
  for (const [name, entry] of lists.flatMap((list) => Object.entries(recordOf(list) ?? {}))) {
    const said = (Array.isArray(entry) ? entry : [entry]).flatMap((each) =>
      [...pick(recordOf(each) ?? {}, placeKeys)].map(([key, value]) => `${key} = ${value}`),
    );
    // What the manifest of the workspace says is pinned there.
    const own = said.filter((each) => each !== 'workspace = true');
    const section = `place.${name}`;
    if (own.length > 0) places.set(section, [places.get(section) ?? [], own].flat().toSorted().join('\n'));
  }
  return places;
}

/** A `replace` of each module; and which modules make up a workspace. */
export function goSections(text: string): Sections {
  const sections = new Map<string, string>();
  for (const line of directives(text, 'replace')) {
    const [from = '', to = ''] = line.split('=>').map((part) => part.trim());
    sections.set(`place.${from.split(/\s/)[0] ?? ''}`, `${from} => ${to}`);
  }
  for (const folder of directives(text, 'use')) sections.set(`use.${folder}`, '');
  return sections;
}

function directives(text: string, word: string): string[] {
  const found = text.matchAll(new RegExp(String.raw`^[ \t]*${word}\s*(?:\(([\s\S]*?)^\s*\)|\s(.*))$`, 'gm'));
  return [...found]
    .flatMap(([, many, one]) => (many ?? one ?? '').split('\n'))
    .map((line) =>
      line
        .replace(/\/\/.*$/, '')
        .replace(/["`]/g, '')
        .trim(),
    )
    .filter((line) => line !== '');
}

/** Python's oldest list: names with a place of their own, and other indexes than the usual one. */
export function requirementSections(text: string): Sections {
  const sections = new Map<string, string>();
  const whole = text.replace(/\\\r?\n/g, '');
  const lines = whole.split('\n').map((line) => line.replace(/(^|\s)#.*$/, '').trim());
  for (const line of lines) {
    const [, name, place] = /^([\w.-]+)\s*(?:\[[^\]]*\])?\s*@\s*(\S+)/.exec(line) ?? [];
    if (name !== undefined && place !== undefined) sections.set(`place.${name}`, place);
    const egg = /[#&]egg=([\w.-]+)/.exec(line)?.[1];
    if (egg !== undefined) sections.set(`place.${egg}`, line);
  }
  const index = lines.filter((line) =>
    /^(-i|-f|--(index-url|extra-index-url|find-links|trusted-host|no-index))\b/.test(line),
  );
  if (index.length > 0) sections.set('index', index.toSorted().join('\n'));
  return sections;
}

/** PHP: `command.X` for scripts, of which more may come; composer itself starts those that begin with `pre-` or `post-`. */
export function composerSections(text: string): Sections {
  const manifest = recordOf(readJson(text));
  if (manifest === null) return unreadable(text);
  const sections = pick(manifest, ['repositories', 'replace', 'provide']);
  const scripts = recordOf(manifest['scripts']) ?? {};
  for (const [name, script] of pick(scripts, Object.keys(scripts))) sections.set(`command.${name}`, script);
  return sections;
}
