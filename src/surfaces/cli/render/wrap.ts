// Wraps lines to the width of a terminal: words stay whole, and continuation lines align with their text.
import { columnsOf } from './width.ts';

/** The part before the text of a line: its indent, the time or a mark, and a short label. */
const lead =
  /^\s*(?:(?:\d+  \d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d +|[✓!✗>│·•-] |(?:✅|❌|⚠️|⏳|❓|⏸️|🔄)\s+)?(?:[A-Za-z][\w ./-]{0,14}:\s+)?/u;
/** A command at the end of a line stays in one piece, so that it can be copied: the terminal itself wraps it. */
const lastCommand = /(?<=: )(?:untildone|cd|git|[A-Z_]+=\S+) \S.*$/u;
/** A longer lead would leave too narrow a column. */
const leadShareMax = 0.4;

/** Contract: only a command is wider than `columns`; joined by spaces they hold every word of the line. */
export function wrapLine(line: string, columns: number): string[] {
  const width = Math.max(20, columns);
  if (columnsOf(line) <= width) return [line];
  const command = lastCommand.exec(line);
  if (command !== null)
    return [...wrapLine(line.slice(0, command.index).trimEnd(), columns), `  ${command[0]}`];
  const indent = hangingIndent(line, width);
  const [first = '', ...words] = line.trimStart().split(' ');
  const lines: string[] = [];
  let now = line.slice(0, line.length - line.trimStart().length) + first;
  for (const word of words) {
    const longer = `${now} ${word}`;
    if (columnsOf(longer) <= width) {
      now = longer;
      continue;
    }
    lines.push(now.trimEnd());
    now = indent + word;
  }
  return [...lines, now].filter((one) => one.trim() !== '').flatMap((one) => brokenAt(one, width));
}

function hangingIndent(line: string, width: number): string {
  const columns = columnsOf(lead.exec(line)?.[0] ?? '');
  const own = columnsOf(line) - columnsOf(line.trimStart());
  return ' '.repeat(columns > 0 && columns <= width * leadShareMax ? columns : own);
}

/** A single word wider than the terminal, such as a path, continues on the next line. */
function brokenAt(line: string, width: number): string[] {
  const lines: string[] = [];
  let now = '';
  for (const character of line) {
    if (columnsOf(now + character) > width) {
      lines.push(now);
      now = '';
    }
    now += character;
  }
  return [...lines, now];
}
