// Reads the content of the last `<tag>…</tag>` in a stream of text; the closing tag may be missing.
import { createBoundedText } from '#base/bounded-text.ts';

/** How much decoration may precede a tag that still counts as the start of its line. */
const overlap = 64;
const decoration = /^(?:\*\*|__|\s)*$/;

export function createReportReader(tag: string, bytesMax: number) {
  const open = `<${tag}>`;
  const close = `</${tag}>`;
  const content = createBoundedText({ head: bytesMax / 2, tail: bytesMax / 2 });
  let report: string | null = null;
  let isInside = false;
  let beganLine = false;
  /** The end of the text so far: a tag may be split, and the text before it on its line matters. */
  let before = '';
  /** How much of `before` is not content yet, because a tag may start in it. */
  let untaken = 0;
  const carryMax = overlap + close.length;

  const enter = (text: string, at: number): void => {
    isInside = true;
    beganLine = startsLine(text, at);
    content.clear();
  };
  const leave = (): void => {
    report = meaningful(content.text()) ?? report;
    isInside = false;
  };

  const onText = (piece: string): void => {
    const text = before + piece;
    let from = before.length - untaken;
    for (;;) {
      const opened = text.indexOf(open, from);
      const closed = isInside ? text.indexOf(close, from) : -1;
      if (closed !== -1 && (opened === -1 || closed < opened)) {
        content.add(text.slice(from, closed));
        leave();
        from = closed + close.length;
      } else if (opened !== -1) {
        enter(text, opened);
        from = opened + open.length;
      } else break;
    }
    untaken = Math.min(close.length - 1, text.length - from);
    if (isInside) content.add(text.slice(from, text.length - untaken));
    before = text.slice(-carryMax);
  };

  return {
    onText,
    onToolCall: (): void => onText('\n'),
    end: (): string | null => {
      if (isInside && untaken > 0) content.add(before.slice(-untaken));
      untaken = 0;
      const unclosed = isInside && beganLine ? meaningful(content.text()) : null;
      return unclosed ?? report;
    },
  };
}

/** A tag that is never closed counts only at the start of a line: in prose it is a mention. */
function startsLine(text: string, at: number): boolean {
  const start = Math.max(text.lastIndexOf('\n', at) + 1, at - overlap);
  const isCut = start > 0 && text[start - 1] !== '\n';
  return !isCut && decoration.test(text.slice(start, at));
}

function meaningful(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : trimmed;
}
