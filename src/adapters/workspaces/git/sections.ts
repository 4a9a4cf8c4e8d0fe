// Parts of a manifest that decide checks. The rest of it is free: honest work adds dependencies and changes versions.
import { cmakeSections } from './cmake-sections.ts';
import { posix } from 'node:path';
import { dotnetSections, gradleSections, mavenSections } from './built-sections.ts';
import { rustSections } from './inline-tests.ts';
import { jsonLock } from './json-locks.ts';
import { lineLock } from './line-locks.ts';
import { type Locked, lockSections } from './lock-sections.ts';
import {
  cargoSections,
  composerSections,
  gemSections,
  goSections,
  packageSections,
  pythonSections,
  requirementSections,
} from './manifest-sections.ts';
import { bazelSections, composeSections, imageSections, presetSections } from './native-sections.ts';
import { bunSections, npmrcSections, yamlSettings } from './packager-sections.ts';
import { tableSections } from './table-sections.ts';
import { commandTables, denoSections, ownTools, targetSections } from './task-sections.ts';
import { typeSections } from './type-sections.ts';

/** Section name to its text in one spelling, so that a reformatted file is the same. */
export type Sections = ReadonlyMap<string, string>;

type Reader = (text: string, name: string) => Sections;

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

const jsonLocks =
  /^(package-lock\.json|npm-shrinkwrap\.json|bun\.lock|composer\.lock|Pipfile\.lock|packages\.lock\.json|deno\.lock)$/;
const lineLocks = /^(pnpm-lock\.yaml|yarn\.lock|Cargo\.lock|(uv|poetry|pdm)\.lock|go\.sum|Gemfile\.lock)$/;

const readers: readonly (readonly [RegExp, Reader])[] = [
  [/^package\.json$/, packageSections],
  [jsonLocks, (text, name) => locked(jsonLock(name, text), text)],
  [lineLocks, (text, name) => locked(lineLock(name, text), text)],
  [/^([\w.-]+[.-])?[jt]sconfig[\w.-]*\.json$/, typeSections],
  [/^pyproject\.toml$/, pythonSections],
  [/^Cargo\.toml$/, cargoSections],
  [/^setup\.cfg$/, (text) => tableSections(text, cfgPrefixes, 'ini')],
  [/^[\w.-]*requirements[\w.-]*\.(txt|in)$/, requirementSections],
  [/^go\.(mod|work)$/, goSections],
  [/^\.(npmrc|yarnrc)$/, npmrcSections],
  [/^(\.yarnrc\.yml|pnpm-workspace\.yaml)$/, yamlSettings],
  [/^bunfig\.toml$/, bunSections],
  [/^pom\.xml$/, mavenSections],
  [/\.gradle(\.kts)?$/, gradleSections],
  [/(\.(cs|fs|vb)proj|^Directory\.\w+\.(props|targets))$/, dotnetSections],
  [/^composer\.json$/, composerSections],
  [/^Gemfile$/, gemSections],
  [/^deno\.jsonc?$/, denoSections],
  [/^(project|nx|angular|turbo)\.json$/, targetSections],
  [/^(Pipfile|hatch\.toml|pixi\.toml|\.?mise\.toml)$/, commandTables],
  [/^(rust-toolchain(\.toml)?|\.tool-versions)$/, ownTools],
  [/^(CMakeLists\.txt|[\w.-]+\.cmake)$/, cmakeSections],
  [/^CMake(User)?Presets\.json$/, presetSections],
  [/^BUILD(\.bazel)?$/, bazelSections],
  [/^((Docker|Container)file([.-][\w.-]+)?|[\w.-]+\.Dockerfile)$/, imageSections],
  [/^(docker-)?compose([.-][\w.-]+)?\.ya?ml$/, composeSections],
  [/^\.gitattributes$/, attributeSections],
  [/\.rs$/, rustSections],
];

export function hasSections(path: string): boolean {
  return readers.some(([name]) => name.test(posix.basename(path)));
}

export function isLockFile(path: string): boolean {
  const name = posix.basename(path);
  return jsonLocks.test(name) || lineLocks.test(name);
}

/** Contract: a text that cannot be read has one section, itself; so a broken manifest is never an unchanged one. */
export function sectionsOf(path: string, text: string): Sections {
  if (text === '') return new Map();
  const name = posix.basename(path);
  const reader = readers.find(([pattern]) => pattern.test(name))?.[1];
  return reader === undefined ? new Map() : reader(text, name);
}

function locked(packages: readonly Locked[] | null, text: string): Sections {
  return packages === null ? new Map([['unreadable', text]]) : lockSections(packages);
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
