// Reads a client's messages field by field, with a harmless default for missing or wrong fields.
import { isRecord } from '#base/record.ts';

export interface Fields {
  readonly [name: string]: unknown;
}

export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** Skips items that are not objects. */
export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function valuesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Enough for a log line; the client keeps the whole text in its own transcript. */
export function bounded(text: string, charactersMax: number): string {
  return text.length <= charactersMax
    ? text
    : `${text.slice(0, charactersMax)}… (${text.length - charactersMax} characters more)`;
}
