// What a run may spend, and how long each part of it may take.
import type { BudgetLimits } from '#kernel/budget.ts';
import type { Preset } from '#policies/presets/index.ts';
import { defaultBudget, sessionsPerTask } from './defaults.ts';
import { parseDuration } from './duration.ts';
import type { Layer } from './layers.ts';
import { setting } from './layers.ts';

/** `tasks`: how many are known at the start. */
export function budgetOf(settings: Layer, attemptsPerTask: number, tasks: number): BudgetLimits {
  const hours = setting(settings, 'budget.hours');
  return {
    sessions: sessionsOf(settings, tasks),
    attemptsPerTask,
    activeMs: hours === undefined ? defaultBudget.activeMs : Math.round(hours * 3_600_000),
    usd: setting(settings, 'budget.usd') ?? defaultBudget.usd,
    tokens: setting(settings, 'budget.tokens') ?? defaultBudget.tokens,
    sessionUsd: setting(settings, 'budget.sessionUsd') ?? defaultBudget.sessionUsd,
    sessionTokens: setting(settings, 'budget.sessionTokens') ?? defaultBudget.sessionTokens,
  };
}

/** Grows with the tasks where nobody said anything: a long list is no reason to end in its middle. Money and time do not grow. */
export function sessionsOf(settings: Layer, tasks: number): number {
  const isSaid = settings.get('budget.sessions')?.origin.kind !== 'default';
  const said = isSaid ? setting(settings, 'budget.sessions') : undefined;
  return said ?? Math.max(defaultBudget.sessions, sessionsPerTask * tasks);
}

/** The loops of the preset take the place of the general limit; what a person said beats both. */
export function attemptsOf(settings: Layer, preset: Preset): number {
  const iterations = preset.actions === true ? setting(settings, 'actions.maxIterations') : undefined;
  return (
    iterations ??
    setting(settings, 'maxLoops') ??
    setting(settings, 'budget.attempts') ??
    preset.limits.attemptsMax
  );
}

/** Which of two given limits of attempts is in force, in a sentence; none where only one is given. */
export function attemptsNotes(settings: Layer): string[] {
  const loops = settings.get('maxLoops');
  const attempts = settings.get('budget.attempts');
  if (loops === undefined || attempts === undefined) return [];
  return [
    `Attempts are limited to ${String(loops.value)} by ${loops.origin.where}; ${attempts.origin.where} (budget.attempts ${String(attempts.value)}) is not in force.`,
  ];
}

/** The limit of attempts as `config show` lists it: the preset's own if the user gave none and no loop counts instead. */
export function withPresetAttempts(settings: Layer, preset: Preset): Layer {
  const isGiven = settings.has('maxLoops') || settings.has('budget.attempts');
  if (isGiven || preset.loops !== undefined) return settings;
  const origin = { kind: 'preset', where: preset.name } as const;
  return new Map([...settings, ['budget.attempts', { value: preset.limits.attemptsMax, origin }]]);
}

export function durationOf(
  settings: Layer,
  path:
    | 'check.timeout'
    | 'check.flaky.within'
    | 'cooldown'
    | 'actions.turnTimeout'
    | 'session.wall'
    | 'session.idle'
    | 'session.grace',
  fallbackMs: number,
): number {
  const given = setting(settings, path);
  return (given === undefined ? null : parseDuration(given)) ?? fallbackMs;
}
