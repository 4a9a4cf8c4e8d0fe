// Manifests of JavaScript, Python, Rust and Go: what in them decides checks, and where their packages come from. Pure.
import { pick, readJson, recordOf } from './json-text.ts';
import type { Sections } from './sections.ts';
import { tableKeys, tableSections } from './table-sections.ts';
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
  if (manifest === null) return new Map([['unreadable', text]]);
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
  const members: unknown = recordOf(workspaces)?.['packages'] ?? workspaces;
  for (const pattern of Array.isArray(members) ? (members as unknown[]) : [])
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

const hatchCommands = /^tool\.hatch\.envs\..*\b(scripts|env-vars|(pre|post)-install-commands)\b/;

export function pythonSections(text: string): Sections {
  const places = new Map<string, string>();
  for (const [path, value] of tableKeys(text)) {
    const name = /^tool\.(?:uv\.sources|poetry\.(?:.*\.)?(?:dev-)?dependencies)\.([^.]+)/.exec(path)?.[1];
    if (name !== undefined) addPlace(places, name, path, value);
    if (hatchCommands.test(path)) places.set(path, value);
  }
  for (const [, name = '', place = ''] of text.matchAll(/["']([\w.-]+)\s*(?:\[[^\]]*\])?\s*@\s*([^"';\s]+)/g))
    places.set(`place.${name}`, place);
  return new Map([...tableSections(text, pythonPrefixes, 'toml'), ...places]);
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
];

export function cargoSections(text: string): Sections {
  const places = new Map<string, string>();
  for (const [path, value] of tableKeys(text)) {
    const name = /(?:^|\.)(?:dev-|build-)?dependencies\.([^.]+)/.exec(path)?.[1];
    if (name !== undefined) addPlace(places, name, path, value);
    const list = /^workspace\.(members|exclude)$/.exec(path)?.[1];
    const patterns = list === undefined ? [] : (value.match(/(?<=["'])[^"',\s]+(?=["'])/g) ?? []);
    for (const pattern of patterns) places.set(`${list ?? ''}.${pattern}`, '');
  }
  return new Map([...tableSections(text, cargoPrefixes, 'toml'), ...places]);
}

/** `x = { path = "y" }`, and `path = "y"` in a table of x: taken from elsewhere than a registry. */
function addPlace(places: Map<string, string>, name: string, path: string, value: string): void {
  const kinds = 'path|git|url|package|registry|index|workspace|branch|rev|tag';
  const own = new RegExp(String.raw`\.(${kinds})$`).exec(path);
  const inside = [...value.matchAll(new RegExp(String.raw`\b(${kinds})\s*=\s*("[^"]*"|'[^']*'|true)`, 'g'))];
  const found = own === null ? inside.map(([, kind, of]) => `${kind} = ${of}`) : [`${own[1]} = ${value}`];
  // What the manifest of the workspace says, where it is read.
  const said = found.filter((each) => !each.startsWith('workspace = true'));
  const section = `place.${name}`;
  if (said.length > 0) places.set(section, [places.get(section) ?? [], said].flat().toSorted().join('\n'));
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
  const found = text.matchAll(new RegExp(String.raw`^${word}\s*(?:\(([\s\S]*?)^\s*\)|\s(.*))$`, 'gm'));
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
  const lines = text.split('\n').map((line) => line.replace(/(^|\s)#.*$/, '').trim());
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
  if (manifest === null) return new Map([['unreadable', text]]);
  const sections = pick(manifest, ['repositories', 'replace', 'provide']);
  const scripts = recordOf(manifest['scripts']) ?? {};
  for (const [name, script] of pick(scripts, Object.keys(scripts))) sections.set(`command.${name}`, script);
  return sections;
}

/** Ruby: gems from elsewhere than the usual source. */
export function gemSections(text: string): Sections {
  const sections = new Map<string, string>();
  const lines = text.replace(/^\s*#.*$/gm, '').replace(/,\s*\n\s*/g, ', ');
  for (const [line, name = ''] of lines.matchAll(/^\s*gem[\s(]+["']([\w.-]+)["'].*$/gm)) {
    const place = line.match(/\b(path|git|github|gist|source|branch|ref|tag)(:|\s*=>)\s*["'][^"']*["']/g);
    if (place !== null) sections.set(`place.${name}`, place.toSorted().join('\n'));
  }
  const around = [...lines.matchAll(/^\s*(?:source|path|git|eval_gemfile|instance_eval)\b.*$/gm)];
  if (around.length > 0) sections.set('sources', around.map(([line]) => line.trim()).join('\n'));
  return sections;
}
