/** The paths of all keys of a JSON text, `a.b.c`, bounded; empty if the text is not a JSON object. */
export function jsonKeys(text: string): string[] {
  try {
    return keysOf(JSON.parse(text), '', 0).slice(0, keysMax);
  } catch {
    return [];
  }
}

const keysMax = 2_000;
const depthMax = 8;

function keysOf(value: unknown, prefix: string, depth: number): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > depthMax) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    return [path, ...keysOf(inner, path, depth + 1)];
  });
}
