import { isRecord } from './record.ts';

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Null if the text is not a JSON object. */
export function parseRecord(text: string): { [key: string]: unknown } | null {
  const value = parseJson(text);
  return isRecord(value) ? value : null;
}
