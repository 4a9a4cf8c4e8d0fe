// Settings by dotted path, each with its origin. Flags beat environment, project file, user file, defaults.
import type { z } from 'zod';
import { present } from '#base/assert.ts';
import type { DeepReadonly } from '#base/deep-readonly.ts';
import { parseDuration } from '#base/duration.ts';
import type { configSchema, heldOutSchema } from '#config/schema/schema.ts';
import { defaultSettings } from './defaults.ts';

/** `answer`: given once at a terminal. */
export type OriginKind = 'flag' | 'environment' | 'project' | 'user' | 'answer' | 'preset' | 'default';

export interface Origin {
  readonly kind: OriginKind;
  /** The flag, the variable, or `file:line:col`; '' for a default. */
  readonly where: string;
}

export interface Sourced {
  readonly value: unknown;
  readonly origin: Origin;
}

export type Layer = Map<string, Sourced>;

/** The settings that a user may write. The schema is imported as a type only: zod loads slowly. */
type Written = DeepReadonly<z.output<typeof configSchema>>;

export type AgentEntry = NonNullable<Written['agents']>[string];
export type ReviewerEntry = NonNullable<Written['reviewers']>[number];
export type HeldOutEntry = DeepReadonly<z.output<typeof heldOutSchema>>[number];

/** Read by name, as `agents.NAME`, so that no single path has its own type. */
type ByName = '$schema' | 'agents' | 'roles' | 'tasks' | 'domains';

/** An object whose keys are separate settings; a list, and a table with free names, are one value each. */
type IsGroup<V> = [V] extends [object]
  ? [Extract<V, readonly unknown[]>] extends [never]
    ? string extends keyof V
      ? false
      : true
    : false
  : false;

type Entries<T, Above extends string = ''> = {
  [K in Exclude<keyof T & string, ByName>]-?: IsGroup<NonNullable<T[K]>> extends true
    ? Entries<NonNullable<T[K]>, `${Above}${K}.`>
    : [`${Above}${K}`, NonNullable<T[K]>];
}[Exclude<keyof T & string, ByName>];

/** The value of each path, after the schema or a flag's parser has accepted it. */
export type SettingTypes = {
  readonly [Entry in Entries<Written> as Entry[0]]: Entry[1];
} & {
  /** From a flag only. */
  readonly taskFile: string;
  /** From the environment only. */
  readonly logDir: string;
};

export type SettingPath = keyof SettingTypes;
type DefaultPath = keyof typeof defaultSettings;

type DurationPath = {
  [Path in SettingPath]: [string | number] extends [SettingTypes[Path]] ? Path : never;
}[SettingPath];

/** Lists that add up: more checks prove more, no file mutes another. For others the stronger layer wins. */
const additive: ReadonlySet<string> = new Set<SettingPath>([
  'checks',
  'criteria',
  'mayChange',
  'copy',
  'usageLimit.patterns',
  'notify',
]);

/** Strongest layer first. */
export function mergeLayers(layers: readonly Layer[]): Layer {
  const merged: Layer = new Map();
  for (const layer of layers) {
    for (const [path, value] of layer) {
      const known = merged.get(path);
      if (known === undefined) merged.set(path, value);
      else if (additive.has(path) && value.origin.kind !== 'default') merged.set(path, joined(known, value));
    }
  }
  return merged;
}

/** Undefined only for a setting without a default. */
export function setting<Path extends DefaultPath>(layer: Layer, path: Path): SettingTypes[Path];
export function setting<Path extends SettingPath>(layer: Layer, path: Path): SettingTypes[Path] | undefined;
export function setting(layer: Layer, path: string): unknown {
  return layer.get(path)?.value ?? defaults.get(path);
}

const defaults: ReadonlyMap<string, unknown> = new Map(Object.entries(defaultSettings));

export function defaultLayer(): Layer {
  const origin: Origin = { kind: 'default', where: '' };
  return new Map([...defaults].map(([path, value]) => [path, { value, origin }]));
}

/** In milliseconds. */
export function durationOf(layer: Layer, path: DurationPath & DefaultPath): number;
export function durationOf(layer: Layer, path: DurationPath): number | null;
export function durationOf(layer: Layer, path: DurationPath): number | null {
  const value = setting(layer, path);
  return value === undefined ? null : present(parseDuration(value), `${path} is a duration`);
}

/** The names directly below a path such as `agents`. */
export function namesBelow(layer: Layer, path: string): string[] {
  const found = new Set<string>();
  for (const key of layer.keys()) {
    if (key.startsWith(`${path}.`)) found.add(key.slice(path.length + 1).split('.')[0] ?? '');
  }
  return [...found];
}

function joined(strong: Sourced, weak: Sourced): Sourced {
  const values = [...(strong.value as unknown[]), ...(weak.value as unknown[])];
  const where = [strong.origin.where, weak.origin.where].filter((place) => place !== '').join(' + ');
  return { value: values, origin: { kind: strong.origin.kind, where } };
}
