// Describes the environment of a verdict as far as it is cheap: variables, system and folders of PATH.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { release } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import { orElse } from '#base/or-else.ts';

/** These variables change from start to start and affect no verdict. */
const restless = new Set(['PWD', 'OLDPWD', 'SHLVL', '_', 'TERM', 'COLORTERM', 'DBUS_SESSION_BUS_ADDRESS']);

/**
 * Contract: differs if a variable, the system or Node differs, or a program in a folder of PATH came, went or
 * was replaced. Misses a program rewritten in place and files elsewhere. Holds no value in the clear.
 */
export function describeEnvironment(env: { readonly [name: string]: string }): string {
  const system = [process.platform, process.arch, release(), process.version];
  return hashOf([system, variablesOf(env), folders(env['PATH'] ?? '')], 16);
}

/**
 * The same in parts, to name a difference: one digest for each variable, the system, Node and programs.
 * Contract: holds no value. Digests are short and bound to their names: equal values do not show.
 */
export function digestEnvironment(env: { readonly [name: string]: string }): {
  readonly [name: string]: string;
} {
  const parts: readonly (readonly [string, unknown])[] = [
    ...variablesOf(env),
    ['the operating system', [process.platform, process.arch, release()]],
    ['the version of Node', process.version],
    ['programs in the folders of PATH', folders(env['PATH'] ?? '')],
  ];
  return Object.fromEntries(parts.map((part) => [part[0], hashOf(part, 8)]));
}

function variablesOf(env: { readonly [name: string]: string }): [string, string][] {
  return Object.entries(env)
    .filter(([name]) => !restless.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function hashOf(value: unknown, length: number): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, length);
}

function folders(path: string): (string | null)[] {
  return path.split(delimiter).map((folder) => {
    const found = isAbsolute(folder) ? orElse(() => statSync(folder), null) : null;
    return found === null ? null : `${found.ino} ${found.mtimeMs}`;
  });
}
