import { expect, it } from 'vitest';
import { queue } from '#policies/presets/queue.ts';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { verificationText } from './verification-text.ts';
import { verificationOf } from './verification.ts';

it('A skipped task does not prevent a new verification, even if a reviewer was required for it [X4] [Q5]', () => {
  const criteria = [commandCriterion('works'), reviewerCriterion];
  const tasks = [
    simulatedTask('a', { criteria: [commandCriterion('works')] }),
    simulatedTask('b', { criteria }),
  ];
  const played = playRun({ tasks, config: { preset: 'queue' }, policy: queue.policy });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endSession(played.beginOne(), { endTree: 'one' });
  played.endCheck(played.beginOne(), {});
  played.endCommit(played.beginOne(), 'c-one');
  played.ask({ kind: 'skip', taskId: 'b', why: 'not needed' });
  played.endCheck(played.beginOne(), {});
  played.settle();
  const { run } = played;
  expect(run.outcome).toMatchObject({ outcome: 'completed' });
  const recorded = new Map(
    run.tasks
      .get('a')
      ?.evidence.entries()
      .map(([id, seen]) => [`a/${id}`, seen]),
  );
  const found = verificationOf({
    run,
    recorded,
    gaps: [],
    source: 'journal',
    relation: 'same',
    subject: { commit: 'c-one', tree: 'one' },
    proven: 'c-one',
    remarks: [],
    signature: null,
    logsDir: '/logs',
  });
  expect(found.criteria.map(({ taskId, id, change }) => `${taskId}/${id} ${change}`)).toEqual([
    'a/works same',
    'b/works skipped',
    'b/verifier skipped',
  ]);
  expect(found).toMatchObject({ problems: [], isProven: true });
  // Criteria of several tasks may have the same id.
  expect(verificationText(found)).toContain('b/verifier: skipped');
});

it('A check that fails now is reported once, with its own words, its log and the next command [X4]', () => {
  const criterion = { taskId: 'main', id: 'test', text: '', by: 'npm test', required: true } as const;
  const text = verificationText({
    runId: 'r1',
    commit: 'c'.repeat(40),
    tree: 't',
    source: 'journal',
    relation: 'same',
    isProven: false,
    proof: null,
    problems: ['test: exit 1', 'the run itself ended as failed'],
    criteria: [
      {
        ...criterion,
        recorded: 'pass',
        now: 'fail',
        change: 'worse',
        reason: 'exit 1',
        words: 'AssertionError: 3 is not 4',
        log: 'check.log',
        durationMs: 1,
      },
    ],
    calibration: null,
    environmentDiffers: null,
    environmentDifferences: [],
    signature: null,
    remarks: [],
    logsDir: '/logs',
  });
  expect(text.match(/exit 1/g)).toHaveLength(1);
  expect(text).toContain('`npm test` was pass, now fail (exit 1): AssertionError: 3 is not 4');
  expect(text).toContain('  - the run itself ended as failed');
  expect(text).toContain('Next: read check.log in that folder, correct the cause, then: untildone verify r1');
});
