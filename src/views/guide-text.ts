// Formats a guide for a terminal: markdown stays, links name commands to type, and long lines are wrapped.

export interface GuideLayout {
  readonly columns: number;
  /** Topics that `untildone help` accepts. */
  readonly topics: readonly string[];
}

export function guideText(markdown: string, { columns, topics }: GuideLayout): string {
  const lines: string[] = [];
  /** Indent of the code fence; null outside code. */
  let codeIndent: number | null = null;
  let paragraph = '';
  const flush = (): void => {
    if (paragraph !== '') lines.push(...wrapped(inline(paragraph, topics), columns));
    paragraph = '';
  };
  for (const line of markdown.trimEnd().split('\n')) {
    const fence = line.indexOf('```');
    if (fence >= 0 && line.slice(0, fence).trim() === '') {
      flush();
      codeIndent = codeIndent === null ? fence : null;
    } else if (codeIndent !== null) {
      lines.push(`    ${line.slice(Math.min(codeIndent, line.search(/\S|$/)))}`);
    } else if (/^\s*$|^#|^\|/.test(line)) {
      flush();
      if (!/^\|[-| :]+\|$/.test(line)) lines.push(...plainLine(line, topics, columns));
    } else if (/^\s*(?:[-*]|\d+\.) /.test(line)) {
      flush();
      paragraph = line;
    } else {
      paragraph = paragraph === '' ? line : `${paragraph} ${line.trim()}`;
    }
  }
  flush();
  return lines.join('\n');
}

/** A heading, a table row or an empty line. */
function plainLine(line: string, topics: readonly string[], columns: number): string[] {
  if (!line.startsWith('|')) return [line.replace(/^#+ /, (marks) => (marks === '# ' ? '' : marks))];
  const [first = '', ...others] = inline(line.replaceAll('\\|', '¦'), topics)
    .replace(/^\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim().replaceAll('¦', '|'));
  const rest = others.filter((cell) => cell !== '').reduce((text, cell) => joined(text, ' · ', cell), '');
  return wrapped(`- ${rest === '' ? first : joined(first, ': ', rest)}`, columns);
}

/** A sentence needs no separator after it. */
function joined(text: string, separator: string, next: string): string {
  if (text === '') return next;
  return `${text}${/[.!?:]$/.test(text) ? ' ' : separator}${next}`;
}

/** `[safety](../safety.md#x)` → `safety (untildone help safety)`; other links to files lose their target. */
function inline(text: string, topics: readonly string[]): string {
  return text
    .replaceAll(/\*\*/g, '')
    .replaceAll(/!\[([^\]]+)\]\([^)\s]+\)/g, '(Picture: $1)')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words: string, to: string) => {
      if (/^https?:/.test(to)) return `${words} (${to})`;
      const parts = to.replace(/#.*$/, '').replace(/\.md$/, '').split('/');
      const topic = parts.at(-1) === 'README' ? parts.at(-2) : parts.at(-1);
      return topic !== undefined && topics.includes(topic) ? `${words} (untildone help ${topic})` : words;
    });
}

/** Continuation lines are indented to the text of the first, which may follow a list marker. */
function wrapped(text: string, columns: number): string[] {
  const start = /^\s*(?:(?:[-*]|\d+\.) )?/.exec(text)?.[0] ?? '';
  const indent = ' '.repeat(start.length);
  const lines: string[] = [];
  let line = start;
  for (const word of text.slice(start.length).split(' ')) {
    const longer = line === start && lines.length === 0 ? `${start}${word}` : `${line} ${word}`;
    if (longer.length > columns && line.trim() !== '') {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = longer;
  }
  return [...lines, line];
}
