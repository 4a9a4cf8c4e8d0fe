// Shows an agent in a sandbox the folders in which its client keeps its login.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { programsIn } from '#adapters/sandbox/programs-in.ts';
import type { ClientNeeds } from '#agents/shared/client-facts.ts';
import type { SandboxRules } from '#ports/sandbox.ts';
import { real } from './real-path.ts';

type LoginRules = Pick<SandboxRules, 'readable' | 'writable' | 'own'>;

export interface LoginOrder {
  /** Whether missing files are made in the user's home. Not for a command: its client is only a guess. */
  readonly isMade: boolean;
  readonly hasStandIns: boolean;
  /** Where a run stores the session data of its clients. */
  readonly ownDir: string;
}

export function loginFolders(needs: ClientNeeds, { isMade, hasStandIns, ownDir }: LoginOrder): LoginRules {
  if (!isMade && hasStandIns) return standIns(needs, ownDir);
  if (isMade) makeFixed(needs);
  return {
    readable: [...fixedOf(needs), ...ownPrograms(needs)],
    writable: needs.writable,
    own: isMade ? makeOwn(needs, ownDir) : [],
  };
}

/** A database and its side files must be in the same folder; our files beside the user's would break it. */
const databases = /\.(db|sqlite\d*)(-\w+)?$/;

/**
 * Replaces each login folder by a folder of the run that shows the user's files: the login can be renewed,
 * the settings of the user's client can be read, and a new file stays in the run's folder.
 */
function standIns(needs: ClientNeeds, ownDir: string): LoginRules {
  const readable = [...fixedOf(needs), ...ownPrograms(needs)];
  const isWritable = (path: string): boolean =>
    !readable.includes(path) && !needs.own.includes(path) && !databases.test(path);
  return {
    readable,
    writable: needs.writable.flatMap((folder) => entriesOf(folder).filter(isWritable)),
    own: needs.writable.flatMap((path) => {
      const from = join(ownDir, basename(path));
      mkdirSync(from, { recursive: true, mode: 0o700 });
      return [{ path: real(path), from: real(from) }];
    }),
  };
}

function fixedOf({ fixedFiles, fixedFolders }: ClientNeeds): string[] {
  return [...fixedFiles.map(({ path }) => path), ...fixedFolders];
}

function ownPrograms({ writable, own }: ClientNeeds): string[] {
  return writable.flatMap(programsIn).filter((path) => !own.includes(path));
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function makeOwn({ own }: ClientNeeds, ownDir: string): SandboxRules['own'] {
  return own.flatMap((path) => {
    const from = join(ownDir, basename(dirname(path)), basename(path));
    // If we cannot make it there, an agent cannot write it there either.
    return makeEmpty(path) && makeEmpty(from) ? [{ path: real(path), from: real(from) }] : [];
  });
}

/** If nothing exists there. A name with a dot is a file. */
function makeEmpty(path: string): boolean {
  const isFile = extname(path) !== '';
  try {
    mkdirSync(isFile ? dirname(path) : path, { recursive: true, mode: 0o700 });
    if (isFile && !existsSync(path)) writeFileSync(path, '', { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** An agent could create a missing file; an existing empty file can be made read-only. */
function makeFixed({ writable, fixedFiles, fixedFolders }: ClientNeeds): void {
  try {
    for (const folder of writable) mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const folder of fixedFolders) mkdirSync(folder, { recursive: true });
    for (const { path, empty, mode = 0o644 } of fixedFiles)
      if (!existsSync(path)) writeFileSync(path, empty, { flag: 'wx', mode });
  } catch {
    // If we cannot write a folder, an agent cannot either.
  }
}
