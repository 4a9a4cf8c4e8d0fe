// A place whose settings name real clients.
import { makePlace } from '../place.ts';
import type { Place, PlaceOptions } from '../place.ts';

export interface ConfiguredPlaceOptions extends PlaceOptions {
  /** `agents` of the user's settings: driver, environment, options. */
  readonly agents: { readonly [name: string]: { readonly driver: string; readonly [key: string]: unknown } };
  readonly settings?: { readonly [key: string]: unknown };
}

export function makeConfiguredPlace({ agents, settings, ...options }: ConfiguredPlaceOptions): Place {
  const place = makePlace(options);
  place.write('config/untildone/config.jsonc', JSON.stringify({ agents, ...settings }));
  return place;
}
