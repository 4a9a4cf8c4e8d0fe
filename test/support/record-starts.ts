// Loaded into a Node process of ours with `--import`: records every process that it starts, itself or through a session host.
import { appendFileSync } from 'node:fs';
import childProcess, { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const file = process.env['UNTILDONE_TEST_STARTS'] ?? '';

interface NativeStart {
  readonly file: string;
  args: string[];
}

/** One write for each start, because processes start others at the same time. */
function record(command: readonly string[]): void {
  appendFileSync(file, `${JSON.stringify(command)}\n`);
}

/** The session host is ours too. */
function withRecorder(args: readonly string[]): string[] {
  const isHost = /[/\\]host\.js$/.test(args.at(-1) ?? '');
  const [name = '', ...rest] = args;
  return isHost ? [name, '--import', import.meta.url, ...rest] : [...args];
}

function recordLater(): void {
  const prototype = ChildProcess.prototype as unknown as { spawn: (start: NativeStart) => unknown };
  const spawn = prototype.spawn;
  prototype.spawn = function (this: unknown, start) {
    record([start.file, ...start.args.slice(1)]);
    return spawn.call(this, { ...start, args: withRecorder(start.args) });
  };
}

/** Programs for which a process waits. */
function recordAtOnce(): void {
  for (const name of ['spawnSync', 'execFileSync'] as const) {
    const start = childProcess[name] as (...all: unknown[]) => unknown;
    const recorded = (command: string, ...rest: unknown[]): unknown => {
      record([command, ...(Array.isArray(rest[0]) ? (rest[0] as string[]) : [])]);
      return start(command, ...rest);
    };
    Object.assign(childProcess, { [name]: recorded });
  }
  syncBuiltinESMExports();
}

recordLater();
recordAtOnce();
