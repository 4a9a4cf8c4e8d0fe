// Formats one definition as one line.
import { clipped } from '#base/bounded-text.ts';
import type { Node } from '@vscode/tree-sitter-wasm';
import type { Grammar } from '#analysis/repo-map/grammar-names.ts';
import type { Showing } from './signature-rules.ts';

/** Longer lines add little: this limit saves a fifth of a map. */
const lineMax = 120;
/** The part of a node that is read; longer nodes are data. */
const textMax = 2_000;

/** '' if there is nothing to show. */
export function headOf(node: Node, showing: Showing, grammar: Grammar, start: number | null): string {
  const from = start ?? node.startIndex;
  const end = endOf(node, showing, grammar);
  const before = start === null ? '' : (node.parent?.text.slice(0, node.startIndex - from) ?? '');
  const word = grammar === 'go' && /^type_(?:spec|alias)$/.test(node.type) ? 'type ' : '';
  const text = word + before + node.text.slice(0, Math.max(0, Math.min(end - node.startIndex, textMax)));
  return clipped(tidy(text, grammar), lineMax);
}

function endOf(node: Node, showing: Showing, grammar: Grammar): number {
  if (showing === 'whole') return node.endIndex;
  if (showing === 'value') return endOfValue(node);
  if (grammar === 'ruby') return endOfRuby(node);
  if (grammar === 'go' && showing === 'names') return endOfGo(node);
  const inits =
    grammar === 'cpp' ? node.namedChildren.find((child) => child?.type === 'field_initializer_list') : null;
  return inits?.startIndex ?? node.childForFieldName('body')?.startIndex ?? node.endIndex;
}

/** A function as a value has its own signature. */
function endOfValue(node: Node): number {
  const declarator = node.namedChildren.find((child) => child?.type === 'variable_declarator') ?? node;
  const value =
    declarator.childForFieldName('value') ??
    declarator.childForFieldName('right') ??
    declarator.childForFieldName('accessors');
  if (value === null) return node.endIndex;
  const body = value.childForFieldName('body');
  if (body !== null) return body.startIndex;
  // `module.exports = { a, b }` is a list of names; other objects are values.
  return node.childForFieldName('left')?.text === 'module.exports' ? value.endIndex : value.startIndex;
}

function endOfRuby(node: Node): number {
  const last =
    node.childForFieldName('parameters') ??
    node.childForFieldName('superclass') ??
    node.childForFieldName('name');
  return last?.endIndex ?? node.endIndex;
}

function endOfGo(node: Node): number {
  const type = node.childForFieldName('type');
  if (node.type === 'type_spec') {
    const isBraced = type?.type === 'struct_type' || type?.type === 'interface_type';
    return isBraced ? type.startIndex + type.type.indexOf('_') : node.endIndex;
  }
  return node.startIndex + (node.type === 'const_declaration' ? 'const'.length : 'var'.length);
}

/** `{ a b c }`, or '' if nothing inside has a name. */
export function namesInside(node: Node, grammar: Grammar): string {
  const all: string[] = [];
  gather(node.childForFieldName('body') ?? node.childForFieldName('type') ?? node, all, 0);
  const names = grammar === 'go' ? all.filter((name) => /^\p{Lu}/u.test(name)) : all;
  return names.length === 0 ? '' : clipped(`{ ${names.join(' ')} }`, lineMax);
}

const lists = new Set(['field_declaration_list', 'var_spec_list', 'enumerator_list']);
const namesMax = 40;

function gather(list: Node, names: string[], level: number): void {
  for (const child of list.namedChildren) {
    if (child === null || names.length >= namesMax) return;
    if (lists.has(child.type) && level < 2) gather(child, names, level + 1);
    else if (child.type !== 'method_declaration') names.push(...memberNames(child));
  }
}

function memberNames(node: Node): string[] {
  if (node.type === 'property_identifier') return [node.text];
  const named = node.childrenForFieldName('name').flatMap((name) => (name === null ? [] : [name.text]));
  if (named.length > 0) return named.filter((name) => name.length <= 60);
  const declarator = node.type === 'field_declaration' ? node.childForFieldName('declarator') : null;
  return declarator !== null && /^[*&\w[\]]{1,60}$/.test(declarator.text) ? [declarator.text] : [];
}

function tidy(text: string, grammar: Grammar): string {
  const isSlashed = !['python', 'ruby', 'bash'].includes(grammar);
  const bare = isSlashed
    ? text.replaceAll(/\/\*.*?\*\//gs, ' ').replaceAll(/(^|[\s,(){}])\/\/[^\n]*/g, '$1')
    : text.replaceAll(/(^|[\s,(])#[^\n]*/g, '$1');
  return withoutMarks(bare.replaceAll(/\s+/g, ' ').trim(), grammar)
    .replace(/\s*\{\s*\}$/, '')
    .replace(/\s*(?:\{|=>|=|;|(?<=\)|\w|\])(?<!:):)$/, '')
    .replace(/\s*:$/, (colon) => (grammar === 'python' ? '' : colon))
    .replace(/ where .*$/, (clause) => (grammar === 'rust' ? '' : clause))
    .replaceAll(/([([]) /g, '$1')
    .replaceAll(/,? ([)\]])/g, '$1')
    .trim();
}

/** Removes leading annotations, attributes and decorators. */
function withoutMarks(text: string, grammar: Grammar): string {
  const mark =
    grammar === 'c-sharp' || grammar === 'php'
      ? /^#?\[[^\]]*\]\s*/
      : /^(export )?@(?!interface\b)[\w.]+(?:\([^()]*\))?\s*/;
  let rest = text;
  for (let times = 0; times < 20 && mark.test(rest); times += 1)
    rest = rest.replace(mark, (_, kept: unknown) => (typeof kept === 'string' ? kept : ''));
  return rest;
}
