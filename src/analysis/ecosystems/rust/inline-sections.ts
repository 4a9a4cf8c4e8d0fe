// Reads tests inside the source they test, as in Rust: the source is free; a test stays or moves whole. Pure.
import type { Sections } from '#analysis/ecosystems/manifests/section-types.ts';

interface Block {
  readonly head: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const attributes = String.raw`((?:#\[[^\]]*\]\s*)+)`;
const functions = new RegExp(String.raw`${attributes}(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)`, 'g');
const modules = new RegExp(String.raw`${attributes}(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*(?=\{)`, 'g');

/** `test.NAME` to everything that decides it: its body and attributes, those of its modules and file. */
export function rustSections(text: string): Sections {
  const code = withoutComments(text);
  const around = blocksOf(code, modules);
  const file = [...code.matchAll(/#!\[\s*cfg[^\]]*\]/g)].map(([found]) => found).join('');
  const sections = new Map<string, string>();
  for (const test of blocksOf(code, functions)) {
    if (!/test\w*\s*(?:\(|\])/.test(test.head)) continue;
    const holders = around.filter(({ from, to }) => from < test.from && test.to <= to);
    const names = [...holders, test].map(({ name }) => name);
    const heads = holders.map(({ head }) => head).join('');
    sections.set(`test.${names.join('.')}`, squeezed(`${file}${heads}${code.slice(test.from, test.to)}`));
  }
  return sections;
}

function blocksOf(code: string, pattern: RegExp): Block[] {
  return [...code.matchAll(pattern)].map((match) => ({
    head: match[1] ?? '',
    name: match[2] ?? '',
    from: match.index,
    to: endOfBlock(code, match.index + match[0].length),
  }));
}

const quoted = String.raw`r(?<hashes>#*)"[\s\S]*?"\k<hashes>|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[^']+|[^\\'])'`;

function endOfBlock(code: string, from: number): number {
  const token = new RegExp(`${quoted}|[{}]`, 'g');
  token.lastIndex = from;
  let depth = 0;
  for (let match = token.exec(code); match !== null; match = token.exec(code)) {
    if (match[0] === '{') depth += 1;
    if (match[0] === '}') depth -= 1;
    if (match[0] === '}' && depth <= 0) return token.lastIndex;
  }
  return code.length;
}

/** A test that was commented out is gone; a remark in one decides nothing. */
function withoutComments(text: string): string {
  const token = new RegExp(String.raw`${quoted}|\/\/[^\n]*|\/\*[\s\S]*?\*\/`, 'g');
  return text.replace(token, (found) => (/^\/[/*]/.test(found) ? ' ' : found));
}

/** Equal for every layout that a formatter could produce. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, '').replace(/,(?=[)\]}])/g, '');
}
