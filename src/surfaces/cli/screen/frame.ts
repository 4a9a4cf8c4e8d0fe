// Lines at the end of a terminal's output that are drawn again in place. Pure: it gives what is to be written.
import { columnsOf } from '#surfaces/cli/render/width.ts';
import type { Line } from './line.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Frame {
  /** Replaces what was drawn. The cursor stays behind the last line. */
  draw(lines: readonly Line[], size: Size): string;
  /** Takes away what was drawn, on a terminal that has `size` now. The cursor is where the frame began. */
  erase(size: Size): string;
  /** What was drawn is no longer ours to take away: something else was written below it. */
  forget(): void;
}

const eraseRow = '\u001B[2K';

export function createFrame(): Frame {
  let drawn: readonly Line[] = [];
  /** Rows of earlier frames above the screen: a window that is too small pushes them out, a larger one brings them back. */
  let pushedOut = 0;
  let lastRows = 0;
  const erase = ({ columns, rows }: Size): string => {
    const grown = Math.max(0, rows - lastRows);
    lastRows = rows;
    if (drawn.length === 0) return '';
    const back = Math.min(pushedOut, grown);
    const taken = rowsTaken(drawn, columns);
    pushedOut += Math.max(0, taken - rows) - back;
    drawn = [];
    // Row by row: where the rest of a screen is erased from its first row on, some terminals keep a copy of all of it.
    return `\r${eraseRow}${`\u001B[A${eraseRow}`.repeat(taken - 1 + back)}`;
  };
  return {
    erase,
    draw(lines, size) {
      const erased = erase(size);
      drawn = lines;
      return erased + lines.map(({ painted }) => painted).join('\n');
    },
    forget() {
      drawn = [];
      pushedOut = 0;
    },
  };
}

/** A terminal that became narrower has broken the lines that are now too long into several rows. */
function rowsTaken(lines: readonly Line[], columns: number): number {
  return lines.reduce((sum, { plain }) => sum + rowsOfLine(plain, columns), 0);
}

function rowsOfLine(text: string, columns: number): number {
  let rows = 1;
  let used = 0;
  for (const character of text) {
    const width = columnsOf(character);
    if (used + width > columns) {
      rows += 1;
      used = 0;
    }
    used += width;
  }
  return rows;
}
