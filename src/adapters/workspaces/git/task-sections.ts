// What a task runner starts under the name of a test or a gate: tables of commands in files whose rest is free. Pure.
import { spell, valueAt } from '#analysis/texts/plain.ts';
import { readToml } from '#analysis/texts/toml.ts';
import { type Json, pick, readJson, recordOf, unreadable } from './json-text.ts';
import type { Sections } from './sections.ts';

/** A build may be changed by honest work; what judges it may not. */
const judging = /test|spec|e2e|lint|check|type|verify|valid|coverage|^ci$/i;

/** Of `names` in a record, those that judge; new ones are free. */
export function judgingCommands(names: unknown, prefix = ''): [string, string][] {
  return Object.entries(recordOf(names) ?? {}).flatMap(([name, task]): [string, string][] =>
    judging.test(name) ? [[`command.${prefix}${name}`, JSON.stringify(task)]] : [],
  );
}

/** `deno.json`: tasks, where its imports lead, and what its own runner leaves out. */
export function denoSections(text: string): Sections {
  const settings = recordOf(readJson(text));
  if (settings === null) return unreadable(text);
  const aliases = Object.entries(recordOf(settings['imports']) ?? {});
  return new Map([
    ...pick(settings, ['test', 'lint', 'bench', 'importMap', 'scopes', 'exclude']),
    ...judgingCommands(settings['tasks']),
    ...aliases.map(([alias, target]): [string, string] => [
      `contents.${alias}`,
      withoutVersion(String(target)),
    ]),
  ]);
}

function withoutVersion(place: string): string {
  return place.replace(/(?<=[\w/])@[\^~<>=]*v?\d[\w.+-]*/, '');
}

/** `project.json`, `nx.json`, `angular.json`, `turbo.json`. */
export function targetSections(text: string): Sections {
  const value = readJson(text);
  if (value === undefined) return unreadable(text);
  const settings = recordOf(value) ?? {};
  const projects = Object.entries(recordOf(settings['projects']) ?? {});
  return new Map([
    ...['targets', 'targetDefaults', 'tasks', 'pipeline'].flatMap((key) => judgingCommands(settings[key])),
    ...projects.flatMap(([name, project]) => {
      const parts = recordOf(project) ?? {};
      return judgingCommands(parts['architect'] ?? parts['targets'], `${name}.`);
    }),
  ]);
}

/** `Pipfile`, `hatch.toml`, `pixi.toml`, `mise.toml`: every command, under whatever name. */
export function commandTables(text: string): Sections {
  const manifest = readToml(text);
  if (manifest === null) return unreadable(text);
  const inner = (list: string, of: string): [string, unknown][] =>
    Object.entries(recordOf(manifest[list]) ?? {}).map(([name, each]) => [
      `${list}.${name}.${of}`,
      recordOf(each)?.[of],
    ]);
  const tables: [string, unknown][] = [
    ...['scripts', 'tasks', 'hooks', 'activation'].map((key): [string, unknown] => [key, manifest[key]]),
    ...inner('envs', 'scripts'),
    ...inner('feature', 'tasks'),
  ];
  return new Map(tables.flatMap(([path, table]) => commandsOf(path, recordOf(table) ?? {})));
}

function commandsOf(path: string, table: Json): [string, string][] {
  return [...pick(table, Object.keys(table))].map(([name, value]) => [`command.${path}.${name}`, value]);
}

/** `rust-toolchain.toml`, `.tool-versions`: compilers and runners from a folder instead of a release. */
export function ownTools(text: string, name: string): Sections {
  if (name === '.tool-versions') {
    const lines = text.split('\n').map((line) => line.trim());
    return new Map(lines.filter((line) => /\spath:/.test(line)).map((line) => ['tools', line]));
  }
  // The older form is the name of a release and nothing else.
  if (/^\s*[\w.-]+\s*$/.test(text)) return new Map();
  const manifest = readToml(text);
  if (manifest === null) return unreadable(text);
  const path = valueAt(manifest, 'toolchain.path');
  return path === undefined ? new Map() : new Map([['tools', spell(path)]]);
}
