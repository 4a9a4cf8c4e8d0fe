// Reads the commands that a task runner starts under the name of a test or a gate. Pure.
import { readToml } from '#analysis/texts/toml.ts';
import { type Json, pick, readJson, recordOf, unreadable } from '#analysis/texts/json-text.ts';
import type { Sections } from './section-types.ts';

/** Honest work may change a build, but not the commands that judge it. */
const judging = /test|spec|e2e|lint|check|type|verify|valid|coverage|^ci$/i;

/** The judging commands among `names`; new ones are free. */
export function judgingCommands(names: unknown, prefix = ''): [string, string][] {
  return Object.entries(recordOf(names) ?? {}).flatMap(([name, task]): [string, string][] =>
    judging.test(name) ? [[`command.${prefix}${name}`, JSON.stringify(task)]] : [],
  );
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

/** `Pipfile`, `hatch.toml`, `pixi.toml`, `mise.toml`: every command, under any name. */
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
