// Finds the ACTION_RESULT blocks in the text of a session, the last one first.
import type { createFenceReader, Fence } from './marker-reader.ts';
import { fieldOf, headerOf } from './field-line.ts';
import { toolCallLine } from './plain-text.ts';

export interface Block {
  /** From the header on, without the header's quote signs and indentation. */
  readonly lines: readonly string[];
  readonly after: readonly string[];
  /** The code block around the header. */
  readonly fence: Fence | null;
  /** In a code block, after quote signs, or indented like code: it may come from a printed file. */
  readonly isQuoted: boolean;
}

export type FenceReader = ReturnType<typeof createFenceReader>;

/**
 * All blocks that are not quoted. A quoted block is included only if it is the last one, because only then
 * can it end the answer. Each line is in at most two blocks. `fences` has read the lines before these.
 */
export function findBlocks(lines: readonly string[], fences: FenceReader): readonly Block[] {
  const { headers, toolCalls } = scanLines(lines, fences);
  const blocks: Block[] = [];
  let end = lines.length;
  let call = toolCalls.length - 1;
  for (const [at, header] of [...headers.entries()].toReversed()) {
    if (header.isQuoted && at < headers.length - 1) continue;
    for (let line = toolCalls[call]; line !== undefined && line > header.line; line = toolCalls[call]) {
      end = Math.min(end, line);
      call -= 1;
    }
    blocks.push(blockOf(header, lines, end));
    if (!header.isQuoted) end = header.line;
  }
  return blocks;
}

interface Header {
  readonly line: number;
  readonly lead: string;
  readonly fence: Fence | null;
  readonly isQuoted: boolean;
}

function scanLines(
  lines: readonly string[],
  fences: FenceReader,
): { headers: Header[]; toolCalls: number[] } {
  const headers: Header[] = [];
  const toolCalls: number[] = [];
  for (const [at, line] of lines.entries()) {
    if (line === toolCallLine) {
      fences.onToolCall();
      toolCalls.push(at);
      continue;
    }
    fences.onLine(line);
    const lead = headerOf(line)?.lead;
    if (lead === undefined) continue;
    const fence = fences.innermost();
    const isQuoted = fence !== null || lead.includes('>') || isCode(lead);
    headers.push({ line: at, lead, fence, isQuoted });
  }
  return { headers, toolCalls };
}

function isCode(line: string): boolean {
  return /^(?: {4}| {0,3}\t)/.test(line);
}

function blockOf(header: Header, lines: readonly string[], end: number): Block {
  const own = lines.slice(header.line, end);
  const isInside = insideOf(header.lead);
  const firstOutside = own.findIndex((line) => line.trim() !== '' && !isInside(line));
  const length = firstOutside === -1 ? own.length : firstOutside;
  const { fence, isQuoted } = header;
  return {
    lines: own.slice(0, length).map(unquoting(header.lead)),
    after: isQuoted ? lines.slice(header.line + length) : [],
    fence,
    isQuoted,
  };
}

/**
 * Whether a line continues the quotation or the indented lines around a header. The end of a code block is
 * found when the block is read, because its JSON may hold fences.
 */
export function insideOf(lead: string): (line: string) => boolean {
  if (lead.includes('>')) return (line) => line.trimStart().startsWith('>');
  if (isCode(lead)) return (line) => isCode(line) || fieldOf(line) !== null;
  return () => true;
}

function unquoting(lead: string): (line: string) => string {
  const depth = lead.split('>').length - 1;
  const indent = /^\s*/.exec(lead)?.[0].length ?? 0;
  const signs = new RegExp(`^(?:\\s{0,3}>){1,${Math.max(1, Math.min(depth, 99))}} ?`);
  const blanks = new RegExp(`^\\s{0,${Math.min(indent, 999)}}`);
  return (line) => (depth > 0 ? line.replace(signs, '') : line.replace(blanks, ''));
}
