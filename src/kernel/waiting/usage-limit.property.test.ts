import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Policy } from '#kernel/decide/policy.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import { criteria } from '#policies/presets/criteria.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
  wakeTime,
} from '#test/simulated/simulated-run.ts';

const sessionsMax = 4;

/** Plays a run whose starts are refused as in `refusals`; everything else succeeds. Returns the number of started sessions. */
function live(played: PlayedRun, refusals: readonly boolean[]): { readonly begun: number } {
  let at = 0;
  let begun = 0;
  for (let rounds = 0; rounds < 200 && played.run.outcome === null; rounds += 1) {
    const wakeAt = wakeTime(played.settle());
    const started = played.begin();
    for (const step of started) {
      if (step.deed.kind === 'check') {
        played.endCheck(step, { works: step.deed.purpose === 'base' ? 'fail' : 'pass' });
      } else if (step.deed.kind === 'session') {
        const isRefused = refusals[at] === true;
        at += 1;
        if (!isRefused) begun += 1;
        played.endSession(step, isRefused ? refusedResult(played) : endOf(step.deed.readOnly, step.baseTree));
      } else if (step.deed.kind === 'commit') {
        played.endCommit(step, 'c1');
      } else {
        throw new Error(`unexpected: ${step.stepId}`);
      }
    }
    if (started.length === 0 && wakeAt !== null) played.pass(Math.max(1, wakeAt - played.run.now));
  }
  return { begun };
}

function refusedResult({ run }: PlayedRun): Partial<SessionResult> {
  return {
    ending: {
      kind: 'failed',
      errorClass: 'usage-limit',
      detail: 'another run met it',
      resetAt: run.now + 60_000,
    },
    signal: null,
    usage: { usd: 0, tokens: 0 },
    endTree: null,
    log: '',
    notAdmitted: true,
  };
}

function endOf(isReview: boolean, baseTree: string | null): Partial<SessionResult> {
  return { endTree: isReview ? baseTree : 'work' };
}

function repeated(count: number): boolean[] {
  return Array<boolean>(count).fill(true);
}

test.each<[string, Policy, readonly Criterion[]]>([
  ['builder-verifier', builderVerifier.policy, [reviewerCriterion]],
  ['criteria', criteria.policy, []],
])(
  'A refused start counts as no attempt and no session, costs nothing and keeps no reservation, in %s [U5] [X1]',
  (_, policy, more) => {
    const often = countReached('more refusals than the budget has sessions', { floor: 0.1 });
    const once = countReached('a refused start', { floor: 0.5 });
    assertProperty(
      fc.property(fc.nat(6), fc.nat(6), (builders, reviewers) => {
        const refusals = [...repeated(builders), false, ...repeated(reviewers), false];
        const task = simulatedTask('main', { criteria: [commandCriterion('works'), ...more] });
        const played = playRun({
          tasks: [task],
          config: {
            budget: simulatedBudget({ sessions: sessionsMax, attemptsPerTask: 1 }),
            policy: simulatedPolicy({ ...policyOf(policy) }),
          },
          policy,
        });
        played.prepare();
        const { begun } = live(played, refusals);
        const refused = played.events.filter(
          (event) => event.type === 'step-ended' && 'notAdmitted' in event.result,
        ).length;
        if (refused > 0) once.mark();
        if (refused > sessionsMax) often.mark();
        const { run } = played;
        expect(run.outcome?.outcome).toBe('completed');
        expect(run.ledger).toMatchObject({
          spent: { sessions: begun, usd: begun },
          reserved: { sessions: 0, usd: 0, tokens: 0 },
          usdIsComplete: true,
        });
        expect(run.sessions).toHaveLength(begun);
        expect(run.tasks.get('main')).toMatchObject({ attempt: 1, failures: { count: 0, fallbackIndex: 0 } });
        expect(replay(played.events)).toEqual(run);
      }),
      { reaches: [once, often] },
    );
  },
);

function policyOf({ name }: Policy): Partial<ReturnType<typeof simulatedPolicy>> {
  return name === 'criterion-by-criterion' && criteria.loops !== undefined ? { loops: criteria.loops } : {};
}
