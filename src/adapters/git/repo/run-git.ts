// Runs one git process: marked, limited in time and output, and ended with its parent process.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { diesWithParent } from '#adapters/processes/parent-death.ts';
import { markVariable } from '#adapters/processes/proc-table.ts';
import { sweepMark } from '#adapters/processes/process-tree.ts';
import { OperatorError } from '#base/operator-error.ts';

export interface GitCall {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly input: string;
  readonly limitMs: number;
  readonly bytesMax?: number;
}

export interface GitOutput {
  /** Null when it was killed or exceeded a limit: never a success. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly isTooLong: boolean;
}

// A list of a million paths is smaller; a longer answer is of no use.
const outputBytesMax = 256 * 1024 * 1024;
/** Closes a pipe that a child of git holds after this many quiet ticks. Node reads between ticks: no loss. */
const idlePollsMax = 8;
const pollMs = 250;
/** A process stuck in the kernel cannot be killed and must not block us forever. */
const killMsMax = 5_000;

export function runGit(args: readonly string[], call: GitCall): Promise<GitOutput> {
  const owner = call.env[markVariable];
  const mark = `${owner ?? 'untildone-git'}/${randomBytes(4).toString('hex')}`;
  return new Promise((resolve, reject) => {
    // Only processes of a run can outlive a kill -9: a person's command is quick, and started often.
    const command = owner === undefined ? { file: 'git', args } : diesWithParent('git', args, call.env);
    const child = spawn(command.file, command.args, {
      cwd: call.cwd,
      env: { ...call.env, [markVariable]: mark },
      stdio: 'pipe',
    });
    let problem: string | null = null;
    const stopped = Promise.withResolvers<null>();
    const stop = (why: string): void => {
      if (problem !== null) return;
      problem = why;
      child.kill('SIGKILL');
      sweepMark(mark).catch(() => []);
      setTimeout(() => stopped.resolve(null), killMsMax).unref();
    };
    const output = collect(child, call.bytesMax ?? outputBytesMax, () => stop(tooLong));
    const limit = setTimeout(() => stop(`${overLimit} ${call.limitMs / 1000} s and was ended`), call.limitMs);
    // Git may end before it has read everything; its exit code says why.
    child.stdin.on('error', () => undefined);
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(limit);
      reject(notStarted(error, call.cwd));
    });
    void Promise.race([exitOf(child), stopped.promise]).then(async (code) => {
      clearTimeout(limit);
      // A process that git left ends with its run; one of a person (a kept ssh connection) may stay.
      if (!(await output.drained()) && owner !== undefined) await sweepMark(mark).catch(() => []);
      resolve({
        code: problem === null ? code : null,
        stdout: output.bytes('stdout'),
        stderr: problem ?? (code === null ? endedBySignal : output.bytes('stderr').toString('utf8')),
        isTooLong: problem === tooLong,
      });
    });
    child.stdin.end(call.input);
  });
}

const tooLong = 'fatal: the answer is too long';
/** It was ended because its answer exceeded `bytesMax`. */
export function wasTooLong(stderr: string): boolean {
  return stderr === tooLong;
}

const overLimit = 'fatal: it took longer than';
/** Ended by another process: Ctrl-C reaches the whole terminal, and the OOM killer takes the largest. */
const endedBySignal = 'fatal: it was ended by a signal';

/** For a git that was interrupted and may succeed on a retry; null for one that failed. */
export function cutShort(stderr: string): { readonly how: string; readonly hint: string } | null {
  const how = stderr.replace(/^fatal: it /, '');
  if (stderr === endedBySignal) return { how, hint: 'Start again.' };
  if (!stderr.startsWith(overLimit)) return null;
  return {
    how,
    hint: 'Start again when the machine is less busy. If it happens again, the disk is too slow for this repository.',
  };
}

/** Null for a killed process. Not `close`, which waits for every process that holds a pipe. */
function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', resolve);
  });
}

function collect(child: ChildProcessWithoutNullStreams, bytesMax: number, onTooLong: () => void) {
  const chunks = { stdout: new Array<Buffer>(), stderr: new Array<Buffer>() };
  const bytes = { stdout: 0, stderr: 0 };
  const max = { stdout: bytesMax, stderr: 1024 * 1024 };
  let idlePolls = 0;
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Buffer) => {
      idlePolls = 0;
      bytes[stream] += chunk.length;
      if (bytes[stream] <= max[stream]) chunks[stream].push(chunk);
      else if (stream === 'stdout') onTooLong();
    });
  }
  const closed = new Promise<true>((resolve) => {
    child.once('close', () => resolve(true));
  });
  return {
    bytes: (stream: 'stdout' | 'stderr'): Buffer => Buffer.concat(chunks[stream]),
    /** False when another process still holds a pipe; it is no longer read then. */
    drained: async (): Promise<boolean> => {
      const held = Promise.withResolvers<false>();
      idlePolls = 0;
      const poll = setInterval(() => {
        idlePolls += 1;
        if (idlePolls <= idlePollsMax) return;
        child.stdout.destroy();
        child.stderr.destroy();
        held.resolve(false);
      }, pollMs);
      const isDrained = await Promise.race([closed, held.promise]);
      clearInterval(poll);
      return isDrained;
    },
  };
}

function notStarted(error: NodeJS.ErrnoException, cwd: string): OperatorError {
  if (error.code === 'ENOENT' && isThere(cwd, constants.X_OK)) {
    return new OperatorError(
      'git-missing',
      'The program git was not found.',
      'Install git 2.38 or newer and put it on the PATH.',
    );
  }
  if (error.code === 'ENOENT' && !isThere(cwd, constants.F_OK)) return folderMissing(cwd);
  return new OperatorError(
    'git-failed',
    `git could not be started in ${cwd}: ${error.message}`,
    'Check that the folder exists and can be entered.',
  );
}

/** For a missing folder, the system error names the program instead. */
export function folderMissing(folder: string): OperatorError {
  return new OperatorError(
    'folder-missing',
    `The folder ${folder} does not exist: it was deleted or moved.`,
    'If the repository was moved, continue in its new folder with `untildone resume`; it makes the worktree again.',
  );
}

export function isThere(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
