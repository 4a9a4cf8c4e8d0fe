// The folders in which a client keeps its login, as an agent in a sandbox finds them.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { programsIn } from '#adapters/sandbox/programs-in.ts';
import type { ClientNeeds } from '#agents/shared/client-facts.ts';
import type { SandboxRules } from '#ports/sandbox.ts';
import { real } from './real-path.ts';

type LoginRules = Pick<SandboxRules, 'readable' | 'writable' | 'own'>;

export interface LoginOrder {
  /** Whether what is missing is made in the home of the user. Not for a command: which client it starts is our guess. */
  readonly isMade: boolean;
  readonly hasStandIns: boolean;
  /** Where a run keeps what its clients keep of their sessions. */
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

/** Databases have files beside them that must be of the same folder; with ours beside the user's own they would break. */
const databases = /\.(db|sqlite\d*)(-\w+)?$/;

/**
 * A folder of the run's own in the place of each login folder, with what is there of the user's: the login can be renewed, what
 * steers the user's own client can be read, and a new file stays in the run's folder.
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
    // What cannot be made at its place cannot be written there by an agent either.
    return makeEmpty(path) && makeEmpty(from) ? [{ path: real(path), from: real(from) }] : [];
  });
}

/** Where there is nothing yet. A name with a dot is a file. */
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

/** A file that is not there could be made by an agent; an empty one that is there can be shut. */
function makeFixed({ writable, fixedFiles, fixedFolders }: ClientNeeds): void {
  try {
    for (const folder of writable) mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const folder of fixedFolders) mkdirSync(folder, { recursive: true });
    for (const { path, empty, mode = 0o644 } of fixedFiles)
      if (!existsSync(path)) writeFileSync(path, empty, { flag: 'wx', mode });
  } catch {
    // A folder that we cannot write is one that an agent cannot write either.
  }
}
