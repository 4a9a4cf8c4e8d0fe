// Suspensions that are met, expire, are answered or get reminders, in any order: three laws hold.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { Control } from '#kernel/events/control.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { commandCriterion, playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { Condition } from './condition.ts';
import { openSuspensions, suspensionFor } from './suspension.ts';

const simple: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ kind: fc.constant('time' as const), at: fc.nat(1_000_000) }),
  fc.constant<Condition>({ kind: 'manual' }),
  fc.constant<Condition>({ kind: 'file', path: '/somewhere' }),
  fc.constant<Condition>({ kind: 'poll', command: 'x', everyMs: 1, until: 9, timeoutMs: 1 }),
);
const condition = fc.oneof(
  simple,
  fc.record({
    kind: fc.constantFrom('any' as const, 'all' as const),
    of: fc.array(simple, { minLength: 1, maxLength: 3 }),
  }),
);
const scope = fc.constantFrom(undefined, 'one', 'two', 'no-such-task');
const controls: fc.Arbitrary<Control> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(condition, scope, fc.boolean()).map(toSuspend) },
  fc.tuple(condition, fc.constantFrom('one', 'two')).map(([wanted, taskId]): Control => ({
    kind: 'ask-suspension',
    taskId,
    condition: wanted,
    why: 'agent',
    since: 0,
  })),
  fc
    .tuple(scope, fc.constantFrom({ force: true }, { approve: true }, { reject: 'no' }, {}))
    .map(([taskId, how]): Control => ({
      kind: 'resume',
      ...how,
      ...(taskId === undefined ? {} : { taskId }),
    })),
  fc.constant<Control>({ kind: 'pause', why: 'lunch' }),
  fc.constant<Control>({ kind: 'skip', taskId: 'one', why: 'no' }),
);
const deeds = fc.array(fc.oneof(controls, fc.constantFrom('met', 'expired', 'reminded', 'begin', 'end')), {
  minLength: 5,
  maxLength: 40,
});

type Operation = Control | string;

it('A scope has at most one suspension and starts no step while suspended, and a replay gives the same [U1] [U2] [U3]', () => {
  const suspended = countReached('a suspended run or task', { floor: 0.5 });
  const both = countReached('two suspensions at once', { floor: 0.1 });
  const ended = countReached('a suspension that ends', { floor: 0.3 });
  assertProperty(
    fc.property(deeds, (happenings) => {
      const played = playing();
      for (const operation of happenings) {
        const before = played.run.suspensions.size;
        act(played, operation);
        const { suspensions } = played.run;
        if (suspensions.size > 0) suspended.mark();
        if (suspensions.size > 1) both.mark();
        if (suspensions.size < before) ended.mark();
        expect(brokenLaws(played)).toEqual([]);
        expect(replay(played.events).suspensions).toEqual(suspensions);
      }
    }),
    { reaches: [suspended, both, ended], numRuns: 200 },
  );
});

function brokenLaws(played: PlayedRun): string[] {
  const { run } = played;
  const scopes = [...run.suspensions.values()].map(({ taskId }) => taskId);
  const { start } = played.settle();
  const held = new Set(openSuspensions(run).map(({ taskId }) => taskId));
  const isAllHeld = suspensionFor(run, null) !== null;
  return [
    ...(new Set(scopes).size === scopes.length ? [] : ['two suspensions of one scope']),
    ...start
      .filter(({ taskId }) => isAllHeld || held.has(taskId))
      .map(({ stepId }) => `${stepId} starts in a suspended scope`),
  ];
}

function act(played: PlayedRun, operation: Operation): void {
  const { run } = played;
  if (typeof operation !== 'string') {
    played.ask(operation);
    played.settle();
    return;
  }
  const [suspensionId] = run.suspensions.keys();
  const [step] = run.running.values();
  if (operation === 'begin') played.begin();
  else if (operation === 'end' && step?.deed.kind === 'session')
    played.endSession(step, { ending: { kind: 'interrupted', resumeId: 'abc' }, endTree: 'half' });
  else if (suspensionId === undefined) return;
  else if (operation === 'met')
    played.record({ type: 'condition-met', suspensionId, what: 'seen', seenAt: 1 });
  else if (operation === 'expired')
    played.record({ type: 'suspension-expired', suspensionId, looks: 1, last: 'exit 1' });
  else if (operation === 'reminded') played.record({ type: 'reminded', suspensionId });
}

function toSuspend([wanted, taskId, isNow]: [Condition, string | undefined, boolean]): Control {
  return {
    kind: 'suspend',
    condition: wanted,
    why: 'CI',
    since: 0,
    remindAt: 9000,
    ...(taskId === undefined ? {} : { taskId }),
    ...(isNow ? { now: true as const } : {}),
  };
}

function playing(): PlayedRun {
  const criteria = [commandCriterion('works')];
  const played = playRun({ tasks: ['one', 'two'].map((id) => simulatedTask(id, { criteria })) });
  played.prepare();
  for (const step of played.begin()) played.endCheck(step, { works: 'fail' });
  return played;
}
