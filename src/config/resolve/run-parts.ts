// Parts of a run's frozen configuration, each read from the settings alone.
import { isMachineCheck } from '#kernel/model/check.ts';
import type { RoleConfig, RunConfig } from '#kernel/model/config.ts';
import { type RecheckPolicy, usualAgain } from '#kernel/model/flaky.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { presets } from '#policies/presets/index.ts';
import { OperatorError } from '#base/operator-error.ts';
import { defaultKnowledge } from '#config/agents/knowledge.ts';
import { durationOf, type Layer, setting } from '#config/layers.ts';
import { didYouMean } from '#base/suggest.ts';
import type { Preset } from '#policies/presets/preset.ts';

export const presetNames: readonly string[] = Object.keys(presets);

export function findPreset(settings: Layer): Preset {
  const name = setting(settings, 'preset');
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (preset !== undefined) return preset;
  const origin = settings.get('preset')?.origin;
  const where = origin === undefined || origin.kind === 'flag' ? null : origin.where;
  const next =
    where === null
      ? 'For example: untildone run "…" --preset criteria'
      : 'Correct it, then check it: untildone config show';
  throw new OperatorError(
    'unknown-preset',
    `${where === null ? 'There' : `${where}: there`} is no preset "${name}".`,
    didYouMean(name, presetNames) ?? `The presets are ${presetNames.join(', ')}. ${next}`,
  );
}

export function rolesOf(
  preset: Preset,
  choices: { readonly [role: string]: AgentChoice },
  prompts: { readonly [role: string]: string },
  settings: Layer,
): RunConfig['roles'] {
  const limits = {
    wallMs: durationOf(settings, 'session.timeout'),
    idleMs: durationOf(settings, 'session.idleTimeout'),
    graceMs: durationOf(settings, 'session.grace'),
  };
  const roles: { [role: string]: RoleConfig } = {};
  for (const [name, { prompt, words, readOnly }] of Object.entries(preset.roles)) {
    const agent = choices[name];
    if (agent !== undefined)
      roles[name] = { agent, prompt: prompts[name] ?? prompt, words, readOnly, limits };
  }
  return roles;
}

export function knowledgeOf(settings: Layer): RunConfig['knowledge'] {
  const prices = { ...defaultKnowledge.prices };
  for (const [model, price] of Object.entries(setting(settings, 'prices') ?? {})) {
    const { input, output } = price;
    prices[model] = {
      input,
      output,
      cacheRead: price.cacheRead ?? input,
      cacheWrite: price.cacheWrite ?? input,
    };
  }
  const usageLimitWordings = [
    ...defaultKnowledge.usageLimitWordings,
    ...(setting(settings, 'usageLimit.patterns') ?? []),
  ];
  return { prices, usageLimitWordings };
}

export function setupOf(settings: Layer): RunConfig['setup'] {
  const setup = setting(settings, 'setup');
  const command = setup === undefined || setup === false ? null : setup;
  return { command, isDetected: setup === undefined, copy: setting(settings, 'copy') };
}

/** Freezes only deviations from the default, so that runs without this setting stay the same. */
export function tamperOf(settings: Layer): Pick<RunConfig, 'tamper'> {
  return setting(settings, 'tamper.acceptedBy') === 'reviewer' ? { tamper: { acceptedBy: 'reviewer' } } : {};
}

/** Only if given: it distinguishes one start from another. */
export function commitOf(settings: Layer): Pick<RunConfig, 'commit'> {
  const message = setting(settings, 'commit.message');
  return message === undefined ? {} : { commit: { message } };
}

/** A sanity check has nothing to calibrate: it is about agents. */
export function calibrationOf(settings: Layer, sanityCheck: boolean): Pick<RunConfig, 'calibration'> {
  return sanityCheck ? {} : { calibration: setting(settings, 'acceptance.calibration') };
}

/**
 * Whether a reviewer's pass alone completes the run. A plan file in the plan folder names no check: if none
 * could turn green, its document defines success by the reviewer.
 */
export function acceptReviewOf(settings: Layer, isPlanFile: boolean): NonNullable<RunConfig['acceptReview']> {
  return configuredReview(settings) ?? (isPlanFile ? 'no-check-could-flip' : false);
}

/** The value of a flag, a file or an answer; undefined if only the default applies. */
export function configuredReview(settings: Layer): boolean | undefined {
  const configured = settings.get('acceptReview');
  return configured === undefined || configured.origin.kind === 'default'
    ? undefined
    : configured.value === true;
}

/** Only a flag or a file distinguishes one start from another: an answer may come while the run continues. */
export function reviewSetting(settings: Layer): Pick<RunConfig, 'acceptReview'> {
  const acceptReview = configuredReview(settings);
  const isAnswer = settings.get('acceptReview')?.origin.kind === 'answer';
  return acceptReview === undefined || isAnswer ? {} : { acceptReview };
}

/** Empty if not configured: then a check that fails and passes on one tree never passes. */
export function flakyOf(settings: Layer): Pick<RunConfig, 'flaky'> {
  const passes = setting(settings, 'check.flaky.passes') ?? null;
  const retries = setting(settings, 'check.flaky.retries') ?? passes ?? 0;
  const again = againOf(settings);
  const isUsual = again.looks === usualAgain.looks && again.withinMs === usualAgain.withinMs;
  return retries === 0 && isUsual ? {} : { flaky: { retries, passes, ...(isUsual ? {} : { again }) } };
}

function againOf(settings: Layer): RecheckPolicy {
  return {
    looks: setting(settings, 'check.flaky.runs'),
    withinMs: durationOf(settings, 'check.flaky.within'),
  };
}

/** Contract: every id names a check of these tasks; a typing error would silently have no effect. */
export function knownRedOf(settings: Layer, tasks: readonly Task[] | null): RunConfig['knownRed'] {
  const configured = setting(settings, 'knownRed');
  if (configured === 'all' || tasks === null) return configured;
  const checks = tasks.flatMap((task) => task.criteria).filter(({ check }) => isMachineCheck(check));
  const ids = [...new Set(checks.map(({ id }) => id))];
  const stray = configured.find((id) => !ids.includes(id));
  if (stray === undefined) return configured;
  throw new OperatorError(
    'unknown-check',
    `${settings.get('knownRed')?.origin.where ?? 'knownRed'}: no check has the id "${stray}".`,
    ids.length === 0 ? 'There is no check; add one with --check.' : `The checks are ${ids.join(', ')}.`,
  );
}

const secondMs = 1000;
const hourMs = 3_600_000;

/** Frozen only if the user set one of them: the defaults must not make an older run look changed. */
export function suspensionOf(settings: Layer): Pick<RunConfig, 'suspension'> {
  const isConfigured = [...settings].some(
    ([path, { origin }]) => path.startsWith('suspension.') && origin.kind !== 'default',
  );
  if (!isConfigured) return {};
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
