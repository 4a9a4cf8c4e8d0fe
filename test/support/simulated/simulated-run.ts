// A run played step by step: facts in, decisions out, no world. For tests of the kernel, of policies and of
// presets.
import { apply, replay } from '#kernel/fold/apply.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Control } from '#kernel/events/control.ts';
import type { Criterion, Evidence, Verdict } from '#kernel/model/criterion.ts';
import { decide } from '#kernel/decide/decide.ts';
import type { Event, Fact } from '#kernel/events/events.ts';
import { eventVersion } from '#kernel/events/events.ts';
import type { Policy } from '#kernel/decide/policy.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { SessionResult, Step } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import type { Decision } from '#kernel/decide/decision.ts';

export interface PlayedRun {
  readonly run: Run;
  readonly events: readonly Event[];
  /** Writes facts down at the present time. */
  record(...facts: Fact[]): void;
  decide(): Decision;
  /** Records conclusions until there are none; returns the decision that is left. */
  settle(): Decision;
  /** Settles, then starts everything that may start; returns it. */
  begin(): readonly Step[];
  /** Begins and expects exactly one step. */
  beginOne(): Step;
  prepare(): void;
  endSession(step: Step, result: Partial<SessionResult>): void;
  endCheck(step: Step, verdicts: { readonly [criterionId: string]: Verdict }, known?: KnownCheck): void;
  endCommit(step: Step, commit: string): void;
  /** A person asks; returns the id of the request. */
  ask(control: Control): string;
  /** A new driver takes over. */
  takeOver(): void;
  pass(ms: number): void;
}

/** What else is known of a look: the tree that it left, and what the evidence of every check holds. */
export interface KnownCheck extends Partial<
  Pick<Evidence, 'tail' | 'reason' | 'calibration' | 'flaky' | 'cause' | 'failing' | 'ending'>
> {
  readonly treeAfter?: string;
}

export interface PlayOptions {
  readonly tasks: readonly Task[];
  readonly config?: Partial<RunConfig>;
  readonly policy?: Policy;
}

export function playRun({ tasks, config, policy = builderVerifier.policy }: PlayOptions): PlayedRun {
  let now = 1000;
  let asked = 0;
  const created: Fact[] = [
    { type: 'run-created', runId: 'run', version: eventVersion, config: simulatedConfig(config) },
    ...tasks.map((task): Fact => ({ type: 'task-added', task, by: 'plan' })),
    { type: 'driver-started', epoch: 1, driver: 'one' },
  ];
  const events = created.map((fact): Event => ({ at: now, ...fact }));
  const run = replay(events);
  const played: PlayedRun = {
    run,
    events,
    record(...facts) {
      for (const fact of facts) {
        const event: Event = { at: now, ...fact };
        events.push(event);
        apply(run, event);
      }
    },
    decide: () => decide(run, policy),
    settle() {
      for (let rounds = 0; rounds < 100; rounds += 1) {
        const decision = decide(run, policy);
        if (decision.record.length === 0) return decision;
        played.record(...decision.record);
      }
      throw new Error('conclusions without end');
    },
    begin() {
      const { start } = played.settle();
      for (const step of start) played.record({ type: 'step-started', step });
      return start;
    },
    beginOne() {
      const [step, ...more] = played.begin();
      if (step === undefined || more.length > 0)
        throw new Error(
          `expected one step, got ${[step, ...more].map((one) => one?.stepId ?? 'none').join()}`,
        );
      return step;
    },
    prepare: () => prepare(played),
    endSession(step, result) {
      played.record({
        type: 'step-ended',
        stepId: step.stepId,
        result: { ...finishedSession, endTree: step.baseTree, ...result },
      });
    },
    endCheck: (step, verdicts, known) => endCheck(played, step, verdicts, known),
    endCommit: (step, commit) =>
      played.record({ type: 'step-ended', stepId: step.stepId, result: { kind: 'commit', commit } }),
    ask(control) {
      asked += 1;
      const id = `control-${asked}`;
      played.record({ type: 'control-received', id, by: 'ann', control });
      return id;
    },
    takeOver: () => played.record({ type: 'driver-started', epoch: run.epoch + 1, driver: 'another' }),
    pass(ms) {
      const { until } = played.decide();
      now += ms;
      const limits = until.flatMap((one) => (one.kind === 'limit' && one.at <= now ? [one.at] : []));
      for (const due of limits) played.record({ type: 'clock-reached', due, isWall: true });
      played.record({ type: 'clock-reached', due: now });
    },
  };
  return played;
}

/** When time alone changes the decision: by the run's own time, or by the end of a usage limit. */
export function wakeTime({ wakeAt, until }: Decision): number | null {
  const limits = until.flatMap((one) => (one.kind === 'limit' ? [one.at] : []));
  return wakeAt === null && limits.length === 0 ? null : Math.min(wakeAt ?? Infinity, ...limits);
}

const finishedSession: SessionResult = {
  kind: 'session',
  ending: { kind: 'finished' },
  signal: { kind: 'done' },
  usage: { usd: 1, tokens: 1000 },
  endTree: null,
  log: 'builder_001.jsonl',
  ran: { driver: 'scripted', model: null },
};

function prepare(played: PlayedRun): void {
  const { stepId } = played.beginOne();
  played.record({
    type: 'step-ended',
    stepId,
    result: { kind: 'prepare', baseCommit: 'c0', baseTree: 'base', branch: 'untildone/run', pins: [] },
  });
}

function endCheck(
  played: PlayedRun,
  step: Step,
  verdicts: { readonly [criterionId: string]: Verdict },
  { treeAfter, ...known }: KnownCheck = {},
): void {
  if (step.deed.kind !== 'check') throw new Error(`${step.stepId} is no check`);
  for (const { taskId, criterionId } of step.deed.criteria)
    played.record({
      type: 'evidence-recorded',
      evidence: simulatedEvidence({
        taskId,
        criterionId,
        stepId: step.stepId,
        purpose: step.deed.purpose,
        place: step.deed.place,
        tree: step.baseTree ?? '',
        verdict: verdicts[criterionId] ?? 'pass',
        ...known,
      }),
    });
  played.record({
    type: 'step-ended',
    stepId: step.stepId,
    result: { kind: 'check', treeAfter: treeAfter ?? step.baseTree ?? '', brokenPins: [] },
  });
}

export function simulatedEvidence(known: Partial<Evidence>): Evidence {
  const verdict = known.verdict ?? 'pass';
  return {
    taskId: 'main',
    criterionId: 'works',
    stepId: '0001-check',
    purpose: 'attempt',
    place: 'workspace',
    tree: 'base',
    verdict,
    reason: verdict === 'pass' ? 'exit 0' : 'exit 1',
    command: `check ${known.criterionId ?? 'works'}`,
    ending: { kind: 'exited', code: verdict === 'pass' ? 0 : 1 },
    tail: '',
    log: null,
    durationMs: 5,
    ...known,
  };
}

export function simulatedConfig(known: Partial<RunConfig> = {}): RunConfig {
  const role = (name: 'builder' | 'verifier') => ({
    ...preset(name),
    agent: { name: 'simulated', model: null },
    limits: { wallMs: 60_000, idleMs: 30_000, graceMs: 1000 },
  });
  return {
    preset: 'builder-verifier',
    goal: 'make it work',
    key: 'key',
    inputs: 'inputs',
    repo: {
      repoId: 'repo',
      baseCommit: 'c0',
      branch: 'untildone/run',
      inPlace: false,
      protectedBranches: [],
      prefix: '',
    },
    agents: { simulated: { driver: 'scripted', env: [], options: {} } },
    knowledge: { prices: {}, usageLimitWordings: [] },
    roles: { builder: role('builder'), verifier: role('verifier') },
    policy: simulatedPolicy(),
    budget: simulatedBudget(),
    setup: { command: null, isDetected: false, copy: [] },
    checkEnv: {},
    knownRed: [],
    mayChange: [],
    ...known,
  };
}

export function simulatedBudget(known: Partial<RunConfig['budget']> = {}): RunConfig['budget'] {
  return {
    sessions: 40,
    attemptsPerTask: 5,
    activeMs: 8 * 3_600_000,
    usd: 20,
    tokens: 20_000_000,
    sessionUsd: 5,
    sessionTokens: 5_000_000,
    ...known,
  };
}

export function simulatedPolicy(known: Partial<RunConfig['policy']> = {}): RunConfig['policy'] {
  return {
    cooldownMs: 0,
    reviewerErrorsMax: 3,
    setbacksMax: 5,
    limitWaitMsMax: 43_200_000,
    parallel: 1,
    mayLeaveTreeUnchanged: false,
    ...known,
  };
}

function preset(name: 'builder' | 'verifier') {
  const role = builderVerifier.roles[name];
  if (role === undefined) throw new Error(`the preset has no ${name}`);
  return role;
}

export function simulatedTask(id: string, known: Partial<Task> = {}): Task {
  return {
    id,
    title: `Task ${id}`,
    description: `make ${id} work`,
    files: [],
    hints: [],
    dependsOn: [],
    domain: null,
    criteria: [commandCriterion('works')],
    mayChange: [],
    ...known,
  };
}

export function commandCriterion(id: string, known: Partial<Criterion> = {}): Criterion {
  return {
    id,
    text: id,
    kind: 'exit',
    required: true,
    when: 'attempt',
    check: { kind: 'command', run: `check ${id}`, cwd: '', timeoutMs: 60_000 },
    ...known,
  };
}

export const reviewerCriterion: Criterion = commandCriterion('verifier', {
  check: { kind: 'reviewer', role: 'verifier' },
});

export const personCriterion: Criterion = commandCriterion('person', {
  check: { kind: 'human', question: 'Is it good?' },
});
