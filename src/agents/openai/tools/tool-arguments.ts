// Reads the arguments of a tool call leniently: numbers and booleans may come as text.
import { ToolError } from './confine-path.ts';
import type { Fields } from '#agents/shared/json.ts';

export function textArgument(args: Fields, name: string): string {
  const value = args[name];
  if (typeof value === 'string') return value;
  throw new ToolError(value === undefined ? `"${name}" is missing.` : `"${name}" must be a text.`);
}

export function optionalText(args: Fields, name: string): string | null {
  const value = args[name];
  return value === undefined || value === null || value === '' ? null : textArgument(args, name);
}

export function optionalCount(args: Fields, name: string): number | null {
  const value = args[name];
  if (value === undefined || value === null || value === '') return null;
  const count = Number(value);
  if (Number.isInteger(count) && count > 0) return count;
  throw new ToolError(`"${name}" must be a whole number above zero.`);
}

export function flagArgument(args: Fields, name: string): boolean {
  return args[name] === true || args[name] === 'true';
}

type Field = readonly [kind: 'string' | 'integer' | 'boolean', description: string];

/** The JSON schema of an object with these fields; those with a `?` are optional. */
export function parametersOf(fields: { readonly [name: string]: Field }): Fields {
  const named = Object.entries(fields).map(([key, [type, description]]) => ({
    name: key.replace('?', ''),
    isRequired: !key.endsWith('?'),
    schema: { type, description },
  }));
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
    required: named.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}
