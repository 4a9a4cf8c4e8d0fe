// Redraws lines at the end of a terminal's output in place. Pure: it returns the text to write.
import { columnsOf } from '#surfaces/cli/render/width.ts';
import type { Line } from './line.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Frame {
  /** Replaces the previous frame. The cursor stays after the last line. */
  draw(lines: readonly Line[], size: Size): string;
  /** Erases the frame, on a terminal that now has `size`. The cursor is where the frame began. */
  erase(size: Size): string;
  /** Forgets the frame without erasing it: something else was written below it. */
  forget(): void;
}

const eraseRow = '\u001B[2K';

export function createFrame(): Frame {
  let drawn: readonly Line[] = [];
  /** Rows of earlier frames above the screen: a small window pushes them out, a larger one shows them. */
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
    // Row by row: if the screen is erased from its first row on, some terminals keep a copy of all of it.
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

/** A terminal that became narrower has wrapped long lines into several rows. */
function rowsTaken(lines: readonly Line[], columns: number): number {
  return lines.reduce((sum, { plain }) => sum + rowsOfLine(plain, columns), 0);
}

export function rowsOfLine(text: string, columns: number): number {
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
