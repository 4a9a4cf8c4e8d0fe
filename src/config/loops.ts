// `loops.*`: the settings of the loop over criteria, by the names of the seed.
import type { LoopSettings } from '#kernel/loop.ts';
import { defaultLoops } from '#policies/looping/loop-settings.ts';
import type { Preset } from '#policies/presets/index.ts';
import type { Layer } from './layers.ts';

export const loopNames = Object.keys(defaultLoops) as (keyof LoopSettings)[];

export function loopDefaults(): [string, unknown][] {
  return loopNames.map((name) => [`loops.${name}`, defaultLoops[name]]);
}

/** Undefined for a preset that has no such loop. */
export function loopsFrom(settings: Layer, preset: Preset): LoopSettings | undefined {
  if (preset.loops === undefined) return undefined;
  const said = loopNames.flatMap((name) => {
    const value = settings.get(`loops.${name}`)?.value;
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...preset.loops, ...(Object.fromEntries(said) as Partial<LoopSettings>) };
}

/** A setting that nothing reads would be believed in vain. */
export function unusedLoops(settings: Layer, preset: Preset): string | null {
  if (preset.loops !== undefined) return null;
  const [first] = loopNames.flatMap((name) => {
    const origin = settings.get(`loops.${name}`)?.origin;
    return origin === undefined || origin.kind === 'default' ? [] : [origin.where];
  });
  return first === undefined
    ? null
    : `${first}: loops.* is for the preset criteria; ${preset.name} does not look at it.`;
}
