// Tests whether a value from another process has the shape of a check.
import type { Check } from './check.ts';

type FieldType = 'string' | 'number' | 'object' | 'string?';

const command = { run: 'string', cwd: 'string', timeoutMs: 'number' } as const;
const served = { serve: 'string?', cwd: 'string', timeoutMs: 'number' } as const;

const fields: { readonly [kind in Check['kind']]: { readonly [field: string]: FieldType } } = {
  command,
  gate: { ...command, gate: 'string' },
  file: { path: 'string', holds: 'object' },
  symbol: { name: 'string', what: 'string', file: 'string?' },
  http: { ...served, url: 'string', status: 'number', contains: 'string?' },
  browser: { ...served, look: 'object' },
  hook: { timeoutMs: 'number' },
  'held-out': { hash: 'string' },
  reviewer: { role: 'string' },
  human: { question: 'string' },
};

export function isCheck(value: unknown): value is Check {
  if (typeof value !== 'object' || value === null) return false;
  const check = value as { readonly [field: string]: unknown };
  const { kind } = check;
  if (typeof kind !== 'string' || !Object.hasOwn(fields, kind)) return false;
  return Object.entries(fields[kind as Check['kind']]).every(([field, type]) => fits(check[field], type));
}

function fits(value: unknown, type: FieldType): boolean {
  if (type === 'string?') return value === null || typeof value === 'string';
  return typeof value === type && value !== null;
}
