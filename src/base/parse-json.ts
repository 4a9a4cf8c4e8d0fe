import { isRecord } from './record.ts';

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** An object with fields; null for every other text. */
export function parseRecord(text: string): { [key: string]: unknown } | null {
  const value = parseJson(text);
  return isRecord(value) ? value : null;
}
