// Every default value, with its reason. A value that the kernel or a policy also needs, for journals that
// lack it, is defined there with its reason.
import type { PolicyConfig } from '#kernel/model/config.ts';
import { usualAgain } from '#kernel/model/flaky.ts';
import { defaultSuspension } from '#kernel/waiting/suspension-settings.ts';
import { defaultLoops } from '#policies/loops/loop-settings.ts';
import { defaultQueue } from '#policies/loops/queue-settings.ts';
import { defaultCheckTimeoutMs } from '#tasks/criteria/checks.ts';
import type { SettingTypes } from './layers.ts';

const secondMs = 1000;
const hourMs = 3_600_000;

/** As `config show` prints them. A setting that is not here has no default, or one of its preset. */
export const defaultSettings = {
  preset: 'builder-verifier',
  checks: [],
  criteria: [],
  // The user decides when the work is done.
  proposals: 'person',

  'loops.enabled': defaultLoops.enabled,
  'loops.enforced': defaultLoops.enforced,
  'loops.blockExitUntilComplete': defaultLoops.blockExitUntilComplete,
  'loops.requireVerification': defaultLoops.requireVerification,
  'loops.blockOnSkip': defaultLoops.blockOnSkip,
  'loops.maxRetries': defaultLoops.maxRetries,
  'loops.maxIterations': defaultLoops.maxIterations,
  'loops.commitEvery': defaultLoops.commitEvery,
  'loops.pauseBetweenScenarios': defaultLoops.pauseBetweenScenarios,
  'loops.autoInferVerification': defaultLoops.autoInferVerification,
  'loops.fallbackToManual': defaultLoops.fallbackToManual,
  'loops.suggestBrowserTests': defaultLoops.suggestBrowserTests,

  // The journal allows a run to continue: typing the same command again is the natural way.
  'durableSteps.enabled': true,
  'durableSteps.autoResume': true,
  // A reboot ends every waiting process; the next command is the first chance to wake a run.
  'durableSteps.checkSuspensionsOnStart': true,
  // A fifth failure in a row nearly always means that the task, not the attempt, is wrong.
  'durableSteps.defaultMaxAttempts': 5,

  'suspension.enabled': defaultSuspension.isEnabled,
  'suspension.pollIntervalSeconds': defaultSuspension.pollEveryMs / secondMs,
  'suspension.maxPollAttempts': defaultSuspension.pollLooksMax,
  'suspension.pollTimeoutSeconds': defaultSuspension.pollTimeoutMs / secondMs,
  'suspension.reminderAfterHours': defaultSuspension.remindAfterMs / hourMs,
  'suspension.byAgents.maxHours': defaultSuspension.byAgents.hoursMax,
  'suspension.byAgents.perRun': defaultSuspension.byAgents.perRunMax,

  'queue.onFailure': defaultQueue.onFailure,
  'queue.crashRetries': defaultQueue.crashRetries,

  'check.timeout': seconds(defaultCheckTimeoutMs),
  'check.flaky.runs': usualAgain.looks,
  'check.flaky.within': seconds(usualAgain.withinMs),
  // A variable may be a secret: the user must name each one.
  'check.env': [],
  'agent.env': [],

  // Twenty attempts of a builder and a verifier: more has never helped a run that failed with these.
  'budget.sessions': 40,
  // One night.
  'budget.hours': 8,
  // An amount that a person forgives a program for wasting in one night.
  'budget.usd': 20,
  // About what 20 USD buy from a mid-priced model, for users with a subscription.
  'budget.tokens': 20_000_000,
  // A quarter of the whole: one runaway session must leave something for the others.
  'budget.sessionUsd': 5,
  'budget.sessionTokens': 5_000_000,
  // Late enough not to be noise, early enough to raise the budget before the run ends.
  'budget.warnPercent': 80,

  // A fourth equal failure or tree brings nothing new, and presets with 4 attempts would end by then.
  'stuck.max': 3,
  // One night. Weekly limits last longer, and the user must ask for a process that waits for days.
  'usageLimit.maxWait': '43200s',
  // A user who names a fallback wants the work to continue; without one, nothing changes.
  'routing.onUsageLimit': 'fallback',

  // A user at the terminal needs no bell, and after a minute attention moves elsewhere. Everything else is
  // opt-in: nothing of a run leaves the machine unless the user says so.
  notify: [{ to: 'terminal', after: '1m' }],

  // The longest normal session seen is well below; a hang would otherwise take the night.
  'session.timeout': '7200s',
  // A thinking model is silent for minutes, a hung one for ever.
  'session.idleTimeout': '900s',
  // Enough for a client to write its transcript, too little to continue working.
  'session.grace': '30s',

  // Pinned files stay unchanged unless the user lists them, and only a person accepts a change of one.
  mayChange: [],
  'tamper.acceptedBy': 'person',
  // A check that no planted failure turns red proves nothing.
  'acceptance.calibration': 'auto',
  // A review alone proves nothing that a machine could check.
  acceptReview: false,
  // A hook is written for a person's own checkout; the user knows whether it also fits a run's.
  preCommitHook: false,
  // Every red check counts until the user lists it.
  knownRed: [],
  copy: [],
  // Shared branches; a run never commits there.
  protectedBranches: ['main', 'master'],
  // A run in the user's own checkout would get in the user's way.
  inPlace: false,

  // Machines have different sandboxes; a run uses the available one.
  'sandbox.use': 'auto',
  'sandbox.allowRead': [],
  'sandbox.denyRead': [],
  'sandbox.allowWrite': [],
  'sandbox.allowHosts': [],
  harnessDir: 'harness',
} satisfies Partial<SettingTypes>;

function seconds(ms: number): string {
  return `${ms / secondMs}s`;
}

/** Builder and verifier, twice: `budget.sessions` defaults to this for each task, if that is more. */
export const sessionsPerTask = 4;

/** Policy numbers that neither a preset nor a setting sets. */
export const fixedPolicy: Pick<PolicyConfig, 'reviewerErrorsMax' | 'setbacksMax' | 'parallel'> = {
  // Three reviewer errors in a row are no longer bad luck.
  reviewerErrorsMax: 3,
  // About 15 minutes with their back-off: a longer outage needs a person.
  setbacksMax: 5,
  // One task at a time is easiest to follow; more is opt-in.
  parallel: 1,
};

/** Limit for one delivery attempt; a receiver that needs longer hangs. */
export const defaultNotifyTimeoutMs = 10_000;

export const notifyLimits = {
  // Long enough for a restart of the receiver: a message that is an hour late helps no one.
  backoffMs: [500, 2000, 8000, 30_000],
  // A receiver that wants more than a minute gets nothing; the report of the run has the text.
  retryAfterMsMax: 60_000,
  // More than a run ever sends; a flood would be a bug of ours.
  waitingMax: 50,
};

/** A shell prompt may return a little late, but it must return. */
export const notifyGraceMs = 5000;
