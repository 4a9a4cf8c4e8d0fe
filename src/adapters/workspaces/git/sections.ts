// Parts of a manifest that decide checks. The rest of it is free: honest work adds dependencies and changes versions.
import { posix } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { rustSections } from './inline-tests.ts';
import { lockSections } from './lock-sections.ts';

/** Section name to its text in one spelling, so that a reformatted file is the same. */
export type Sections = ReadonlyMap<string, string>;

type Reader = (text: string) => Sections;

const readers: readonly (readonly [RegExp, Reader])[] = [
  [/^package\.json$/, packageSections],
  [/^(package-lock|npm-shrinkwrap)\.json$/, lockSections],
  [/^tsconfig[\w.-]*\.json$/, typeSections],
  [/^(pyproject|Cargo)\.toml$/, (text) => tableSections(text, tomlPrefixes)],
  [/^setup\.cfg$/, (text) => tableSections(text, cfgPrefixes)],
  [/^go\.mod$/, goSections],
  [/^\.gitattributes$/, attributeSections],
  [/\.rs$/, rustSections],
];

export function hasSections(path: string): boolean {
  return readers.some(([name]) => name.test(posix.basename(path)));
}

/** Contract: a text that cannot be read has one section, itself; so a broken manifest is never an unchanged one. */
export function sectionsOf(path: string, text: string): Sections {
  const reader = readers.find(([name]) => name.test(posix.basename(path)))?.[1];
  return reader === undefined ? new Map() : reader(text);
}

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
  'babel',
  'imports',
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

function packageSections(text: string): Sections {
  const manifest = recordOf(readJson(text));
  if (manifest === null) return new Map([['unreadable', text]]);
  const sections = pick(manifest, packageKeys);
  for (const [name, script] of pick(recordOf(manifest['scripts']) ?? {}, installScripts))
    sections.set(`scripts.${name}`, script);
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']) {
    for (const [name, wanted] of Object.entries(recordOf(manifest[kind]) ?? {})) {
      // Not from the registry under its own name: it could be anything, a test runner that always passes too.
      if (
        typeof wanted === 'string' &&
        /^(file|link|portal|npm|git|https?|github|workspace)\b|[/\\]/.test(wanted)
      )
        sections.set(`${kind}.${name}`, wanted);
    }
  }
  return sections;
}

const strictness =
  /^(strict\w*|no(Implicit|Unchecked|Unused|Fallthrough|Property|Strict|UncheckedSide|Emit)\w*|exactOptionalPropertyTypes|allow(Unreachable|UnusedLabels)\w*|useUnknownInCatchVariables|skip\w*Check|checkJs|allowJs|isolatedModules|verbatimModuleSyntax|suppress\w*|alwaysStrict|plugins)$/;

function typeSections(text: string): Sections {
  const config = recordOf(readJson(text));
  if (config === null) return new Map([['unreadable', text]]);
  const options = recordOf(config['compilerOptions']) ?? {};
  const sections = pick(config, ['extends', 'include', 'exclude', 'files']);
  const keys = Object.keys(options).filter((key) => strictness.test(key));
  for (const [key, value] of pick(options, keys)) sections.set(`compilerOptions.${key}`, value);
  return sections;
}

const tomlPrefixes = [
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
  'tool.taskipy',
  'project.entry-points.pytest11',
  'tool.poetry.plugins.pytest11',
  'profile',
  'lints',
  'workspace.lints',
  'patch',
  'replace',
  'test',
  'package.autotests',
  'package.autobins',
  'lib.test',
  'lib.doctest',
  'lib.harness',
];
const cfgPrefixes = [
  'tool:pytest',
  'coverage',
  'flake8',
  'mypy',
  'pylint',
  'isort',
  'pycodestyle',
  'aliases',
];

/** TOML and INI alike, line by line: `[a.b]` and `c = x` are `a.b.c`, in whatever way the tables are written. */
function tableSections(text: string, prefixes: readonly string[]): Sections {
  const sections = new Map<string, string>();
  let table = '';
  let section: string | null = null;
  const add = (name: string, line: string): void => {
    sections.set(name, `${sections.get(name) ?? ''}${line}\n`);
  };
  for (const raw of text.split('\n')) {
    const line = raw.replace(/^\s*[#;].*$/, '').trimEnd();
    if (line.trim() === '') continue;
    const header = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line)?.[1];
    if (header !== undefined) {
      table = dotted(header);
      section = prefixOf(table, '', prefixes);
      if (section !== null) add(section, `[${table}]`);
      continue;
    }
    const key = /^((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*[=:]\s*(.*)$/.exec(
      line,
    );
    const value = key?.[2] ?? line.trim();
    if (key !== null) section = prefixOf(join(table, dotted(key[1] ?? '')), value, prefixes);
    if (section !== null)
      add(section, key === null ? value : `${join(table, dotted(key[1] ?? ''))} = ${value}`);
  }
  return sections;
}

function dotted(name: string): string {
  return name
    .split('.')
    .map((part) => part.trim().replace(/^["']|["']$/g, ''))
    .join('.');
}

function join(table: string, key: string): string {
  return table === '' ? key : `${table}.${key}`;
}

/** A table above a pinned one counts when its value is written in place: `tool = { pytest = … }`. */
function prefixOf(path: string, value: string, prefixes: readonly string[]): string | null {
  const own = prefixes.find(
    (prefix) => path === prefix || (/^[.:]/.test(path.slice(prefix.length)) && path.startsWith(prefix)),
  );
  if (own !== undefined) return own;
  const isAbove =
    value.trimStart().startsWith('{') && prefixes.some((prefix) => prefix.startsWith(`${path}.`));
  return isAbove ? path : null;
}

function goSections(text: string): Sections {
  const lines = [...text.matchAll(/^replace\s+(?:\(([\s\S]*?)^\)|(.*))$/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  const all = lines
    .join('\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return all.length === 0 ? new Map() : new Map([['replace', all.toSorted().join('\n')]]);
}

/** What a checkout makes of a file's contents; large files are fetched by a filter that everybody has. */
function attributeSections(text: string): Sections {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) =>
      /\s(filter=(?!lfs\b)|working-tree-encoding=|ident\b|merge=(?!lfs\b|union\b|ours\b|binary\b))/.test(
        line,
      ),
    );
  return lines.length === 0 ? new Map() : new Map([['filters', lines.join('\n')]]);
}

function pick(from: Readonly<Record<string, unknown>>, keys: readonly string[]): Map<string, string> {
  const found = keys.filter((key) => Object.hasOwn(from, key));
  return new Map(found.map((key) => [key, JSON.stringify(sorted(from[key]))]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  const record = recordOf(value);
  if (record === null) return value;
  return Object.fromEntries(
    Object.keys(record)
      .toSorted()
      .map((key) => [key, sorted(record[key])]),
  );
}

function readJson(text: string): unknown {
  return parseJsonc(text, [], { allowTrailingComma: true });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}
