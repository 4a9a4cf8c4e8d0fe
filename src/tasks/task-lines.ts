// Splits markdown into lines: marks code fences, removes comments, and recognizes headings. Pure.

export interface TextLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly isCode: boolean;
  readonly heading: Heading | null;
}

export interface Heading {
  readonly level: number;
  readonly text: string;
}

export interface TextLines {
  readonly lines: readonly TextLine[];
  /** A fence or comment that is never closed: all text after it would be lost. */
  readonly unclosed: { readonly line: number; readonly what: 'code fence' | 'comment' } | null;
}

interface Fence {
  readonly mark: string;
  readonly line: number;
}

export function linesOf(text: string): TextLines {
  const lines: TextLine[] = [];
  let fence: Fence | null = null;
  let commentFrom: number | null = null;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = index + 1;
    if (fence !== null) {
      if (closes(raw, fence)) fence = null;
      lines.push({ line, text: raw, isCode: true, heading: null });
      continue;
    }
    const { shown, isOpen } = withoutComments(raw, commentFrom !== null);
    commentFrom = isOpen ? (commentFrom ?? line) : null;
    const opened: RegExpExecArray | null = /^\s*(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}|~{3,})([^`]*)$/.exec(shown);
    if (opened !== null) fence = { mark: opened[1] ?? '', line };
    lines.push({
      line,
      text: shown,
      isCode: fence !== null,
      heading: fence === null ? headingOf(shown) : null,
    });
  }
  return { lines, unclosed: unclosedOf(fence, commentFrom) };
}

function unclosedOf(fence: Fence | null, commentFrom: number | null): TextLines['unclosed'] {
  if (fence !== null) return { line: fence.line, what: 'code fence' };
  return commentFrom === null ? null : { line: commentFrom, what: 'comment' };
}

/** The same sign, at least as often, and nothing after it. */
function closes(line: string, { mark }: Fence): boolean {
  const found = /^\s*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return found !== undefined && found.startsWith(mark);
}

function withoutComments(line: string, isInside: boolean): { shown: string; isOpen: boolean } {
  let shown = '';
  let rest = line;
  let isOpen = isInside;
  for (;;) {
    const at = isOpen ? rest.indexOf('-->') : commentAt(rest);
    if (at === -1) return { shown: isOpen ? shown.trimEnd() : shown + rest, isOpen };
    if (!isOpen) shown += rest.slice(0, at);
    rest = rest.slice(at + (isOpen ? 3 : 4));
    isOpen = !isOpen;
  }
}

/** A comment between backticks is code. */
function commentAt(text: string): number {
  const at = text.indexOf('<!--');
  if (at === -1) return -1;
  const ticks = text.slice(0, at).split('`').length - 1;
  return ticks % 2 === 1 && text.indexOf('`', at) !== -1 ? -1 : at;
}

function headingOf(line: string): Heading | null {
  const found = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/.exec(line);
  return found === null ? null : { level: found[1]?.length ?? 1, text: (found[2] ?? '').trim() };
}
