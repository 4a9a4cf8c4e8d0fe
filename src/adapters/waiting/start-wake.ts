// Starts the driver of a run that is due, as a process that outlives this one.
import { spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { appendOnly } from '#adapters/files/files.ts';

export interface WakeOrder {
  /** The program and its leading words: `node`, `untildone.js`. */
  readonly program: readonly [string, ...string[]];
  readonly args: readonly string[];
  /** The repository's root. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Its output is appended here; null drops it. */
  readonly log: string | null;
}

export interface Woken {
  readonly pid: number | null;
  /** Exit code; null if a signal ended it or it could not start. */
  readonly ended: Promise<number | null>;
  /** Lets this process end before it. */
  unref(): void;
}

const logBytesMax = 1 << 20;

/** Contract: a separate session: neither a kill of this process nor Ctrl-C reaches it. Never throws. */
export function startWake({ program: [file, ...before], args, cwd, env, log }: WakeOrder): Woken {
  const output = log === null ? null : openLog(log);
  try {
    const child = spawn(file, [...before, ...args], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', output ?? 'ignore', output ?? 'ignore'],
    });
    const ended = new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null));
      child.once('exit', (code) => resolve(code));
    });
    return { pid: child.pid ?? null, ended, unref: () => child.unref() };
  } finally {
    if (output !== null) closeSync(output);
  }
}

/** A full disk or a missing repository costs the log. */
function openLog(log: string): number | null {
  try {
    mkdirSync(dirname(log), { recursive: true });
    const file = openSync(log, appendOnly, 0o600);
    keepEnd(file, log);
    return file;
  } catch {
    return null;
  }
}

/** Keeps the newer half of a long log. `file` was opened without following a link: only that file is cut. */
function keepEnd(file: number, log: string): void {
  const { size, ino } = fstatSync(file);
  if (size <= logBytesMax) return;
  const reader = openSync(log, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    if (fstatSync(reader).ino !== ino) return;
    const end = Buffer.alloc(logBytesMax / 2);
    const read = readSync(reader, end, 0, end.length, size - end.length);
    ftruncateSync(file, 0);
    writeSync(file, end, 0, read);
  } finally {
    closeSync(reader);
  }
}
