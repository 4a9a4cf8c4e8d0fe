// One line of a terminal: its text, and the same text with colours.
import { columnsOf, cutTo } from '#surfaces/cli/render/width.ts';
import { clean } from '#surfaces/cli/render/words.ts';

export interface Line {
  readonly plain: string;
  /** The same text with colours, if there are any. */
  readonly painted: string;
}

export type Style = 'plain' | 'bold' | 'dim';

export interface Paper {
  readonly columns: number;
  readonly isColoured: boolean;
}

/** The last column stays free, because a line that fills it may wrap. */
export function widthOf({ columns }: Paper): number {
  return Math.max(1, columns - 1);
}

/** Contract: the text cannot control the terminal, and the line is no wider than the paper allows. */
export function lineOf(text: string, style: Style, paper: Paper): Line {
  const plain = cutTo(plainText(text), widthOf(paper));
  return { plain, painted: painted(plain, style, paper) };
}

/** A line of two parts; the second is cut first. */
export function lineOfTwo(first: string, style: Style, rest: string, paper: Paper): Line {
  const start = lineOf(first, style, paper);
  const end = cutTo(plainText(rest), widthOf(paper) - columnsOf(start.plain));
  return { plain: start.plain + end, painted: start.painted + painted(end, 'dim', paper) };
}

const lineBreaks = /[\t\n\u2028\u2029]/g;
/** They change the order of the displayed text. */
const directions = /[\u202A-\u202E\u2066-\u2069]/g;

export function plainText(text: string): string {
  return clean(text).replaceAll(lineBreaks, ' ').replaceAll(directions, '');
}

const styles = { plain: '', bold: '\u001B[1m', dim: '\u001B[2m' } as const;

function painted(text: string, style: Style, { isColoured }: Paper): string {
  return isColoured && style !== 'plain' && text !== '' ? `${styles[style]}${text}\u001B[0m` : text;
}
