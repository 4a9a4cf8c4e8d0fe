import { expect, it } from 'vitest';
import { queue } from '#policies/presets/queue.ts';
import { commandCriterion, playRun, reviewerCriterion, simulatedTask } from '#testing/simulated-run.ts';
import { verificationOf, verificationText } from './verification.ts';

it('a task that a person left out keeps nothing from being proven again, whoever should have reviewed it [X4] [Q5]', () => {
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
