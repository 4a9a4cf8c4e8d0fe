// Splits a line into words like a shell, with quotes and nothing else.

export interface Word {
  readonly text: string;
  readonly isQuoted: boolean;
}

export function splitWords(line: string): Word[] {
  const words: Word[] = [];
  for (const [, double, single, plain] of line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)) {
    if (double !== undefined) words.push({ text: double.replaceAll(/\\(.)/gs, '$1'), isQuoted: true });
    else if (single !== undefined) words.push({ text: single, isQuoted: true });
    else words.push({ text: plain ?? '', isQuoted: false });
  }
  return words;
}
