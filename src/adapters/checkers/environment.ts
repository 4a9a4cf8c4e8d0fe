// What a verdict depends on beside the files, as far as it can be told cheaply: the variables, the system, and the folders in which programs are found.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { release } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';

/** These change by themselves from start to start and steer nothing. */
const restless = new Set(['PWD', 'OLDPWD', 'SHLVL', '_', 'TERM', 'COLORTERM', 'DBUS_SESSION_BUS_ADDRESS']);

/**
 * Contract: differs where a variable, the system or Node does, or where a program came, went or was replaced in a folder of the
 * PATH. A program that was rewritten in its place, and what lies elsewhere on the machine, is not seen. Holds no value in the clear.
 */
export function describeEnvironment(env: { readonly [name: string]: string }): string {
  const variables = Object.entries(env)
    .filter(([name]) => !restless.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const system = [process.platform, process.arch, release(), process.version];
  return createHash('sha256')
    .update(JSON.stringify([system, variables, folders(env['PATH'] ?? '')]))
    .digest('hex')
    .slice(0, 16);
}

function folders(path: string): (string | null)[] {
  return path.split(delimiter).map((folder) => {
    if (!isAbsolute(folder)) return null;
    try {
      const { ino, mtimeMs } = statSync(folder);
      return `${ino} ${mtimeMs}`;
    } catch {
      return null;
    }
  });
}
