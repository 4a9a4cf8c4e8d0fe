// The last lines of a terminal, which are redrawn in place. Everything else is written above them.
import { writeAbove } from '#surfaces/cli/output.ts';
import { rowsOfLine } from './frame.ts';

export interface Terminal {
  write(text: string): void;
  /** Adds colours to a line. */
  readonly paint?: (line: string) => string;
  readonly columns: number;
  readonly rows: number;
  now(): number;
  /** Calls the listener after each change of the size, until the returned function is called. */
  readonly onResize?: (listener: () => void) => () => void;
}

export interface LiveRegion {
  /** Writes `above` for good, and `lines` below it. Contract: no line is wider than the terminal. */
  draw(above: readonly string[], lines: readonly string[]): void;
  /** Erases the lines; nothing is drawn afterwards. */
  close(): void;
}

export function openRegion(terminal: Terminal, redraw: () => void): LiveRegion {
  let drawn: readonly string[] = [];
  let columns = 0;
  let isClosed = false;
  // Rows, not lines: a terminal that became narrower has wrapped them.
  const upFrom = (first: number): string => {
    const rows = drawn.slice(first).reduce((sum, line) => sum + rowsOfLine(line, terminal.columns), 0);
    return eraseRows(rows);
  };
  const draw = (above: readonly string[], lines: readonly string[]): void => {
    if (isClosed) return;
    const isSame = above.length === 0 && columns === terminal.columns;
    // Only what has changed is written again, so that the rest does not flicker.
    const changed = lines.findIndex((line, index) => line !== drawn[index]);
    const first = isSame ? (changed === -1 ? lines.length : changed) : 0;
    const paint = terminal.paint ?? ((line: string) => line);
    const text = [...above, ...lines.slice(first)].map((line) => `${paint(line)}\n`).join('');
    if (text !== '' || drawn.length > lines.length) terminal.write(upFrom(first) + text);
    [drawn, columns] = [lines, terminal.columns];
  };
  const erase = (): void => {
    const text = upFrom(0);
    drawn = [];
    if (text !== '') terminal.write(text);
  };
  const restore = (): void => {
    if (!isClosed) redraw();
  };
  const forget = (): void => {
    // After Ctrl-Z and `fg`, the shell has written below.
    drawn = [];
    restore();
  };
  const stopWatching = watchEnds(erase, forget);
  const stopResizing = terminal.onResize?.(restore);
  const release = writeAbove({ erase, restore });
  return {
    draw,
    close() {
      if (isClosed) return;
      isClosed = true;
      stopWatching();
      stopResizing?.();
      release();
      terminal.write(upFrom(0));
      drawn = [];
    },
  };
}

/** Row by row: if all of a screen is erased at once, some terminals keep a copy of it. */
function eraseRows(rows: number): string {
  return '\u001B[A\u001B[2K'.repeat(rows);
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Erases before the process ends. Contract: a signal without another listener still ends the process. */
function watchEnds(erase: () => void, onContinue: () => void): () => void {
  const onEnding = (name: NodeJS.Signals): void => {
    erase();
    if (process.listenerCount(name) > 1) return;
    process.off(name, onEnding);
    process.kill(process.pid, name);
  };
  // First in line: a listener that is called once is still counted then.
  for (const name of endings) process.prependListener(name, onEnding);
  process.on('exit', erase).on('SIGCONT', onContinue);
  return () => {
    for (const name of endings) process.off(name, onEnding);
    process.off('exit', erase).off('SIGCONT', onContinue);
  };
}
