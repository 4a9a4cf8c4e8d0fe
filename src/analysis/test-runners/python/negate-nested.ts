// Negates one-line assertions in loops and `with` blocks of Python tests. Pure.
import { indentOf, leaving, negateLines } from '#analysis/test-runners/line-negation.ts';
import type { Lines } from '#analysis/test-runners/line-negation.ts';
import { isClosed } from '#analysis/texts/mask.ts';
import type { NestedNegation, SourceText } from '#analysis/test-runners/test-runner.ts';
import { negateLine, pythonTests } from './test-file.ts';

export function negateNestedInPython(file: SourceText, tests: readonly string[] | null): NestedNegation {
  const rules = { ...pythonTests, linesIn: nestedLines };
  const negated = negateLines(file, tests, { ...rules, opposite: negateAfterLoop });
  const without = negateLines(file, tests, { ...rules, opposite: leaveOut });
  if (negated.kind === 'none') return negated;
  return without.kind === 'none' ? without : { ...negated, without: without.text };
}

const loop = /^\s*(?:async )?(?:for|while)\b[^:]*:\s*(?=assert\b|self\.assert)/;
const block = /^\s*(?:async )?(?:for|while|with)\b(?![\s\S]*(?:raises|Raises|suppress|warns|Warns))/;
const assertion = /^\s*(?:assert\b|self\.(?:assert|fail))/;

/** Statements only in loops and `with` blocks; none if the body has its own assertion. */
function nestedLines(header: number, { masked }: Lines): readonly number[] {
  const outer = indentOf(masked[header] ?? '');
  const blocks: { readonly indent: number; readonly isRun: boolean }[] = [];
  const found: number[] = [];
  let open = '';
  for (let at = header + 1; at < masked.length; at += 1) {
    const line = (masked[at] ?? '').trimEnd();
    if (line.trim() === '' || /^\s*_+$/.test(line)) continue;
    const statement = open + line;
    const indent = indentOf(statement);
    if (open === '' && (indent <= outer || leaving.test(line))) break;
    while ((blocks.at(-1)?.indent ?? -1) >= indent) blocks.pop();
    if (blocks.length === 0 && assertion.test(statement)) return [];
    if (isClosed(statement) && statement.endsWith(':')) blocks.push({ indent, isRun: block.test(statement) });
    else if (open === '' && isClosed(line) && !line.endsWith('\\') && blocks.every(({ isRun }) => isRun))
      if (blocks.length > 0 || loop.test(line)) found.push(at);
    open = isClosed(statement) && !line.endsWith('\\') ? '' : `${statement}\n`;
  }
  return found;
}

/** The assertion that is the whole line, or follows a loop in the same line. */
function split(source: string, masked: string): { lead: string; source: string; masked: string } {
  const { length } = loop.exec(masked)?.[0] ?? '';
  return { lead: source.slice(0, length), source: source.slice(length), masked: masked.slice(length) };
}

function negateAfterLoop(whole: string, maskedWhole: string): string | null {
  const { lead, source, masked } = split(whole, maskedWhole);
  const opposite = isConstant(masked) ? null : negateLine(source, masked);
  return opposite === null ? null : lead + opposite;
}

/** `assert False` means that the line is never reached. */
function isConstant(masked: string): boolean {
  return /^\s*assert\s+(?:not\s+)?(?:False|True|None|[\d_]+)\s*(?:,|$)/.test(masked);
}

function leaveOut(whole: string, maskedWhole: string): string | null {
  if (negateAfterLoop(whole, maskedWhole) === null) return null;
  const { lead, source, masked } = split(whole, maskedWhole);
  const [start = '', indent = '', method] = /^(\s*)(?:self(\.\w+)|assert\b)/.exec(masked) ?? [];
  const { length } = masked.trimEnd();
  const operands = source.slice(start.length, length).trim();
  const call = method === undefined ? `(${operands})` : operands;
  return `${lead}${indent}(lambda *_, **__: None)${call}${source.slice(length)}`;
}
