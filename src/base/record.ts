/** True for an object with fields: not an array, not null. */
export function isRecord(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Null if the text is not a JSON object. */
export function parseRecord(text: string): { [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
