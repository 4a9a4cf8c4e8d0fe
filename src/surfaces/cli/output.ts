// The only way to standard output and error: a closed pipe breaks no run. Wraps and colours in a terminal.
import { type ColourWish, paintLine, usesColour } from '#surfaces/cli/render/colour.ts';
import { clean } from '#surfaces/cli/render/words.ts';
import { wrapLine } from '#surfaces/cli/render/wrap.ts';

let isGuarded = false;

/** A closed pipe or terminal is no error of ours: further output is dropped. */
export function guardStreams(): void {
  if (isGuarded) return;
  isGuarded = true;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'].includes(error.code ?? '')) throw error;
    });
  }
}

let colourWish: ColourWish = 'auto';

/** Applies `--color`. */
export function chooseColour(wish: ColourWish): void {
  colourWish = wish;
}

let isJson = false;

/** Applies `--json`: a person watches nothing. */
export function chooseJson(isWanted: boolean): void {
  isJson = isWanted;
}

export function isForPrograms(): boolean {
  return isJson;
}

export function hasColour(stream: NodeJS.WriteStream): boolean {
  return usesColour({ wish: colourWish, isTerminal: stream.isTTY, env: process.env });
}

interface LiveLines {
  readonly erase: () => void;
  readonly restore: () => void;
}

let live: LiveLines | null = null;

/** From now on, all output is written above these lines, until the returned function is called. */
export function writeAbove(lines: LiveLines): () => void {
  live = lines;
  return () => {
    if (live === lines) live = null;
  };
}

function writeTo(stream: NodeJS.WriteStream, text: string): void {
  live?.erase();
  if (stream.writable) stream.write(text);
  live?.restore();
}

/** For people. Strips control characters, because text of agents, files and issues is not trusted. */
export function print(text: string): void {
  write(forPeople(text, process.stdout));
}

/** A file or a script for other programs: the same in a terminal and in a pipe. */
export function printDocument(text: string): void {
  write(clean(text));
}

function forPeople(text: string, stream: NodeJS.WriteStream): string {
  const lines = clean(text).split('\n');
  const shown = stream.isTTY ? lines.flatMap((line) => wrapLine(line, stream.columns || 80)) : lines;
  return (hasColour(stream) ? shown.map(paintLine) : shown).join('\n');
}

export function printJson(value: unknown): void {
  write(JSON.stringify(value, null, 2));
}

export function printJsonLine(value: unknown): void {
  write(JSON.stringify(value));
}

function write(text: string): void {
  writeTo(process.stdout, `${text}\n`);
}

/** For people only: never part of output for programs. */
export function printNote(text: string): void {
  writeTo(process.stderr, `${forPeople(text, process.stderr)}\n`);
}

/** Ends the process once all output is written; a stalled reader delays it by a second at most. */
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
