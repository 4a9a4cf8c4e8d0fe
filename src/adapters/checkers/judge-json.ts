// Judges the value at a path of a JSON text. Pure. Rejects duplicate keys: readers disagree about them.
import { parseTree, type Node, type ParseError } from 'jsonc-parser';
import type { FileCheck } from '#kernel/model/check.ts';
import { findingOf, type UntimedFinding } from './tools.ts';
import { jsonSyntaxWords } from '#base/json-syntax-words.ts';
import { parseJson } from '#base/parse-json.ts';

type JsonHolds = Extract<FileCheck['holds'], { kind: 'json' }>;

// Deeper than any settings file; a recursive parser would overflow its stack.
const depthMax = 200;

export function judgeJson(file: string, text: string, { path, value }: JsonHolds): UntimedFinding {
  const steps = parseJsonPath(path);
  if (steps === null) return findingOf('unknown', `"${path}" is not a path into JSON`);
  if (depthOf(text) > depthMax) return findingOf('fail', `${file} is nested too deeply to be read`);
  const errors: ParseError[] = [];
  const hasComments = isWithComments(file);
  const tree = parseTree(text.replace(/^\uFEFF/, ''), errors, {
    disallowComments: !hasComments,
    allowTrailingComma: hasComments,
  });
  const [error] = errors;
  if (error !== undefined || tree === undefined)
    return findingOf(
      'fail',
      `${file} is not valid JSON${error === undefined ? '' : ` (${wordsFor(error, text)})`}`,
    );
  return judgeNode(file, walk(tree, steps), { path, value });
}

type Walked = { readonly node: Node } | { readonly missing: string } | { readonly twice: string };

function judgeNode(
  file: string,
  walked: Walked,
  { path, value }: Pick<JsonHolds, 'path' | 'value'>,
): UntimedFinding {
  if ('missing' in walked) return findingOf('fail', `${file} has no ${walked.missing}`);
  if ('twice' in walked)
    return findingOf('fail', `${file} has ${walked.twice} twice, so its value is ambiguous`);
  if (value === null) return findingOf('pass', `${file} has ${path}`);
  const twice = duplicateIn(walked.node);
  if (twice !== null)
    return findingOf('fail', `${file} has "${twice}" twice below ${path}, so its value is ambiguous`);
  const found = canonical(valueOf(walked.node));
  if (found === canonical(wantedOf(value))) return findingOf('pass', `${file} has ${path} = ${shown(found)}`);
  return findingOf('fail', `${file} has ${path} = ${shown(found)}, not ${shown(canonical(wantedOf(value)))}`);
}

function walk(tree: Node, steps: JsonPath): Walked {
  let node = tree;
  let way = '';
  for (const step of steps) {
    way += typeof step === 'number' ? `[${step}]` : `${way === '' ? '' : '.'}${step}`;
    const below = childrenAt(node, step);
    const [only] = below;
    if (only === undefined) return { missing: way };
    if (below.length > 1) return { twice: way };
    node = only;
  }
  return { node };
}

function childrenAt(node: Node, step: string | number): Node[] {
  if (node.type === 'array') {
    const item = /^\d+$/.test(String(step)) ? node.children?.[Number(step)] : undefined;
    return item === undefined ? [] : [item];
  }
  if (node.type !== 'object') return [];
  return propertiesOf(node).flatMap(([key, value]) => (key === String(step) ? [value] : []));
}

function propertiesOf(node: Node): [string, Node][] {
  return (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    return key === undefined || value === undefined ? [] : [[String(key.value), value]];
  });
}

function duplicateIn(node: Node): string | null {
  if (node.type === 'array') return firstOf(node.children ?? [], duplicateIn);
  if (node.type !== 'object') return null;
  const keys = new Set<string>();
  for (const [key] of propertiesOf(node)) {
    if (keys.has(key)) return key;
    keys.add(key);
  }
  return firstOf(propertiesOf(node), ([, value]) => duplicateIn(value));
}

function firstOf<T>(items: readonly T[], read: (item: T) => string | null): string | null {
  for (const item of items) {
    const found = read(item);
    if (found !== null) return found;
  }
  return null;
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value as unknown;
  return Object.fromEntries(propertiesOf(node).map(([key, value]) => [key, valueOf(value)]));
}

/** A wanted value that is no JSON counts as a plain string. */
function wantedOf(value: string): unknown {
  const parsed = parseJson(value);
  return parsed === undefined ? value : parsed;
}

/** The order of keys does not count. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, below]) => `${JSON.stringify(key)}:${canonical(below)}`).join(',')}}`;
}

function shown(json: string): string {
  return json.length <= 80 ? json : `${json.slice(0, 79)}…`;
}

/** File names whose usual readers allow comments. */
function isWithComments(file: string): boolean {
  return /(?:\.jsonc|\.code-workspace|(?:^|\/)[tj]sconfig[^/]*\.json|(?:^|\/)\.vscode\/[^/]+\.json)$/i.test(
    file,
  );
}

function wordsFor({ error, offset }: ParseError, text: string): string {
  const line = text.slice(0, offset).split('\n').length;
  return `${jsonSyntaxWords(error)} on line ${line}`;
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const mark of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')) {
    if (mark === '{' || mark === '[') depth += 1;
    else if (mark === '}' || mark === ']') depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

type JsonPath = readonly (string | number)[];

/** Accepts `scripts.test`, `files[0]`, `exports["./x"].default`, `$.a.b` and pointers (`/scripts/test`). */
export function parseJsonPath(text: string): JsonPath | null {
  if (text.startsWith('/')) return text.slice(1).split('/').map(unescapePointer);
  const rest = text.replace(/^\$\.?/, '');
  if (rest === '') return text === '$' ? [] : null;
  const steps: (string | number)[] = [];
  const part = /(?:^|\.)([^.[\]"']+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\['([^']*)'\]/y;
  while (part.lastIndex < rest.length) {
    const found = part.exec(rest);
    if (found === null) return null;
    const [, name, index, quoted, plain] = found;
    if (index !== undefined) steps.push(Number(index));
    else steps.push(name ?? plain ?? unquoted(quoted ?? '""'));
  }
  return steps;
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function unquoted(text: string): string {
  const value = parseJson(text);
  return typeof value === 'string' ? value : text.slice(1, -1);
}
