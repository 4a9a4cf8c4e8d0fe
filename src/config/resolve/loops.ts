// `loops.*`: the settings of the loop over criteria.
import type { LoopSettings } from '#kernel/model/config.ts';
import { defaultLoops } from '#policies/loops/loop-settings.ts';
import type { Preset } from '#policies/presets/preset.ts';
import { type Layer, setting } from '#config/layers.ts';

export const loopNames = Object.keys(defaultLoops) as (keyof LoopSettings)[];

/** Undefined for a preset without this loop. */
export function loopsFrom(settings: Layer, preset: Preset): LoopSettings | undefined {
  if (preset.loops === undefined) return undefined;
  return {
    enabled: setting(settings, 'loops.enabled'),
    enforced: setting(settings, 'loops.enforced'),
    blockExitUntilComplete: setting(settings, 'loops.blockExitUntilComplete'),
    requireVerification: setting(settings, 'loops.requireVerification'),
    blockOnSkip: setting(settings, 'loops.blockOnSkip'),
    maxRetries: setting(settings, 'loops.maxRetries'),
    maxIterations: setting(settings, 'loops.maxIterations'),
    commitEvery: setting(settings, 'loops.commitEvery'),
    pauseBetweenScenarios: setting(settings, 'loops.pauseBetweenScenarios'),
    autoInferVerification: setting(settings, 'loops.autoInferVerification'),
    fallbackToManual: setting(settings, 'loops.fallbackToManual'),
    suggestBrowserTests: setting(settings, 'loops.suggestBrowserTests'),
  };
}

/** A setting that is not used would mislead the user. */
export function unusedLoops(settings: Layer, preset: Preset): string | null {
  if (preset.loops !== undefined) return null;
  const [first] = loopNames.flatMap((name) => {
    const origin = settings.get(`loops.${name}`)?.origin;
    return origin === undefined || origin.kind === 'default' ? [] : [origin.where];
  });
  return first === undefined
    ? null
    : `${first}: loops.* is for the preset criteria; ${preset.name} ignores it.`;
}
