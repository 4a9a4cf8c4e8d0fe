// Selects the parts of a git folder that a sandboxed program may see; the others may contain passwords.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isShownWhole } from './git-settings.ts';
import { orElse } from '#base/or-else.ts';

/**
 * Small files and folders of a git folder, without its logs, other checkouts and our own files. Addresses
 * with passwords are in many places: everything not listed here is hidden.
 */
export const shownOfGit: readonly string[] =
  'HEAD packed-refs shallow info refs reftable index ORIG_HEAD'.split(' ');

/** For a sandbox without copies: the real paths to show. `admin` is the part of its own checkout. */
export function shownPathsOfGit(gitDir: string, admin: string | null): string[] {
  const ofOne = (folder: string): string[] => [
    ...[...shownOfGit, 'objects', 'lfs/objects', 'commondir', 'gitdir'].map((name) => join(folder, name)),
    ...['config', 'config.worktree'].map((name) => join(folder, name)).filter(isShownWhole),
    ...shownHooks(folder).map((name) => join(folder, 'hooks', name)),
  ];
  const folders = [gitDir, ...modulesIn(gitDir), ...(admin === null ? [] : [admin])];
  return folders.flatMap(ofOne).filter((path) => existsSync(path));
}

/** Hooks that a commit does not run: they talk to servers. */
const distant =
  /^(pre-push|pre-receive|update|post-receive|post-update|proc-receive|push-to-checkout|sendemail-validate|fsmonitor-watchman|p4-.*|.*\.sample)$/;

/** Names of the hooks that a commit may run. */
export function shownHooks(gitDir: string): string[] {
  return namesIn(join(gitDir, 'hooks')).filter((name) => !distant.test(name));
}

function hiddenHooks(gitDir: string): string[] {
  const folder = join(gitDir, 'hooks');
  return namesIn(folder)
    .filter((name) => distant.test(name))
    .map((name) => join(folder, name));
}

/** Git folders of submodules, recursively. A name may contain slashes. */
export function modulesIn(gitDir: string, depth = 0): string[] {
  if (depth > depthMax) return [];
  return foldersBelow(join(gitDir, 'modules'), depth);
}

const depthMax = 6;

function foldersBelow(folder: string, depth: number): string[] {
  return namesIn(folder, true).flatMap((name) => {
    const path = join(folder, name);
    if (existsSync(join(path, 'config'))) return [path, ...modulesIn(path, depth + 1)];
    return depth > depthMax ? [] : foldersBelow(path, depth + 1);
  });
}

export function hiddenOfModules(module: string): string[] {
  return [...['FETCH_HEAD', 'logs', 'lfs/logs'].map((name) => join(module, name)), ...hiddenHooks(module)];
}

function namesIn(folder: string, isFoldersOnly = false): string[] {
  return orElse(() => readdirSync(folder, { withFileTypes: true }), [])
    .filter((entry) => !isFoldersOnly || entry.isDirectory())
    .map(({ name }) => name);
}
