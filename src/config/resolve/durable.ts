// `durableSteps.*`: whether unfinished runs continue automatically.
import type { RunConfig } from '#kernel/model/config.ts';
import { type Layer, setting } from '#config/layers.ts';

/** Freezes only deviations from the default, so that older runs look the same. Not part of `inputs`. */
export function durableOf(settings: Layer): Pick<RunConfig, 'durable'> {
  const enabled = setting(settings, 'durableSteps.enabled');
  const autoResume = setting(settings, 'durableSteps.autoResume');
  return enabled && autoResume ? {} : { durable: { enabled, autoResume } };
}

/** Whether a command first wakes the suspended runs of its repository that are due. */
export function wakesOnStart(settings: Layer): boolean {
  return (
    setting(settings, 'durableSteps.enabled') && setting(settings, 'durableSteps.checkSuspensionsOnStart')
  );
}
