// Messages of a client are whatever it sends: read field by field, with a harmless value for what is not there.
import { isRecord } from '#base/record.ts';

export interface Fields {
  readonly [name: string]: unknown;
}

export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** Without the items that have no fields. */
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

/** Enough for a log line; the client keeps the whole in its own transcript. */
export function bounded(text: string, charactersMax: number): string {
  return text.length <= charactersMax
    ? text
    : `${text.slice(0, charactersMax)}… (${text.length - charactersMax} characters more)`;
}
