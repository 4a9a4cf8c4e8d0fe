// Shared parts of the scripts: where the repository is, and how to run one of its tools.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs a Node script under this very Node and tells whether it exited with 0.
 * @type {(args: string[], options?: import('node:child_process').SpawnSyncOptions) => boolean}
 */
export function runNode(args, options = {}) {
  return statusOfNode(args, options) === 0;
}

/**
 * The exit code of a Node script; a script killed by a signal counts as 1.
 * @type {(args: string[], options?: import('node:child_process').SpawnSyncOptions) => number}
 */
export function statusOfNode(args, options = {}) {
  const ended = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', ...options });
  return ended.status ?? 1;
}

/**
 * The file that a package's command starts, e.g. `tool("vitest", "vitest.mjs")`.
 * @type {(name: string, file: string) => string}
 */
export function tool(name, file) {
  return join(root, 'node_modules', ...name.split('/'), ...file.split('/'));
}
