// JSON as manifests have it: with remarks, in any order. Pure.
import { parse as parseJsonc } from 'jsonc-parser';

export type Json = { readonly [key: string]: unknown };

export function readJson(text: string): unknown {
  return parseJsonc(text, [], { allowTrailingComma: true });
}

export function recordOf(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

/** Those keys that are there, each with its value in one spelling. */
export function pick(from: Json, keys: readonly string[]): Map<string, string> {
  const found = keys.filter((key) => Object.hasOwn(from, key));
  return new Map(found.map((key) => [key, JSON.stringify(sorted(from[key]))]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  const record = recordOf(value);
  if (record === null) return value;
  return Object.fromEntries(
    Object.keys(record)
      .toSorted()
      .map((key) => [key, sorted(record[key])]),
  );
}
