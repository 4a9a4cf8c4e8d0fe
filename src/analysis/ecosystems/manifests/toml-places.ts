// Dependencies of a TOML manifest that come from elsewhere than a registry: Python and Rust write them alike. Pure.
import { pick, recordOf } from '#analysis/texts/json-text.ts';

export function dependenciesOf(table: unknown): unknown[] {
  const lists = Object.entries(recordOf(table) ?? {});
  return lists.filter(([key]) => /^(?:dev[-_]|build[-_])?dependencies$/.test(key)).map(([, list]) => list);
}

const placeKeys = 'path git url package registry index workspace branch rev tag'.split(' ');

/** `place.X` for what is taken from elsewhere than a registry: `x = { path = "y" }`. */
export function placesOf(lists: readonly unknown[]): Map<string, string> {
  const places = new Map<string, string>();
  for (const [name, entry] of lists.flatMap((list) => Object.entries(recordOf(list) ?? {}))) {
    const said = (Array.isArray(entry) ? entry : [entry]).flatMap((each) =>
      [...pick(recordOf(each) ?? {}, placeKeys)].map(([key, value]) => `${key} = ${value}`),
    );
    // What the manifest of the workspace says is pinned there.
    const own = said.filter((each) => each !== 'workspace = true');
    const section = `place.${name}`;
    if (own.length > 0) places.set(section, [places.get(section) ?? [], own].flat().toSorted().join('\n'));
  }
  return places;
}
