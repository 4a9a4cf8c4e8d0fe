// The settings of a terminal: raw while a menu is shown, otherwise as before.
// Only raw mode and paste markers need restoring: no cursor is hidden and no other screen is opened.
import type { ReadStream, WriteStream } from 'node:tty';

export interface TerminalStreams {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

export interface RawTerminal {
  /** Contract: writes nothing once the terminal is gone. */
  write(text: string): void;
  makeRaw(): void;
  makeNormal(): void;
  /** False once the terminal failed to read, to write or to change its mode. */
  isThere(): boolean;
  /** Stops listening to failures, after those of the last write were reported. */
  dispose(): void;
}

const pasteMarksOn = '\u001B[?2004h';
const pasteMarksOff = '\u001B[?2004l';

/** `onGone` is called once, when the terminal ends or fails. */
export function createRawTerminal({ input, output }: TerminalStreams, onGone: () => void): RawTerminal {
  let isThere = true;
  let isRaw = false;
  const fail = (): void => {
    if (!isThere) return;
    isThere = false;
    onGone();
  };
  const write = (text: string): void => {
    if (isThere && text !== '' && output.writable) output.write(text);
  };
  const streams = [input, output];
  const failures = ['end', 'close', 'error'] as const;
  for (const stream of streams) for (const name of failures) stream.on(name, fail);
  return {
    write,
    makeRaw() {
      if (!isThere) return;
      // After a stop the shell has set its own mode, and Node skips a mode that it believes is set.
      if (isRaw) input.setRawMode(false);
      isRaw = true;
      input.setRawMode(true);
      write(pasteMarksOn);
    },
    makeNormal() {
      if (!isRaw) return;
      isRaw = false;
      // The mode first: it fails if the terminal is gone, and then nothing is written.
      if (!input.destroyed) input.setRawMode(false);
      write(pasteMarksOff);
    },
    isThere: () => isThere,
    dispose: () =>
      void setImmediate(() => {
        for (const stream of streams) for (const name of failures) stream.off(name, fail);
      }),
  };
}
