// Finds the kind of a `checks` entry by its keys, and its problems. Pure.
import { posix } from 'node:path';
import type { CheckTable } from './check-schema.ts';

const common = ['id', 'when', 'required'];
const running = ['cwd', 'timeout', 'parallel'] as const;

/** The key that names the kind, and the keys that may accompany it. */
const kinds = {
  run: ['gate', ...running],
  file: ['exists', 'contains', 'json', 'equals'],
  symbol: ['what', 'in'],
  url: ['status', 'contains', 'serve', ...running],
  page: ['selector', 'text', 'serve', ...running],
  script: ['serve', ...running],
} as const satisfies { readonly [key: string]: readonly (keyof CheckTable)[] };

export type CheckKey = keyof typeof kinds;

const names = Object.keys(kinds) as CheckKey[];

export function keyOf(table: CheckTable): CheckKey | null {
  const present = names.filter((name) => table[name] !== undefined);
  return present.length === 1 ? (present[0] ?? null) : null;
}

/** The end of a sentence, such as "has both run and file"; null if there is no problem. */
export function problemOf(table: CheckTable): string | null {
  const present = names.filter((name) => table[name] !== undefined);
  const [key, other] = present;
  if (key === undefined) return `needs one of ${names.join(', ')}`;
  if (other !== undefined) return `has both ${key} and ${other}; make two checks of it`;
  const fitting: readonly string[] = [...common, key, ...kinds[key]];
  const stray = Object.entries(table).find(([name, value]) => value !== undefined && !fitting.includes(name));
  if (stray !== undefined) return `has ${stray[0]}, which does not go with ${key}`;
  return emptyProblem(table, key) ?? pathProblem(table) ?? kindProblem(table, key);
}

function emptyProblem(table: CheckTable, key: CheckKey): string | null {
  return table[key]?.trim() === '' ? (key === 'run' ? 'is an empty command' : `has an empty ${key}`) : null;
}

function pathProblem({ cwd, file, in: within, script }: CheckTable): string | null {
  const outside = [cwd, file, within, script].find((path) => path !== undefined && !isInside(path));
  return outside === undefined
    ? null
    : `has the path "${outside}", which is not inside the run's own checkout; give one below the folder where the run is started`;
}

function kindProblem(table: CheckTable, key: CheckKey): string | null {
  if (key === 'file') return fileProblem(table);
  if (key === 'page')
    return (
      addressProblem(table.page, table.serve) ?? (table.selector === undefined ? 'needs a selector' : null)
    );
  return key === 'url' ? addressProblem(table.url, table.serve) : null;
}

function fileProblem({ exists, contains, json, equals }: CheckTable): string | null {
  const asked = [exists, contains, json].filter((wish) => wish !== undefined);
  if (asked.length > 1) return 'asks for more than one thing of a file; make a check of each';
  return equals !== undefined && json === undefined ? 'has equals without json' : null;
}

function addressProblem(address: string | undefined, serve: string | undefined): string | null {
  if (address === undefined) return null;
  const hasPort = address.includes('{port}');
  if (hasPort && serve === undefined) return 'has {port} in its address, but no serve that would get it';
  const url = URL.parse(address.replaceAll('{port}', '1'));
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isWeb ? null : `has the address "${address}", which does not begin with http:// or https://`;
}

/** Whether a path stays below the folder that it is relative to. */
export function isInside(path: string): boolean {
  const plain = path.replaceAll('\\', '/');
  return !posix.isAbsolute(plain) && !/^[A-Za-z]:/.test(plain) && !plain.split('/').includes('..');
}
