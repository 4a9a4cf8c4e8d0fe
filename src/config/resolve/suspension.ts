// `suspension.*`: polls, reminders, and the suspensions that agents may ask for.
import type { RunConfig } from '#kernel/model/config.ts';
import type { Layer } from '#config/layers.ts';
import { setting } from '#config/layers.ts';

const secondMs = 1000;
const hourMs = 3_600_000;

/** Frozen only if the user set one of them: the defaults must not make an older run look changed. */
export function suspensionOf(settings: Layer): Pick<RunConfig, 'suspension'> {
  const isGiven = [...settings].some(
    ([path, { origin }]) => path.startsWith('suspension.') && origin.kind !== 'default',
  );
  if (!isGiven) return {};
  return {
    suspension: {
      isEnabled: setting(settings, 'suspension.enabled'),
      pollEveryMs: setting(settings, 'suspension.pollIntervalSeconds') * secondMs,
      pollLooksMax: setting(settings, 'suspension.maxPollAttempts'),
      pollTimeoutMs: setting(settings, 'suspension.pollTimeoutSeconds') * secondMs,
      remindAfterMs: Math.round(setting(settings, 'suspension.reminderAfterHours') * hourMs),
      byAgents: {
        hoursMax: setting(settings, 'suspension.byAgents.maxHours'),
        perRunMax: setting(settings, 'suspension.byAgents.perRun'),
      },
    },
  };
}
