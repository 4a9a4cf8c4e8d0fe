// Reads one config.jsonc: comments and trailing commas are fine, unknown keys are errors with their place and a suggestion.
import { readFile } from 'node:fs/promises';
import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { getNodeValue } from 'jsonc-parser';
import type { z } from 'zod';
import { OperatorError } from '#ports/operator-error.ts';
import type { Layer, OriginKind } from './layers.ts';
import { suggest } from './suggest.ts';

type Path = readonly (string | number)[];
type Issue = z.core.$ZodIssue;

/** Null when there is no such file. */
export async function readConfigFile(path: string, kind: OriginKind): Promise<Layer | null> {
  const text = await readIfPresent(path);
  return text === null ? null : parseConfig(text, path, kind);
}

export async function parseConfig(text: string, file: string, kind: OriginKind): Promise<Layer> {
  const { configSchema } = await import('./schema.ts');
  const { data, whereIs } = readJsonc(text, file, configSchema);
  const layer: Layer = new Map();
  flatten(data, [], (path, leaf) => {
    const where = whereIs(path);
    layer.set(path.join('.'), { value: leaf, origin: { kind, where } });
  });
  return layer;
}

/** What a file holds, by a schema; `whereIs` says at which line a part of it stands. */
export function readJsonc<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
): { readonly data: T; readonly whereIs: (path: Path) => string } {
  const tree = parse(text, file);
  const value: unknown = getNodeValue(tree);
  const result = schema.safeParse(value);
  if (!result.success) {
    const { problem, path, atKey } = describe(result.error.issues, schema);
    throw badConfig(place(text, file, offsetOf(tree, path, atKey)), problem);
  }
  return { data: result.data, whereIs: (path) => place(text, file, offsetOf(tree, path, true)) };
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new OperatorError(
      'config-unreadable',
      `${path} cannot be read: ${String(error)}`,
      'Make it a readable file, or move it away.',
    );
  }
}

function parse(text: string, file: string): Node {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    throw badConfig(
      place(text, file, first.offset),
      `is not valid JSON with comments (${printParseErrorCode(first.error)})`,
    );
  }
  if (tree === undefined) throw badConfig(`${file}:1:1`, 'is empty; write at least {}');
  return tree;
}

/** The first problem in words, and where it is: at a key, or at its value. */
function describe(
  issues: readonly Issue[],
  schema: z.ZodType,
): { problem: string; path: Path; atKey: boolean } {
  const issue = innermost(issues);
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  if (issue.code !== 'unrecognized_keys') {
    const name = path.length === 0 ? 'the configuration' : `"${path.join('.')}"`;
    return { problem: `${name}: ${issue.message}`, path, atKey: false };
  }
  const key = issue.keys[0] ?? '';
  const near = suggest(key, keysAt(schema, path));
  const instead = near === null ? '' : `; did you mean "${near}"?`;
  return {
    problem: `unknown key "${[...path, key].join('.')}"${instead}`,
    path: [...path, key],
    atKey: true,
  };
}

/** Inside a union, the branch that the value was meant for: the one whose type fits. */
function innermost(issues: readonly Issue[], above: Path = []): Issue {
  const [issue] = issues;
  if (issue === undefined) return { code: 'custom', path: [...above], message: 'is not valid' };
  const path = [...above, ...issue.path.filter((part) => typeof part !== 'symbol')];
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find(
      (branch) => !branch.some((one) => one.path.length === 0 && one.code === 'invalid_type'),
    );
    if (meant !== undefined && meant.length > 0) return innermost(meant, path);
  }
  return { ...issue, path };
}

interface Definition {
  readonly type: string;
  readonly shape?: { readonly [key: string]: z.ZodType };
  readonly innerType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

function keysAt(schema: z.ZodType, path: Path): string[] {
  const definition = schema.def as unknown as Definition;
  const { shape, innerType, valueType, element, options } = definition;
  if (innerType !== undefined) return keysAt(innerType, path);
  if (options !== undefined) return options.flatMap((option) => keysAt(option, path));
  const [head, ...rest] = path;
  if (head === undefined) return Object.keys(shape ?? {});
  const below = shape?.[head] ?? valueType ?? element;
  return below === undefined ? [] : keysAt(below, rest);
}

/** Leaves as the settings know them: an agent is one value, and so is a list. */
function flatten(
  value: unknown,
  path: readonly string[],
  emit: (path: readonly string[], leaf: unknown) => void,
): void {
  const isWhole =
    (path[0] === 'agents' && path.length === 2) ||
    path[0] === 'prices' ||
    (path[0] !== 'tasks' && path.at(-1) === 'env');
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isWhole) {
    if (path[0] !== '$schema') emit(path, value);
    return;
  }
  for (const [key, below] of Object.entries(value)) flatten(below, [...path, key], emit);
}

function offsetOf(tree: Node, path: Path, atKey: boolean): number {
  const node = findNodeAtLocation(tree, [...path]);
  if (node === undefined) return path.length === 0 ? tree.offset : offsetOf(tree, path.slice(0, -1), atKey);
  if (atKey && node.parent?.type === 'property') return node.parent.offset;
  return node.offset;
}

function place(text: string, file: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

function badConfig(where: string, problem: string): OperatorError {
  return new OperatorError(
    'bad-config',
    `${where}: ${problem}${problem.endsWith('?') ? '' : '.'}`,
    'Correct the file; `untildone init` in an empty repository makes one that shows what there is.',
  );
}
