// Makes mutants of code from its syntax tree: small faults that a check ought to notice.
import { clipped } from '#base/bounded-text.ts';
import type { Node } from '@vscode/tree-sitter-wasm';
import type { Grammar } from '#analysis/repo-map/grammar-names.ts';
import { parse, type SourceText } from './parse.ts';

export interface Mutant {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** The change in words: `<` became `>=`. */
  readonly what: string;
  /** The whole mutated file. */
  readonly text: string;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
  readonly line: number;
  readonly what: string;
}

const operators: { readonly [operator: string]: string } = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '==': '!=',
  '!=': '==',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '&&': '||',
  '||': '&&',
  and: 'or',
  or: 'and',
};
const opposites: { readonly [word: string]: string } = {
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
};
/** Languages in which a missing value compiles, and their word for it. */
const nothing: { readonly [grammar in Grammar]?: string } = {
  javascript: 'undefined',
  typescript: 'undefined',
  tsx: 'undefined',
  python: 'None',
  ruby: 'nil',
  php: 'null',
};
const removable = new Set(['expression_statement', 'assignment', 'command', 'augmented_assignment']);

/** Only on these lines. Skips mutants that do not parse. */
export async function mutantsOf(source: SourceText, lines: ReadonlySet<number>): Promise<Mutant[]> {
  const reading = await parse(source, (root, grammar) => editsIn(root, grammar, lines));
  if (reading.kind === 'unread' || reading.hasErrors) return [];
  const found: Mutant[] = [];
  for (const { start, end, by, line, what } of reading.found) {
    const text = source.text.slice(0, start) + by + source.text.slice(end);
    const again = await parse({ ...source, text }, () => null);
    if (again.kind === 'read' && !again.hasErrors) found.push({ path: source.path, line, what, text });
  }
  return found;
}

function editsIn(root: Node, grammar: Grammar, lines: ReadonlySet<number>): Edit[] {
  const found: Edit[] = [];
  const visit = (node: Node): void => {
    if (lines.has(node.startPosition.row + 1)) found.push(...editsOf(node, grammar));
    for (const child of node.children) if (child !== null) visit(child);
  };
  visit(root);
  return found;
}

function editsOf(node: Node, grammar: Grammar): Edit[] {
  const edit = (by: string, what: string): Edit[] => [
    { start: node.startIndex, end: node.endIndex, by, line: node.startPosition.row + 1, what },
  ];
  const { text, type } = node;
  if (node.childCount === 0) return leafEdits(node, edit);
  if (/^return_(statement|expression)$/.test(type) && node.namedChildCount > 0) {
    const empty = nothing[grammar];
    const end = text.endsWith(';') ? ';' : '';
    return empty === undefined ? [] : edit(`return ${empty}${end}`, `${shown(text)} returns nothing`);
  }
  if (removable.has(type) && isWhole(node)) {
    const by = grammar === 'python' ? 'pass' : grammar === 'bash' ? ':' : ';';
    return edit(by, `${shown(text)} is left out`);
  }
  const { parent } = node;
  const isCondition =
    parent !== null &&
    /^(if|elif|while|unless)/.test(parent.type) &&
    parent.childForFieldName('condition')?.id === node.id;
  return isCondition && grammar !== 'bash' ? negated(node, grammar, edit) : [];
}

type MakeEdit = (by: string, what: string) => Edit[];

function leafEdits(node: Node, edit: MakeEdit): Edit[] {
  const { text, type, parent } = node;
  const isBinary = parent !== null && /binary|comparison|boolean_operator|infix/.test(parent.type);
  const operator = node.isNamed || !isBinary ? undefined : operators[text];
  if (operator !== undefined) return edit(operator, `\`${text}\` became \`${operator}\``);
  const opposite = opposites[text];
  if (opposite !== undefined && /bool|true|false/i.test(type))
    return edit(opposite, `${text} became ${opposite}`);
  if (/(^|_)(number|integer|float|int)(_literal)?$/.test(type) && /^\d{1,15}(\.\d+)?$/.test(text))
    return edit(String(Number(text) + 1), `${text} became ${Number(text) + 1}`);
  return [];
}

function negated(node: Node, grammar: Grammar, edit: MakeEdit): Edit[] {
  const { text } = node;
  const isWrapped = node.type === 'parenthesized_expression';
  const inner = grammar === 'python' ? `not (${text})` : `!(${text})`;
  return edit(isWrapped ? `(${inner})` : inner, `the condition ${shown(text)} is negated`);
}

/** A whole statement, not a part of another. */
function isWhole({ type, parent }: Node): boolean {
  if (type === 'expression_statement') return true;
  return (
    parent !== null && /^(program|compound_statement|do_group|body_statement|module|block)$/.test(parent.type)
  );
}

function shown(text: string): string {
  return `\`${clipped(text.replaceAll(/\s+/g, ' '), 60)}\``;
}
