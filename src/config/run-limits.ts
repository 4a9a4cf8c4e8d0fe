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
  const loops = setting(settings, 'maxLoops');
  if (loops !== undefined) return loops;
  const isSaid = settings.get('budget.attempts')?.origin.kind !== 'default';
  return (isSaid ? setting(settings, 'budget.attempts') : undefined) ?? preset.limits.attemptsMax;
}

export function durationOf(
  settings: Layer,
  path:
    | 'check.timeout'
    | 'check.flaky.within'
    | 'cooldown'
    | 'session.wall'
    | 'session.idle'
    | 'session.grace',
  fallbackMs: number,
): number {
  const given = setting(settings, path);
  return (given === undefined ? null : parseDuration(given)) ?? fallbackMs;
}
