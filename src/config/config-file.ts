// Reads one config.jsonc; comments and trailing commas are fine, unknown keys are errors with a suggestion.
import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { checkJsonc, type JsonPath, type RenamedKeys } from '#base/jsonc.ts';
import { errorCode } from '#base/error-code.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Layer, OriginKind } from './layers.ts';
import { renamedKeys } from '#config/schema/renamed.ts';

/** Null when there is no such file. */
export async function readConfigFile(path: string, kind: OriginKind): Promise<Layer | null> {
  const text = await readIfPresent(path);
  return text === null ? null : parseConfig(text, path, kind);
}

export async function parseConfig(text: string, file: string, kind: OriginKind): Promise<Layer> {
  const { configSchema } = await import('#config/schema/schema.ts');
  const { data, whereIs } = readJsonc(text, file, configSchema, renamedKeys);
  const layer: Layer = new Map();
  flatten(data, [], (path, leaf) => {
    const where = whereIs(path);
    layer.set(path.join('.'), { value: leaf, origin: { kind, where } });
  });
  return layer;
}

/** The content of a file, checked by a schema; `whereIs` gives the line of a part. */
export function readJsonc<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
  renamed: RenamedKeys = {},
): { readonly data: T; readonly whereIs: (path: JsonPath) => string } {
  const read = checkJsonc(text, () => schema, renamed);
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

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw new OperatorError(
      'config-unreadable',
      `${path} cannot be read: ${String(error)}`,
      'Make it a readable file, or move it away.',
    );
  }
}

/** Leaves as the settings define them: an agent is one value, and so is a list. */
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

function badConfig(where: string, problem: string): OperatorError {
  return new OperatorError(
    'bad-config',
    `${where}: ${problem}${problem.endsWith('?') ? '' : '.'}`,
    'Correct the file, then check it: untildone config show',
  );
}
