// Checks that package-lock.json is complete for every platform. npm omits an optional package from the lock
// if the registry does not have it, and then the next `npm ci` fails on every machine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tools.mjs';

// `node` brings its binary by an install script of its own, so its platforms are never in the lock.
const exceptions = new Set(['node']);

/** @typedef {{ optionalDependencies?: Record<string, string>, resolved?: string, link?: boolean }} LockEntry */
/** @typedef {{ packages: Record<string, LockEntry> }} Lock */

/**
 * The problems of a parsed lock file, one sentence each.
 * @param {Lock} lock
 */
export function lockProblems(lock) {
  return Object.entries(lock.packages).flatMap(([path, entry]) => [
    ...missingOptionals(lock, path, entry),
    ...(entry.resolved === undefined || entry.link ? [] : [`${path} names where it came from`]),
  ]);
}

/** @type {(lock: Lock, path: string, entry: LockEntry) => string[]} */
function missingOptionals(lock, path, entry) {
  if (exceptions.has(path.split('node_modules/').at(-1) ?? '')) return [];
  return Object.keys(entry.optionalDependencies ?? {})
    .filter((name) => !isLocked(lock, path, name))
    .map((name) => `${path} may need ${name}, which is not in the lock`);
}

/**
 * Looks for a package as Node would: nested first, then in each folder above.
 * @type {(lock: Lock, path: string, name: string) => boolean}
 */
function isLocked(lock, path, name) {
  const places = path.split('/node_modules/').map((_, index, parts) => {
    const above = parts.slice(0, parts.length - index).join('/node_modules/');
    return `${above}/node_modules/${name}`;
  });
  return [...places, `node_modules/${name}`].some((place) => lock.packages[place] !== undefined);
}

if (import.meta.main) {
  const problems = lockProblems(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error('Pin the newest complete version (package.json, `overrides`), then `npm install`.');
  }
  process.exit(problems.length === 0 ? 0 : 1);
}
