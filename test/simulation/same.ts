// Deep equality of plain data, maps and sets in order. Identical objects are not compared, so it is fast.

export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Map || a instanceof Set || Array.isArray(a)) return isSameRow(a, b);
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  let count = 0;
  for (const key in a) {
    count += 1;
    if (!Object.hasOwn(b, key) || !isSame(a[key as never], b[key as never])) return false;
  }
  return Object.keys(b).length === count;
}

function isSameRow(a: Map<unknown, unknown> | Set<unknown> | unknown[], b: object): boolean {
  if (a.constructor !== b.constructor) return false;
  const [left, right] = [[...a], [...(b as Iterable<unknown>)]];
  return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
}
