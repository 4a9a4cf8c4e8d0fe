// Reads JSON with comments and trailing commas by a schema; every problem has its line and column. Pure.
import { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import type { z } from 'zod';
import { issueWords } from './issue-words.ts';
import { jsonSyntaxWords } from './json-syntax-words.ts';
import { suggest } from './suggest.ts';

export type JsonPath = readonly (string | number)[];
type Issue = z.core.$ZodIssue;

export interface JsonPlace {
  readonly line: number;
  readonly column: number;
}

/** New paths by old path; the entries of a list are `*`. */
export type RenamedKeys = { readonly [old: string]: string };

interface JsonProblem {
  readonly at: JsonPlace;
  readonly problem: string;
}

/** Returns all problems, not only the first. The schema may depend on the value that was parsed. */
export function checkJsonc<T>(
  text: string,
  schemaFor: (value: unknown) => z.ZodType<T>,
  renamed: RenamedKeys = {},
):
  | { readonly data: T; readonly placeOf: (path: JsonPath) => JsonPlace }
  | { readonly problems: readonly [JsonProblem, ...JsonProblem[]] } {
  const tree = parse(text);
  if ('problem' in tree) return { problems: [tree] };
  const value: unknown = getNodeValue(tree.root);
  const schema = schemaFor(value);
  const result = schema.safeParse(value);
  const placeOf = (path: JsonPath, atKey = true): JsonPlace => place(text, offsetOf(tree.root, path, atKey));
  if (result.success) return { data: result.data, placeOf };
  const found = innermost(result.error.issues).flatMap((issue) => describe(issue, schema, renamed));
  const [first, ...others] = found.map(({ problem, path, atKey }) => ({ at: placeOf(path, atKey), problem }));
  return { problems: [first ?? { at: { line: 1, column: 1 }, problem: 'is not valid' }, ...others] };
}

function parse(text: string): { readonly root: Node } | JsonProblem {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const problem = `is not valid JSON: ${jsonSyntaxWords(first.error)}`;
    return { at: place(text, first.offset), problem };
  }
  if (root === undefined) return { at: { line: 1, column: 1 }, problem: 'is empty; write at least {}' };
  return { root };
}

/** Each unknown key becomes one problem, placed at the key; other problems are placed at the value. */
function describe(
  issue: Issue,
  schema: z.ZodType,
  renamed: RenamedKeys,
): { problem: string; path: JsonPath; atKey: boolean }[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  if (issue.code !== 'unrecognized_keys') {
    return [{ problem: `${nameOf(path)}: ${issueWords(issue)}`, path, atKey: false }];
  }
  return issue.keys.map((key) => {
    const known = keysAt(schema, path);
    const near = suggest(key, known);
    const instead = near === null ? '' : `; did you mean "${near}"?`;
    const name = nameOf([...path, key]);
    const now = newNameOf([...path, key], renamed);
    if (now !== null) return { problem: now, path: [...path, key], atKey: true };
    return {
      // One branch of a union has this key, but something else in the value does not fit that branch.
      problem: known.includes(key)
        ? `${name}: is not written as it has to be, or does not go with what stands beside it`
        : `unknown key ${name}${instead}`,
      path: [...path, key],
      atKey: true,
    };
  });
}

/** Null for a key that was never known. Without its group, an old key is found by the name of the group. */
function newNameOf(path: JsonPath, renamed: RenamedKeys): string | null {
  const pattern = path.map((part) => (typeof part === 'number' ? '*' : part)).join('.');
  const old = Object.keys(renamed).find((one) => one === pattern || one.startsWith(`${pattern}.`));
  const plain = (name = ''): string => name.replaceAll('.*', '');
  return old === undefined ? null : `"${plain(old)}" is now called "${plain(renamed[old])}"`;
}

/** In a file that is a list, entries are counted from 1. */
function nameOf(path: JsonPath): string {
  const [first, ...rest] = path;
  if (first === undefined) return 'the configuration';
  if (typeof first === 'string') return `"${path.join('.')}"`;
  return rest.length === 0 ? `entry ${first + 1}` : `"${rest.join('.')}" of entry ${first + 1}`;
}

/** For a union, returns the issues of the branch whose type fits: the value was meant for that one. */
function innermost(issues: readonly Issue[], above: JsonPath = []): Issue[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path.filter((part) => typeof part !== 'symbol')];
    const branches = issue.code === 'invalid_union' ? issue.errors : [];
    const isLikelyBranch = (branch: readonly Issue[]): boolean =>
      !branch.some((one) => one.path.length === 0 && one.code === 'invalid_type');
    const likelyBranch = branches.find(isLikelyBranch) ?? [];
    return likelyBranch.length > 0 ? innermost(likelyBranch, path) : [{ ...issue, path }];
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

function keysAt(schema: z.ZodType, path: JsonPath): string[] {
  const definition = schema.def as unknown as Definition;
  const { shape, innerType, valueType, element, options } = definition;
  if (innerType !== undefined) return keysAt(innerType, path);
  if (options !== undefined) return options.flatMap((option) => keysAt(option, path));
  const [head, ...rest] = path;
  if (head === undefined) return Object.keys(shape ?? {});
  const below = shape?.[head] ?? valueType ?? element;
  return below === undefined ? [] : keysAt(below, rest);
}

function offsetOf(tree: Node, path: JsonPath, atKey: boolean): number {
  const node = findNodeAtLocation(tree, [...path]);
  if (node === undefined) return path.length === 0 ? tree.offset : offsetOf(tree, path.slice(0, -1), atKey);
  if (atKey && node.parent?.type === 'property') return node.parent.offset;
  return node.offset;
}

function place(text: string, offset: number): JsonPlace {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
