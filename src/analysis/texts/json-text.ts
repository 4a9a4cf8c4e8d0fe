// Reads JSON of manifests: with comments, in any order. Pure.
import { parse as parseJsonc, type ParseError } from 'jsonc-parser';
import { spell, type Table, tableOf, toPlain, valueAt } from './plain.ts';

export type Json = Table;
export const recordOf = tableOf;

/** Contract: undefined for a text with errors: other tools may read it differently. */
export function readJson(text: string): unknown {
  const errors: ParseError[] = [];
  try {
    const value = toPlain(parseJsonc(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true }));
    return errors.length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Strict JSON: null for anything but an object without errors. */
export function readJsonTable(text: string): Json | null {
  try {
    return tableOf(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    return null;
  }
}

/** The present keys, each with its normalized value. */
export function pick(from: Json, keys: readonly string[]): Map<string, string> {
  const found = keys.filter((key) => Object.hasOwn(from, key));
  return new Map(found.map((key) => [key, spell(from[key])]));
}

/** As `pick`, by dotted paths. */
export function pickPaths(from: Json, paths: readonly string[]): Map<string, string> {
  const found = paths.map((path): [string, unknown] => [path, valueAt(from, path)]);
  return new Map(
    found.filter(([, value]) => value !== undefined).map(([path, value]) => [path, spell(value)]),
  );
}

/** An unreadable text is pinned as a whole. */
export function unreadable(text: string): Map<string, string> {
  return new Map([['unreadable', text]]);
}
