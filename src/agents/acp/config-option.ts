// What an agent lets us choose, beside its modes.
import { listOf, textOf } from '#agents/shared/json.ts';
import type { Fields } from '#agents/shared/json.ts';

/** The values of a `select` option, in groups or not. */
export function valuesOf(option: Fields): string[] {
  return listOf(option['options']).flatMap((one) =>
    Array.isArray(one['options']) ? valuesOf(one) : [textOf(one['value'])],
  );
}

/** A configuration option by its category, or by its id where it has none. */
export function findOption(offered: Fields, category: string): Fields | undefined {
  const options = listOf(offered['configOptions']).filter((option) => option['type'] === 'select');
  return (
    options.find((option) => option['category'] === category) ??
    options.find((option) => option['id'] === category)
  );
}
