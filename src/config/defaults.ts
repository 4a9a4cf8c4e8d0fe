// Every number that nobody has to give, with the reason for it.
import type { BudgetLimits } from '#kernel/budget.ts';
import type { PolicyConfig } from '#kernel/config.ts';
import type { SessionLimits } from '#kernel/step.ts';
import type { NotifyEntry } from './notify.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How many attempts a task gets is the preset's to say. */
export const defaultBudget: Omit<BudgetLimits, 'attemptsPerTask'> = {
  // Twenty attempts of a builder and a verifier: more has never helped where that did not.
  sessions: 40,
  // One night.
  activeMs: 8 * hourMs,
  // What a person forgives a program for wasting in one night.
  usd: 20,
  // About what 20 USD buy of a middle model, for those who pay by subscription.
  tokens: 20_000_000,
  // A quarter of the whole: one runaway session must leave something for the others.
  sessionUsd: 5,
  sessionTokens: 5_000_000,
};

/** A builder and a verifier, and both once more: the default of `sessions` is so many for each task where that is more. */
export const sessionsPerTask = 4;

export const defaultSession: SessionLimits = {
  // The longest honest session seen is well below; a hang would otherwise take the night.
  wallMs: 2 * hourMs,
  // A thinking model is silent for minutes, a hung one for ever.
  idleMs: 15 * minuteMs,
  // Enough for a client to write its transcript, too little to go on working.
  graceMs: 30_000,
};

/** The policy's numbers that no preset sets. */
export const defaultPolicy: Pick<
  PolicyConfig,
  'reviewerErrorsMax' | 'setbacksMax' | 'limitWaitMsMax' | 'parallel' | 'stuckMax'
> = {
  // Three reviewer errors in a row are no bad luck any more.
  reviewerErrorsMax: 3,
  // With their back-off about a quarter of an hour: an outage that lasts longer wants a person.
  setbacksMax: 5,
  // A night. Weekly limits end later, and nobody wants a process that waits for days unasked.
  limitWaitMsMax: 12 * 60 * minuteMs,
  // Three times the same failure, or the same files: the fourth would be no other. More could not come before the last attempt.
  stuckMax: 3,
  // One task at a time is what everybody can follow; more is asked for.
  parallel: 1,
};

/** Slow suites take minutes; what takes longer than this hangs. */
export const defaultCheckTimeoutMs = 20 * minuteMs;

/** What a server gets to start and answer; one that builds itself first may be given more. */
export const defaultServeTimeoutMs = 2 * minuteMs;

/** Where other people's work is; a run never commits there. */
export const defaultProtectedBranches: readonly string[] = ['main', 'master'];

export const defaultPreset = 'builder-verifier';
export const defaultHarnessDir = 'harness';

/**
 * Who looks at the terminal needs no bell, and after a minute people look elsewhere. Everything else is asked for: nothing of a run
 * leaves the machine unless somebody said so.
 */
export const defaultNotify: readonly NotifyEntry[] = [{ to: 'terminal', after: '1m' }];

/** One try of one notification; a receiver that needs longer hangs. */
export const defaultNotifyTimeoutMs = 10_000;

/** Late enough to be no noise, early enough to raise the budget before the run ends. */
export const defaultWarnPercent = 80;

export const notifyLimits = {
  // Over a restart of the receiver, and not much longer: what is told an hour late helps nobody.
  backoffMs: [500, 2000, 8000, 30_000],
  // A receiver that wants more than a minute gets nothing; the run's own words are in its report.
  retryAfterMsMax: 60_000,
  // More than a run ever says; a flood would be a mistake of ours.
  waitingMax: 50,
};

/** A shell prompt that comes back a little late is forgiven; one that does not come back is not. */
export const notifyGraceMs = 5000;
