// Keeps the end of a text by whole lines, with bounded memory. Passes each earlier line on once.

export interface RecentText {
  add(piece: string): void;
  /** Contract: called once, at the end. Text and dropped lines are the same however it was split. */
  end(): { readonly text: string; readonly isCut: boolean };
}

/** Of a dropped line; no block header or fence needs more. */
const lineLengthMax = 1024;
/** Many tiny pieces cost more memory than their text. */
const piecesMax = 1024;

/** `onDropped` gets whole lines in order, joined by line feeds; a long one may be cut (`droppedLines`). */
export function createRecentText(lengthMax: number, onDropped: (lines: string) => void): RecentText {
  let pieces: string[] = [];
  let length = 0;
  let isCut = false;
  /** The first characters of a line whose start was dropped; null if the kept text starts a line. */
  let begin: string | null = null;

  const keep = (text: string): void => {
    pieces = [text];
    length = text.length;
  };
  const extendBegin = (text: string): string => {
    const known: string = begin ?? '';
    return known + text.slice(0, Math.max(0, lineLengthMax - known.length));
  };
  const shrink = (): void => {
    const text = pieces.join('');
    const cut = text.length - lengthMax;
    const last = cut === 0 ? -1 : text.lastIndexOf('\n', cut - 1);
    if (last !== -1) {
      const first = text.indexOf('\n');
      onDropped(extendBegin(text.slice(0, first)));
      if (last > first) onDropped(text.slice(first + 1, last));
      begin = null;
    }
    if (last + 1 < cut) begin = extendBegin(text.slice(last + 1, cut));
    isCut = true;
    keep(text.slice(cut));
  };

  return {
    add: (piece) => {
      pieces.push(piece);
      length += piece.length;
      if (length > 2 * lengthMax) shrink();
      else if (pieces.length > piecesMax) keep(pieces.join(''));
    },
    end: () => {
      if (length > lengthMax) shrink();
      const text = pieces.join('');
      if (begin === null) return { text, isCut };
      const end = text.indexOf('\n');
      onDropped(extendBegin(end === -1 ? text : text.slice(0, end)));
      return { text: end === -1 ? '' : text.slice(end + 1), isCut };
    },
  };
}

/** The dropped lines one by one, each cut to the same length however the text was split. */
export function droppedLines(lines: string): readonly string[] {
  return lines.split('\n').map((line) => line.slice(0, lineLengthMax));
}
