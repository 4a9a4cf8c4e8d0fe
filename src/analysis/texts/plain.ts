// Converts parser results to plain JSON of bounded size. Pure.

export type Table = { readonly [key: string]: unknown };

const depthMax = 200;
const valuesMax = 2_000_000;

/** Contract: throws if the value is deeper or larger than the limits, or contains itself. */
export function toPlain(value: unknown): unknown {
  let left = valuesMax;
  const plain = (each: unknown, depth: number): unknown => {
    left -= 1;
    if (left < 0 || depth > depthMax) throw new RangeError('too large');
    if (Array.isArray(each)) return each.map((item) => plain(item, depth + 1));
    // JSON has neither of these, and would write `null` for some.
    if (typeof each === 'bigint' || (typeof each === 'number' && !Number.isFinite(each))) return `${each}`;
    if (each instanceof Date) return each.toISOString();
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [key, plain(item, depth + 1)]));
  };
  return plain(value, 0);
}

export function tableOf(value: unknown): Table | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : null;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value at a dotted path of plain names; undefined if there is none. */
export function valueAt(table: Table, path: string): unknown {
  let found: unknown = table;
  for (const key of path.split('.')) {
    const inner = tableOf(found);
    if (inner === null || !Object.hasOwn(inner, key)) return undefined;
    found = inner[key];
  }
  return found;
}

/** Normalized, in any order of the keys. */
export function spell(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? '';
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  const table = tableOf(value);
  if (table === null) return value;
  return Object.fromEntries(
    Object.keys(table)
      .toSorted()
      .map((key) => [key, sorted(table[key])]),
  );
}
