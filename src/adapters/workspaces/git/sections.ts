// Parts of a manifest that decide checks. The rest of it is free: honest work adds dependencies and changes versions.
import { posix } from 'node:path';
import { dataLock } from './data-locks.ts';
import { rustSections } from './inline-tests.ts';
import { jsonLock } from './json-locks.ts';
import { unreadable } from './json-text.ts';
import { lineLock } from './line-locks.ts';
import { type Locked, lockSections } from './lock-sections.ts';
import {
  cargoSections,
  composerSections,
  goSections,
  packageSections,
  pythonSections,
  requirementSections,
} from './manifest-sections.ts';
import { composeSections, presetSections } from './native-sections.ts';
import { bunSections, npmrcSections, yamlSettings } from './packager-sections.ts';
import { commandTables, denoSections, ownTools, targetSections } from './task-sections.ts';
import { typeSections } from './type-sections.ts';

/** Section name to its text in one spelling, so that a reformatted file is the same. */
export type Sections = ReadonlyMap<string, string>;

type Reader = (text: string, name: string) => Sections;

const jsonLocks =
  /^(package-lock\.json|npm-shrinkwrap\.json|bun\.lock|composer\.lock|Pipfile\.lock|packages\.lock\.json|deno\.lock)$/;
const lineLocks = /^(go\.sum|Gemfile\.lock)$/;
const dataLocks = /^(pnpm-lock\.yaml|Cargo\.lock|(uv|poetry|pdm)\.lock)$/;

const readers: readonly (readonly [RegExp, Reader])[] = [
  [/^package\.json$/, packageSections],
  [jsonLocks, (text, name) => locked(jsonLock(name, text), text)],
  [lineLocks, (text, name) => locked(lineLock(name, text), text)],
  [dataLocks, (text, name) => locked(dataLock(name, text), text)],
  [/^yarn\.lock$/, yarnSections],
  [/^([\w.-]+[.-])?[jt]sconfig[\w.-]*\.json$/, typeSections],
  [/^pyproject\.toml$/, pythonSections],
  [/^Cargo\.toml$/, cargoSections],
  [/^[\w.-]*requirements[\w.-]*\.(txt|in)$/, requirementSections],
  [/^go\.(mod|work)$/, goSections],
  [/^\.(npmrc|yarnrc)$/, npmrcSections],
  [/^(\.yarnrc\.yml|pnpm-workspace\.yaml)$/, yamlSettings],
  [/^bunfig\.toml$/, bunSections],
  [/^composer\.json$/, composerSections],
  [/^deno\.jsonc?$/, denoSections],
  [/^(project|nx|angular|turbo)\.json$/, targetSections],
  [/^(Pipfile|hatch\.toml|pixi\.toml|\.?mise\.toml)$/, commandTables],
  [/^(rust-toolchain(\.toml)?|\.tool-versions)$/, ownTools],
  [/^CMake(User)?Presets\.json$/, presetSections],
  [/^(docker-)?compose([.-][\w.-]+)?\.ya?ml$/, composeSections],
  [/\.rs$/, rustSections],
];

export function hasSections(path: string): boolean {
  return readers.some(([name]) => name.test(posix.basename(path)));
}

/** Contract: a text that cannot be read has one section, itself; so a broken manifest is never an unchanged one. */
export function sectionsOf(path: string, text: string): Sections {
  if (text === '') return new Map();
  const name = posix.basename(path);
  const reader = readers.find(([pattern]) => pattern.test(name))?.[1];
  return reader === undefined ? new Map() : reader(text, name);
}

/** yarn took a format of its own first, and YAML later; the first line says which. */
function yarnSections(text: string, name: string): Sections {
  const isClassic = /^# yarn lockfile v1/m.test(text);
  return locked(isClassic ? lineLock(name, text) : dataLock(name, text), text);
}

function locked(packages: readonly Locked[] | null, text: string): Sections {
  return packages === null ? unreadable(text) : lockSections(packages);
}
