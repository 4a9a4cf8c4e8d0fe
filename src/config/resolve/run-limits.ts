// Reads the budget of a run, and the limit of attempts.
import type { BudgetLimits } from '#kernel/model/budget.ts';
import type { Preset } from '#policies/presets/preset.ts';
import { sessionsPerTask } from '#config/defaults.ts';
import { type Layer, setting } from '#config/layers.ts';

/** `tasks`: their number at the start. */
export function budgetOf(settings: Layer, attemptsPerTask: number, tasks: number): BudgetLimits {
  return {
    sessions: sessionsOf(settings, tasks),
    attemptsPerTask,
    activeMs: Math.round(setting(settings, 'budget.hours') * 3_600_000),
    usd: setting(settings, 'budget.usd'),
    tokens: setting(settings, 'budget.tokens'),
    sessionUsd: setting(settings, 'budget.sessionUsd'),
    sessionTokens: setting(settings, 'budget.sessionTokens'),
  };
}

/** The default grows with the tasks, so that a long list does not end midway. Money and time do not grow. */
export function sessionsOf(settings: Layer, tasks: number): number {
  const sessions = setting(settings, 'budget.sessions');
  const kind = settings.get('budget.sessions')?.origin.kind ?? 'default';
  return kind === 'default' ? Math.max(sessions, sessionsPerTask * tasks) : sessions;
}

/** The loops of the preset replace the general limit; the user's own value beats both. */
export function attemptsOf(settings: Layer, preset: Preset): number {
  const iterations = preset.actions === true ? setting(settings, 'actions.maxIterations') : undefined;
  return (
    iterations ??
    setting(settings, 'maxLoops') ??
    setting(settings, 'budget.attempts') ??
    preset.limits.attemptsMax ??
    setting(settings, 'durableSteps.defaultMaxAttempts')
  );
}

/** One sentence that says which of several given attempt limits applies; empty if that is clear. */
export function attemptsNotes(settings: Layer, preset: Preset): string[] {
  const loops = settings.get('maxLoops');
  const attempts = settings.get('budget.attempts');
  if (loops === undefined && attempts === undefined) return unusedDefault(settings, preset);
  if (loops === undefined || attempts === undefined) return [];
  return [
    `Attempts are limited to ${String(loops.value)} by ${loops.origin.where}; ${attempts.origin.where} (budget.attempts ${String(attempts.value)}) has no effect.`,
  ];
}

function unusedDefault(settings: Layer, preset: Preset): string[] {
  const configured = settings.get('durableSteps.defaultMaxAttempts');
  const own = ownAttempts(preset);
  if (configured === undefined || configured.origin.kind === 'default' || own === null) return [];
  return [`${configured.origin.where}: durableSteps.defaultMaxAttempts has no effect: ${own}.`];
}

/** The attempt limit of a preset that ignores `durableSteps.defaultMaxAttempts`; null for others. */
export function ownAttempts({ name, loops, limits: { attemptsMax } }: Preset): string | null {
  if (loops !== undefined) return `the preset ${name} counts by loops.*`;
  return attemptsMax === undefined ? null : `the preset ${name} allows ${attemptsMax} attempts`;
}

/** The attempt limit for `config show`: the preset's own, if neither the user nor a loop sets one. */
export function withPresetAttempts(settings: Layer, preset: Preset): Layer {
  const isConfigured = settings.has('maxLoops') || settings.has('budget.attempts');
  if (isConfigured || preset.loops !== undefined) return settings;
  const own = preset.limits.attemptsMax;
  const origin = { kind: 'preset', where: preset.name } as const;
  const inForce =
    own === undefined ? settings.get('durableSteps.defaultMaxAttempts') : { value: own, origin };
  return inForce === undefined ? settings : new Map([...settings, ['budget.attempts', inForce]]);
}
