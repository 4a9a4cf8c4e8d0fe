// Reads TOML dependencies that are not from a registry: Python and Rust share the format. Pure.
import { pick, recordOf } from '#analysis/texts/json-text.ts';

export function dependenciesOf(table: unknown): unknown[] {
  const lists = Object.entries(recordOf(table) ?? {});
  return lists.filter(([key]) => /^(?:dev[-_]|build[-_])?dependencies$/.test(key)).map(([, list]) => list);
}

const placeKeys = 'path git url package registry index workspace branch rev tag'.split(' ');

/** `place.X` for a dependency from elsewhere than a registry: `x = { path = "y" }`. */
export function placesOf(lists: readonly unknown[]): Map<string, string> {
  const places = new Map<string, string>();
  for (const [name, entry] of lists.flatMap((list) => Object.entries(recordOf(list) ?? {}))) {
    const declared = (Array.isArray(entry) ? entry : [entry]).flatMap((each) =>
      [...pick(recordOf(each) ?? {}, placeKeys)].map(([key, value]) => `${key} = ${value}`),
    );
    // Entries of the workspace manifest are pinned there.
    const own = declared.filter((each) => each !== 'workspace = true');
    const section = `place.${name}`;
    if (own.length > 0) places.set(section, [places.get(section) ?? [], own].flat().toSorted().join('\n'));
  }
  return places;
}
