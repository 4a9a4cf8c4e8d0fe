// Every value that nobody has to give, with the reason for it. A value that the kernel or a policy also needs, for journals that do not
// have it, is theirs, and its reason stands there.
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
  // What counts as done is the user's to say.
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

  // The journal is there to continue from: typing the same command again is the natural way.
  'durableSteps.enabled': true,
  'durableSteps.autoResume': true,
  // A reboot ends every process that waits; the next command is the first chance to wake a run.
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
  'check.flaky.looks': usualAgain.looks,
  'check.flaky.within': seconds(usualAgain.withinMs),
  // A variable may be a secret: each is named by the user.
  'check.env': [],
  'agent.env': [],

  // Twenty attempts of a builder and a verifier: more has never helped where that did not.
  'budget.sessions': 40,
  // One night.
  'budget.hours': 8,
  // What a person forgives a program for wasting in one night.
  'budget.usd': 20,
  // About what 20 USD buy of a middle model, for those who pay by subscription.
  'budget.tokens': 20_000_000,
  // A quarter of the whole: one runaway session must leave something for the others.
  'budget.sessionUsd': 5,
  'budget.sessionTokens': 5_000_000,
  // Late enough to be no noise, early enough to raise the budget before the run ends.
  'budget.warnPercent': 80,

  // Three times the same failure, or the same files: the fourth would be no other. More could not come before the last attempt.
  'stuck.max': 3,
  // A night. Weekly limits end later; a process that waits for days must be asked for.
  'limits.wait': '43200s',
  // A user who names a fallback wants the work to go on; where none is named, nothing changes.
  'routing.onUsageLimit': 'fallback',

  // A user at the terminal needs no bell, and after a minute people look elsewhere. Everything else is asked for: nothing of a run
  // leaves the machine unless the user says so.
  notify: [{ to: 'terminal', after: '1m' }],

  // The longest honest session seen is well below; a hang would otherwise take the night.
  'session.wall': '7200s',
  // A thinking model is silent for minutes, a hung one for ever.
  'session.idle': '900s',
  // Enough for a client to write its transcript, too little to go on working.
  'session.grace': '30s',

  // Pinned files stay as they are unless the user lists them, and only a person accepts a change of one.
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
  // Where other people's work is; a run never commits there.
  protectedBranches: ['main', 'master'],
  // A run in the user's own checkout would be in their way.
  inPlace: false,

  // Machines differ in what they have; a run takes what is there.
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

/** A builder and a verifier, and both once more: the default of `budget.sessions` is so many for each task where that is more. */
export const sessionsPerTask = 4;

/** The policy's numbers that neither a preset nor a setting sets. */
export const fixedPolicy: Pick<PolicyConfig, 'reviewerErrorsMax' | 'setbacksMax' | 'parallel'> = {
  // Three reviewer errors in a row are no bad luck any more.
  reviewerErrorsMax: 3,
  // With their back-off about a quarter of an hour: an outage that lasts longer wants a person.
  setbacksMax: 5,
  // One task at a time is what everybody can follow; more is asked for.
  parallel: 1,
};

/** One try of one notification; a receiver that needs longer hangs. */
export const defaultNotifyTimeoutMs = 10_000;

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
