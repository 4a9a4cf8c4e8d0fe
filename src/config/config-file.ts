// Reads one config.jsonc: comments and trailing commas are fine, unknown keys are errors with their place and a suggestion.
import { readFile } from 'node:fs/promises';
import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { getNodeValue } from 'jsonc-parser';
import type { z } from 'zod';
import { OperatorError } from '#ports/operator-error.ts';
import type { Layer, OriginKind } from './layers.ts';
import { issueWords } from './issue-words.ts';
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
  const read = checkJsonc(text, () => schema);
  if ('problems' in read) {
    const [{ at, problem }] = read.problems;
    throw badConfig(`${file}:${at.line}:${at.column}`, problem);
  }
  const { data, placeOf } = read;
  return {
    data,
    whereIs: (path) => {
      const { line, column } = placeOf(path);
      return `${file}:${line}:${column}`;
    },
  };
}

export interface JsonPlace {
  readonly line: number;
  readonly column: number;
}

export interface JsonProblem {
  readonly at: JsonPlace;
  readonly problem: string;
}

/** The same, with everything that is wrong instead of the first thing; the schema may depend on what there is. */
export function checkJsonc<T>(
  text: string,
  schemaFor: (value: unknown) => z.ZodType<T>,
):
  | { readonly data: T; readonly placeOf: (path: Path) => JsonPlace }
  | { readonly problems: readonly [JsonProblem, ...JsonProblem[]] } {
  const tree = parse(text);
  if ('problem' in tree) return { problems: [tree] };
  const value: unknown = getNodeValue(tree.root);
  const schema = schemaFor(value);
  const result = schema.safeParse(value);
  const placeOf = (path: Path, atKey = true): JsonPlace => place(text, offsetOf(tree.root, path, atKey));
  if (result.success) return { data: result.data, placeOf };
  const found = innermost(result.error.issues).flatMap((issue) => describe(issue, schema));
  const [first, ...others] = found.map(({ problem, path, atKey }) => ({ at: placeOf(path, atKey), problem }));
  return { problems: [first ?? { at: { line: 1, column: 1 }, problem: 'is not valid' }, ...others] };
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

function parse(text: string): { readonly root: Node } | JsonProblem {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const problem = `is not valid JSON with comments (${printParseErrorCode(first.error)})`;
    return { at: place(text, first.offset), problem };
  }
  if (root === undefined) return { at: { line: 1, column: 1 }, problem: 'is empty; write at least {}' };
  return { root };
}

/** A problem in words, and where it is: at a key, or at its value. Each unknown key is one. */
function describe(issue: Issue, schema: z.ZodType): { problem: string; path: Path; atKey: boolean }[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  if (issue.code !== 'unrecognized_keys') {
    return [{ problem: `${nameOf(path)}: ${issueWords(issue)}`, path, atKey: false }];
  }
  return issue.keys.map((key) => {
    const known = keysAt(schema, path);
    const near = suggest(key, known);
    const instead = near === null ? '' : `; did you mean "${near}"?`;
    const name = nameOf([...path, key]);
    return {
      // One of several ways to write it has the key, and something else in it is wrong.
      problem: known.includes(key)
        ? `${name}: is not written as it has to be, or does not go with what stands beside it`
        : `unknown key ${name}${instead}`,
      path: [...path, key],
      atKey: true,
    };
  });
}

/** As a person would count in a file that is a list. */
function nameOf(path: Path): string {
  const [first, ...rest] = path;
  if (first === undefined) return 'the configuration';
  if (typeof first === 'string') return `"${path.join('.')}"`;
  return rest.length === 0 ? `entry ${first + 1}` : `"${rest.join('.')}" of entry ${first + 1}`;
}

/** Inside a union, all that is wrong in the branch that the value was meant for: the one whose type fits. */
function innermost(issues: readonly Issue[], above: Path = []): Issue[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path.filter((part) => typeof part !== 'symbol')];
    const branches = issue.code === 'invalid_union' ? issue.errors : [];
    const isMeant = (branch: readonly Issue[]): boolean =>
      !branch.some((one) => one.path.length === 0 && one.code === 'invalid_type');
    const meant = branches.find(isMeant) ?? [];
    return meant.length > 0 ? innermost(meant, path) : [{ ...issue, path }];
  });
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

function place(text: string, offset: number): JsonPlace {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function badConfig(where: string, problem: string): OperatorError {
  return new OperatorError(
    'bad-config',
    `${where}: ${problem}${problem.endsWith('?') ? '' : '.'}`,
    'Correct the file; `untildone init` in a new repository writes an example.',
  );
}
