// The only way to standard output and error: a reader that went away never breaks a run.
import { clean } from '#surfaces/cli/render/words.ts';

let isGuarded = false;

/** A closed pipe or terminal is no error of ours: what can no longer be shown is dropped. */
export function guardStreams(): void {
  if (isGuarded) return;
  isGuarded = true;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'].includes(error.code ?? '')) throw error;
    });
  }
}

/** What agents, files and issues say is in many texts: nothing of it steers the terminal. */
export function print(text: string): void {
  write(clean(text));
}

export function printJson(value: unknown): void {
  write(JSON.stringify(value, null, 2));
}

export function printJsonLine(value: unknown): void {
  write(JSON.stringify(value));
}

function write(text: string): void {
  if (process.stdout.writable) process.stdout.write(`${text}\n`);
}

/** For people only: never part of what a program reads. */
export function printNote(text: string): void {
  if (process.stderr.writable) process.stderr.write(`${clean(text)}\n`);
}

/** Ends the process once everything was handed over; a reader that does not read holds it for a second at most. */
export function exitWith(code: number): void {
  process.exitCode = code;
  const timer = setTimeout(() => process.exit(code), 1000);
  process.stdout.write('', () => {
    process.stderr.write('', () => {
      clearTimeout(timer);
      process.exit(code);
    });
  });
}

export function isInteractive(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}
