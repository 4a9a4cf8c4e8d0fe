// Runs one program from its start to the death of its process tree. The first recorded cause is its ending.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorCode } from '#base/error-code.ts';
import { errorText } from '#base/error-text.ts';
import type { ProcessEnding } from '#kernel/model/ending.ts';
import type { ProcessSpec, RunningProcess } from '#ports/processes.ts';
import type { WrappedProgram } from '#ports/sandbox.ts';
import type { Confiner } from './confinement.ts';
import { inheritedFiles } from './inherited-files.ts';
import { watchLimits } from './limits.ts';
import { watchNamespace } from './namespace-end.ts';
import { hasProcTable, markVariable, readProcEntry } from './proc-table.ts';
import { endTree, type ProcessTree } from './process-tree.ts';
import { folderProblem, resolveCommand } from './program.ts';
import { pumpOutput } from './pump-output.ts';

/** Time for background processes to end by themselves after the program has exited. */
const leftoverGraceMs = 500;

export function startProcess(spec: ProcessSpec, confiner: Confiner): RunningProcess {
  const command = resolveCommand(spec);
  if ('problem' in command) return notStarted(command.problem);
  // A unique part, so that the end of one program never ends others of the same step.
  const mark = `${spec.mark}/${randomBytes(4).toString('hex')}`;
  const { cwd, env, isServed = false } = spec;
  let wrapped: WrappedProgram | null = null;
  try {
    wrapped = confiner.wrap({ ...command, cwd, env, isServed });
    const child = spawnWith(wrapped, spec.input === null ? 'ignore' : 'pipe', {
      cwd,
      env: { ...wrapped.env, [markVariable]: mark },
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    if (child.pid === undefined) {
      void wrapped.release();
      return failedToStart(child, command.file, cwd);
    }
    return follow(child, child.pid, { spec, mark, wrapped });
  } catch (error) {
    void wrapped?.release();
    return notStarted(startProblem(command.file, cwd, error));
  }
}

function spawnWith(
  { file, args, openFiles = [], isNamespace, keepsFilesAway = false }: WrappedProgram,
  input: 'ignore' | 'pipe',
  options: SpawnOptions,
): ChildProcess {
  const files: number[] = [];
  const open = (path: string): number => {
    const opened = openSync(path, 'r');
    files.push(opened);
    return opened;
  };
  try {
    const info = isNamespace ? ['pipe' as const] : [];
    const own = [input, 'pipe' as const, 'pipe' as const, ...openFiles.map(open), ...info];
    const inherited = keepsFilesAway ? (inheritedFiles() ?? []) : [];
    const cover = inherited.length === 0 ? null : open('/dev/null');
    const count = Math.max(0, (inherited.at(-1) ?? 0) + 1 - own.length);
    // Node leaves a file open at a number for which it is told to ignore it.
    const covers = Array.from({ length: count }, (_, index) =>
      cover !== null && inherited.includes(own.length + index) ? cover : ('ignore' as const),
    );
    return spawn(file, args, { ...options, stdio: [...own, ...covers] });
  } finally {
    for (const one of files) closeSync(one);
  }
}

interface Start {
  readonly spec: ProcessSpec;
  readonly mark: string;
  readonly wrapped: WrappedProgram;
}

function follow(child: ChildProcess, pid: number, { spec, mark, wrapped }: Start): RunningProcess {
  const isWrapped = wrapped.isNamespace;
  const rootStartTime = hasProcTable() ? (readProcEntry(pid)?.startTime ?? null) : null;
  const tree: ProcessTree = { rootPid: pid, rootStartTime, mark, isWrapped };
  const infoFile = 3 + (wrapped.openFiles?.length ?? 0);
  const namespace = isWrapped ? watchNamespace(child.stdio[infoFile] as Readable, pid) : null;
  let cause: ProcessEnding | null = null;
  let ending: Promise<void> | null = null;
  // We did not end a program that has already exited, although Node reports its exit later.
  const hasExited = (): boolean => hasProcTable() && readProcEntry(pid) === null;
  const end = (why: ProcessEnding): void => {
    if (cause !== null || hasExited()) return;
    cause = why;
    ending = endTree(tree, spec.graceMs);
  };
  const cancel = (reason: string): void => end({ kind: 'cancelled', reason });

  let heldBack = 0;
  const limits = watchLimits({
    wallMs: spec.wallMs,
    idleMs: spec.idleMs,
    isBusy: () => heldBack > 0 || (spec.isBusy?.() ?? false),
    onLimit: (limit, afterMs) => end({ kind: 'timed-out', limit, afterMs }),
  });
  const output = pumpOutput(child, spec, {
    onOutput: () => limits.touch(),
    onHeld: (change) => {
      heldBack += change;
    },
    onRefused: (reason) => cancel(`its output could not be taken: ${reason}`),
  });
  feedInput(child, spec);

  const exited = exitOf(child, isWrapped).then(async (exit) => {
    const isMissing = exit.kind === 'exited' && exit.code !== 0 && (await namespace?.wasMade()) === false;
    cause ??= isMissing ? { kind: 'not-started', reason: 'its namespaces could not be made' } : exit;
    limits.stop();
    await output.delivered();
    return cause;
  });
  const ended = exited.then(async (how) => {
    // Reading the process table takes long: callers that wait for the exit act first.
    await nextTurn();
    await ending;
    if ((await namespace?.isGone()) !== true) await endTree(tree, Math.min(spec.graceMs, leftoverGraceMs));
    await output.drained();
    await wrapped.release();
    return how;
  });
  return {
    pid,
    exited,
    ended,
    write: (text) => {
      if (child.stdin?.writable === true) child.stdin.write(text);
    },
    closeInput: () => child.stdin?.end(),
    kill: cancel,
  };
}

function feedInput(child: ChildProcess, spec: ProcessSpec): void {
  // A program that does not read its input closes the pipe, which is no error.
  child.stdin?.on('error', () => {});
  if (typeof spec.input === 'string') child.stdin?.end(spec.input);
}

function exitOf(child: ChildProcess, isWrapped: boolean): Promise<ProcessEnding> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      if (signal !== null) resolve({ kind: 'signalled', signal });
      else if (code === null) resolve({ kind: 'signalled', signal: 'unknown' });
      else resolve(isWrapped ? unwrapped(code) : { kind: 'exited', code });
    });
  });
}

/** The wrapper reports a signal as a shell does: 128 plus its number. */
function unwrapped(code: number): ProcessEnding {
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return name === undefined ? { kind: 'exited', code } : { kind: 'signalled', signal: name };
}

function failedToStart(child: ChildProcess, file: string, cwd: string): RunningProcess {
  const ended = new Promise<ProcessEnding>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'not-started', reason: startProblem(file, cwd, error) }));
  });
  return { ...notStarted(''), exited: ended, ended };
}

function notStarted(reason: string): RunningProcess {
  const ended = Promise.resolve<ProcessEnding>({ kind: 'not-started', reason });
  return {
    pid: null,
    exited: ended,
    ended,
    write: () => {},
    closeInput: () => {},
    kill: () => {},
  };
}

function startProblem(file: string, cwd: string, error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOENT':
      // The system reports a missing folder the same way.
      return folderProblem(cwd) ?? `the program "${file}" was not found`;
    case 'EACCES':
      return `${file} may not be executed`;
    case 'E2BIG':
      return `the arguments of ${file} are longer than the system allows; pass long text by standard input or a file`;
    case 'EAGAIN':
    case 'ENOMEM':
      return `the system would not start another process for ${file}`;
    case 'EMFILE':
    case 'ENFILE':
      return `too many files are open to start ${file}`;
    default:
      return errorText(error);
  }
}
