// Detects the done marker on its own line, outside code blocks, after the last tool call.

/** No marker and no fence needs more; the rest of a longer line is dropped. */
const lineLengthMax = 1024;
/** Models put bold, backticks and blanks around the marker. */
const decoration = /^(?:\*\*|__|`|\s)*$/;
const fence = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})(.*)$/s;

/** Deeper nesting of code blocks is a flood and is not counted. */
const fencesMax = 1000;

export interface Fence {
  readonly sign: string;
  readonly length: number;
}

export function createMarkerReader(word: string) {
  let isDone = false;
  let fences: Fence[] = [];
  let line = '';
  let isOverlong = false;
  const needles = [word, '```', '~~~'];

  const extendLine = (part: string): void => {
    if (line.length + part.length > lineLengthMax) isOverlong = true;
    line += part.slice(0, Math.max(0, lineLengthMax - line.length));
  };
  const endLine = (): void => {
    readLine(line, isOverlong);
    line = '';
    isOverlong = false;
  };
  const readLine = (text: string, isCut: boolean): void => {
    const found = fenceOf(text);
    if (found !== null) passFence(fences, found);
    else if (fences.length === 0 && !isCut && isMarkerLine(text, word)) isDone = true;
  };

  /** Reads only lines that can matter, so that floods of other lines stay cheap. */
  const readWholeLines = (piece: string, from: number, to: number): void => {
    const next = needles.map((needle) => piece.indexOf(needle, from));
    for (;;) {
      const hits = next.filter((at) => at !== -1 && at < to);
      if (hits.length === 0) return;
      const hit = Math.min(...hits);
      const start = piece.lastIndexOf('\n', hit) + 1;
      const end = piece.indexOf('\n', hit);
      readLine(piece.slice(start, Math.min(end, start + lineLengthMax)), end - start > lineLengthMax);
      for (const [index, at] of next.entries()) {
        if (at !== -1 && at < end) next[index] = piece.indexOf(needles[index] ?? '', end);
      }
    }
  };

  return {
    onText: (piece: string): void => {
      const first = piece.indexOf('\n');
      if (first === -1) return extendLine(piece);
      extendLine(piece.slice(0, first));
      endLine();
      const last = piece.lastIndexOf('\n');
      if (last > first) readWholeLines(piece, first + 1, last);
      extendLine(piece.slice(last + 1));
    },
    onToolCall: (): void => {
      isDone = false;
      fences = [];
      line = '';
      isOverlong = false;
    },
    isDone: (): boolean => {
      endLine();
      return isDone;
    },
  };
}

/** Whether the lines so far leave a code block open. `around`: a block that is open at the first line. */
export function createFenceReader(around: Fence | null = null) {
  let fences: Fence[] = around === null ? [] : [around];
  return {
    onLine: (line: string): void => {
      const found = fenceOf(line.slice(0, lineLengthMax));
      if (found !== null) passFence(fences, found);
    },
    onToolCall: (): void => {
      fences = [];
    },
    isOpen: (): boolean => fences.length > 0,
    depth: (): number => fences.length,
    innermost: (): Fence | null => fences.at(-1) ?? null,
  };
}

export function isFenceLine(line: string): boolean {
  return fenceOf(line.slice(0, lineLengthMax)) !== null;
}

function isMarkerLine(line: string, word: string): boolean {
  const at = line.indexOf(word);
  if (at === -1) return false;
  return decoration.test(line.slice(0, at)) && decoration.test(line.slice(at + word.length));
}

function fenceOf(line: string): (Fence & { readonly info: string }) | null {
  const match = fence.exec(line);
  if (match === null) return null;
  const [, signs = '', rest = ''] = match;
  const sign = signs.charAt(0);
  const info = rest.trim();
  // Backticks after backticks are inline code, not the start of a block.
  if (sign === '`' && info.includes('`')) return null;
  return { sign, length: signs.length, info };
}

/** Models nest blocks: a fence with a language inside a block opens another one. */
function passFence(open: Fence[], found: Fence & { readonly info: string }): void {
  const top = open.at(-1);
  const isOpening = top === undefined || (found.info !== '' && found.sign === top.sign);
  if (isOpening) {
    if (open.length < fencesMax) open.push({ sign: found.sign, length: found.length });
  } else if (found.info === '' && found.sign === top.sign && found.length >= top.length) open.pop();
}
