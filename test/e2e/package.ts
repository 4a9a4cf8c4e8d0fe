// Starts the installed program as a user does: its bin, found by the system, under a Node that it supports.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { journalsIn, onSilence, sizeOf } from '../support/silence.ts';
import { send } from './processes.ts';

export interface StartOptions {
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  /** Where its output is kept, as files: an unread pipe would slow it down. */
  readonly outputDir: string;
  /** A process group of its own, as a terminal gives to the command in front. */
  readonly isGroup?: boolean;
  /** What stands before the program, such as `unshare`. */
  readonly wrapper?: readonly string[];
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<Finished>;
  stdout(): string;
  stderr(): string;
}

let started = 0;

export function bin(): string {
  return join(inject('packagePrefix'), 'bin', 'untildone');
}

/** Where the files of the package were installed. */
export function packageFolder(): string {
  return join(inject('packagePrefix'), 'lib', 'node_modules', 'untildone');
}

/** Node 24 first, as on a machine that has it. */
export function pathWithNode(): string {
  return `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
}

export function start(args: readonly string[], options: StartOptions): Running {
  const [file = '', ...rest] = [...(options.wrapper ?? []), bin(), ...args];
  return startProgram(file, rest, options);
}

export function startProgram(file: string, args: readonly string[], options: StartOptions): Running {
  started += 1;
  mkdirSync(options.outputDir, { recursive: true });
  const files = ['out', 'err'].map((name) => join(options.outputDir, `${started}.${name}`));
  const [out = '', err = ''] = files;
  const [outFd, errFd] = [openSync(out, 'w'), openSync(err, 'w')];
  const { cwd, env, isGroup = false } = options;
  const child = spawn(file, args, { cwd, env, detached: isGroup, stdio: ['ignore', outFd, errFd] });
  closeSync(outFd);
  closeSync(errFd);
  const stdout = (): string => readOutput(out);
  const stderr = (): string => readOutput(err);
  const ended = new Promise<Finished>((resolve, reject) => {
    // Neither printed nor recorded anything for minutes: it is stuck.
    const stop = onSilence(
      () => sizeOf([out, err, ...journalsIn(env['XDG_STATE_HOME'] ?? '')]),
      () => {
        if (child.pid !== undefined) send(child.pid, 'SIGKILL');
        reject(new Error(`\`${args.join(' ')}\` stands still:\n${stdout()}\n${stderr()}`));
      },
    );
    child.once('error', (error) => {
      stop();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      stop();
      resolve({ code, signal, stdout: stdout(), stderr: stderr() });
    });
  });
  // A failure reaches the caller that awaits it; until then it must not crash the test.
  ended.catch(() => {});
  if (child.pid === undefined) throw new Error(`${file} could not be started`);
  return { pid: child.pid, ended, stdout, stderr };
}

/** A scenario that failed is tidied up while its programs still end. */
function readOutput(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
