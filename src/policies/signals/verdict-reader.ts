// Reads a reviewer's verdict: JSON between two tags, after its last tool call and outside code blocks.
import { createBoundedText } from '#base/bounded-text.ts';
import { createFenceReader } from './marker-reader.ts';
import type { Blocker, ReviewVerdict } from '#kernel/model/review.ts';

/** More than any verdict needs; the log has the reviewer's earlier output. */
const bytesMax = 256 * 1024;
const blockersMax = 20;
const lengthMax = 2000;

export type VerdictReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'said'; readonly verdict: ReviewVerdict }
  /** There is a verdict, but none that can count. */
  | { readonly kind: 'unclear'; readonly reason: string }
  | { readonly kind: 'quoted' };

/** Every reviewer may use it, beside the words of its preset. */
export const verdictTag = 'verdict';

export function createVerdictReader() {
  const text = createBoundedText({ head: 0, tail: bytesMax });
  return {
    onText: (piece: string): void => text.add(piece),
    onToolCall: (): void => text.clear(),
    end: (): VerdictReading => findVerdict(text.text(), verdictTag),
  };
}

function findVerdict(text: string, tag: string): VerdictReading {
  const { blocks, hasQuoted } = blocksOf(text, tag);
  if (blocks.length === 0) return { kind: hasQuoted ? 'quoted' : 'none' };
  const verdicts = blocks.map(parseVerdict);
  const last = verdicts.at(-1) ?? null;
  if (last === null || verdicts.includes(null))
    return { kind: 'unclear', reason: `what it wrote between the ${tag} tags is no verdict` };
  if (verdicts.some((one) => one?.verdict !== last.verdict))
    return { kind: 'unclear', reason: 'it gave verdicts that contradict each other' };
  if (last.verdict === 'pass' && last.blockers.length > 0)
    return { kind: 'unclear', reason: 'it passes the work and names blockers' };
  return { kind: 'said', verdict: last };
}

/** The contents of all tags at the start of a line; inside a code block they are quotations. */
function blocksOf(text: string, tag: string): { blocks: string[]; hasQuoted: boolean } {
  const open = new RegExp(`^(?:\\*\\*|__|\\s)*<${tag}>`);
  const close = `</${tag}>`;
  const fences = createFenceReader();
  const blocks: string[] = [];
  let hasQuoted = false;
  let inside: string[] | null = null;
  for (const line of text.split('\n')) {
    const begin: RegExpExecArray | null = inside === null ? open.exec(line) : null;
    if (begin !== null && fences.isOpen()) hasQuoted = true;
    const isCounted = begin !== null && !fences.isOpen();
    if (inside === null && !isCounted) fences.onLine(line);
    else {
      inside = [...(inside ?? []), begin === null ? line : line.slice(begin[0].length)];
      if (!line.includes(close)) continue;
      const all = inside.join('\n');
      blocks.push(all.slice(0, all.indexOf(close)));
      inside = null;
    }
  }
  if (inside !== null) blocks.push(inside.join('\n'));
  return { blocks, hasQuoted };
}

function parseVerdict(block: string): ReviewVerdict | null {
  const fields = parseJson(block);
  const verdict = fields === null ? null : wordOf(fields['verdict']);
  if (fields === null || verdict === null) return null;
  const blockers = fields['blockers'] ?? [];
  const confidence = confidenceOf(fields['confidence']);
  if (!Array.isArray(blockers) || confidence === undefined) return null;
  const known = blockers.slice(0, blockersMax).map(blockerOf);
  if (known.includes(null)) return null;
  return {
    verdict,
    confidence,
    blockers: known.filter((one) => one !== null),
    text: textOf(fields['summary']) ?? '',
  };
}

/** The object may have its own code block. */
function parseJson(block: string): { readonly [key: string]: unknown } | null {
  const from = block.indexOf('{');
  const to = block.lastIndexOf('}');
  if (from === -1 || to < from) return null;
  try {
    return fieldsOf(JSON.parse(block.slice(from, to + 1)));
  } catch {
    return null;
  }
}

function wordOf(value: unknown): ReviewVerdict['verdict'] | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word === 'pass' || word === 'passed') return 'pass';
  if (word === 'fail' || word === 'failed') return 'fail';
  return word === 'warn' || word === 'warning' ? 'warn' : null;
}

/** A number up to 1 or up to 100, or a word; undefined for anything else. */
function confidenceOf(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') {
    const share = value > 1 ? value / 100 : value;
    return share >= 0 && share <= 1 ? share : undefined;
  }
  const words: { readonly [word: string]: number } = { high: 0.9, medium: 0.6, low: 0.2 };
  return typeof value === 'string' ? words[value.trim().toLowerCase()] : undefined;
}

function blockerOf(value: unknown): Blocker | null {
  if (typeof value === 'string')
    return value.trim() === '' ? null : { ...plain, what: value.trim().slice(0, lengthMax) };
  const fields = fieldsOf(value);
  const what = textOf(fields?.['what']);
  if (fields === null || what === null) return null;
  const severity = textOf(fields['severity'])?.toLowerCase() ?? '';
  const command = textOf(fields['command']);
  return {
    what,
    severity: severity === 'critical' || severity === 'minor' ? severity : 'major',
    isSecurity: fields['security'] === true,
    // A command that was cut would be a different command.
    command: command === null || command.length === lengthMax ? null : command,
  };
}

const plain: Omit<Blocker, 'what'> = { severity: 'major', isSecurity: false, command: null };

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim().slice(0, lengthMax) : '';
  return text === '' ? null : text;
}

function fieldsOf(value: unknown): { readonly [key: string]: unknown } | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: unknown })
    : null;
}
