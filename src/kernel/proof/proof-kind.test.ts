import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Criterion, Verdict } from '#kernel/model/criterion.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import type { Run } from '#kernel/fold/run.ts';
import {
  commandCriterion,
  personCriterion,
  playRun,
  reviewerCriterion,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { isReviewAccepted, proofOfRun, proofOfTask } from './proof-kind.ts';

const heldOut = commandCriterion('secret', {
  when: 'acceptance',
  check: { kind: 'held-out', hash: 'h' },
});
const calibrated = (known: Partial<Calibration>): Calibration => ({
  kind: 'attribution',
  verdict: 'passed',
  reason: 'said',
  runs: 1,
  durationMs: 1,
  logs: [],
  ...known,
});
const addedTests = calibrated({ kind: 'added-tests' });
const restsOnAdded = calibrated({ restsOnAddedFiles: true });

interface Played {
  readonly tasks?: readonly string[];
  readonly criteria: readonly Criterion[];
  /** The verdict of every check on every base. */
  readonly base?: Verdict;
  readonly calibration?: readonly Calibration[];
  readonly config?: Partial<RunConfig>;
}

/** Each task changes a file; every check and every reviewer passes the work. */
function play({ tasks = ['main'], criteria, base = 'pass', ...known }: Played): Run {
  const { config = {} } = known;
  const played = playRun({
    tasks: tasks.map((id) => simulatedTask(id, { criteria: criteria.filter((one) => isFor(one, id)) })),
    config: { acceptReview: false, ...config },
  });
  played.prepare();
  for (let rounds = 0; rounds < 60 && played.run.outcome === null; rounds += 1) {
    const steps = played.begin();
    const [task] = played.run.queue.active;
    if (steps.length === 0 && task?.workTree != null)
      played.ask({ kind: 'approve', taskId: task.spec.id, criterionId: 'person', tree: task.workTree });
    for (const step of steps) {
      const { deed } = step;
      if (deed.kind === 'commit') played.endCommit(step, `c-${step.stepId}`);
      else if (deed.kind === 'session')
        played.endSession(step, deed.readOnly ? {} : { endTree: `work-${step.stepId}` });
      else if (deed.kind === 'check') {
        const verdict = deed.purpose === 'base' ? base : 'pass';
        const seen = Object.fromEntries(deed.criteria.map(({ criterionId }) => [criterionId, verdict]));
        const { calibration } = known;
        const isLast = deed.purpose === 'acceptance' && calibration !== undefined;
        played.endCheck(step, seen, isLast ? { calibration } : {});
      }
    }
  }
  return played.run;
}

/** `b/works` belongs to task b alone. */
function isFor({ text }: Criterion, taskId: string): boolean {
  return !text.includes('/') || text.startsWith(`${taskId}/`);
}

const works = commandCriterion('works');

describe('The reason of an unverified run', () => {
  it.each<[string, Played, string]>([
    [
      'A check that was green before the work',
      { criteria: [works] },
      'every passing check passed before the work, and there is no review',
    ],
    [
      'A check that is green only with tests of the work',
      { criteria: [works], base: 'unknown', calibration: [restsOnAdded] },
      'the checks pass only with tests that came with the work, and there is no review',
    ],
  ])('%s is named as the reason', (_, played, reason) => {
    expect(play(played).outcome).toMatchObject({ outcome: 'unverified', reason });
  });
});

describe('The proof of a run', () => {
  it.each<[string, Played, Run['outcome']]>([
    ['checks', { criteria: [works, reviewerCriterion], base: 'fail' }, ended('completed', 'checks')],
    ['held-out', { criteria: [heldOut, reviewerCriterion], base: 'fail' }, ended('completed', 'held-out')],
    [
      'added-tests',
      { criteria: [works, reviewerCriterion], calibration: [addedTests] },
      ended('completed', 'added-tests'),
    ],
    ['person', { criteria: [works, personCriterion] }, ended('completed', 'person')],
    ['review', { criteria: [works, reviewerCriterion] }, ended('unverified', 'review')],
    ['added tests without a reviewer', { criteria: [works], calibration: [addedTests] }, ended('unverified')],
    [
      'a flip that rests on added files',
      { criteria: [works, reviewerCriterion], base: 'fail', calibration: [restsOnAdded] },
      ended('unverified', 'review'),
    ],
    [
      'a flip that rests on added tests',
      { criteria: [works, reviewerCriterion], base: 'fail', calibration: [restsOnAdded, addedTests] },
      ended('completed', 'added-tests'),
    ],
    ['nothing', { criteria: [works] }, ended('unverified')],
  ])(
    'The kind of proof decides the outcome, and the last fact names it: %s [X3] [X7]',
    (_, given, expected) => {
      const { outcome } = play(given);
      expect({ outcome: outcome?.outcome, proof: outcome?.proof }).toEqual({
        outcome: expected?.outcome,
        proof: expected?.proof,
      });
    },
  );

  it('The proof of a run is the weakest of its tasks; a task with only a review lands, and its dependents start [X3]', () => {
    const own = commandCriterion('own', { text: 'a/own' });
    const run = play({ tasks: ['a', 'b'], criteria: [own, reviewerCriterion], base: 'fail' });
    expect([...run.tasks.values()].map((task) => proofOfTask(run, task))).toEqual(['checks', 'review']);
    expect(proofOfRun(run)).toBe('review');
    expect(run.outcome).toMatchObject({ outcome: 'unverified', proof: 'review' });
    expect(run.outcome?.reason).toContain('(b)');
  });
});

describe("A reviewer's pass alone", () => {
  const reviewed: Played = { criteria: [works, reviewerCriterion] };

  it.each([true, 'no-check-could-flip'] as const)(
    'A review alone completes a run that accepts reviews, and the reason says so: %s [X3]',
    (acceptReview) => {
      const { outcome } = play({ ...reviewed, config: { acceptReview } });
      expect(outcome).toMatchObject({ outcome: 'completed', proof: 'review' });
      expect(outcome?.reason).toContain("a reviewer's pass is the only proof");
    },
  );

  it('A review alone does not complete a run that accepts reviews only if no check could flip, when one could [X3]', () => {
    const config = { acceptReview: 'no-check-could-flip' } as const;
    const run = play({ ...reviewed, base: 'fail', calibration: [restsOnAdded], config });
    expect(run.outcome).toMatchObject({ outcome: 'unverified', proof: 'review' });
  });

  it('A review alone completes a run recorded before the setting existed: its rule stays in force', () => {
    const run = play(reviewed);
    const { acceptReview: _, ...old } = run.config;
    const created = { at: 1, type: 'run-created', runId: 'old', version: 1, config: old } as const;
    expect(isReviewAccepted(replay([created]))).toBe(true);
    expect(isReviewAccepted(run)).toBe(false);
  });
});

function ended(outcome: 'completed' | 'unverified', proof?: NonNullable<Run['outcome']>['proof']) {
  return { outcome, reason: '', ...(proof === undefined ? {} : { proof }) };
}
