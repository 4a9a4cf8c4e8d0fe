import { expect, it } from 'vitest';
import type { Verdict } from '#kernel/model/criterion.ts';
import type { SessionEnding } from '#kernel/model/ending.ts';
import { criteria as preset } from '#policies/presets/criteria.ts';
import { defaultLoops } from '#policies/loops/loop-settings.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  simulatedBudget,
  simulatedEvidence,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';

const checks = ['a', 'b'].map((id) => commandCriterion(id, { text: `${id} is done` }));

/** Two criteria, taken one by one; both are red on the base. */
function beginLoop(): PlayedRun {
  const played = playRun({
    tasks: [simulatedTask('main', { criteria: checks })],
    config: {
      policy: simulatedPolicy({ loops: { ...defaultLoops, maxRetries: 2 } }),
      budget: simulatedBudget({ attemptsPerTask: preset.limits.attemptsMax }),
    },
    policy: preset.policy,
  });
  played.prepare();
  played.endCheck(played.beginOne(), { a: 'fail', b: 'fail' });
  return played;
}

interface Session {
  readonly about: string | undefined;
  readonly prompt: string;
}

/** One session and our checks of it. */
function work(
  played: PlayedRun,
  tree: string,
  verdicts: { readonly [id: string]: Verdict },
  ending: SessionEnding = { kind: 'finished' },
): Session {
  const step = played.beginOne();
  if (step.deed.kind !== 'session') throw new Error(`no session but ${step.stepId}`);
  const { criterionId, prompt } = step.deed;
  played.endSession(step, { endTree: tree, signal: { kind: 'done' }, ending });
  played.endCheck(played.beginOne(), verdicts);
  played.settle();
  return { about: criterionId, prompt };
}

function feedbackIn({ prompt }: Session): string {
  const from = prompt.indexOf('## Feedback');
  return from < 0 ? '' : prompt.slice(from, prompt.indexOf('## Before you finish'));
}

it('Feedback says that a check printed nothing, without an empty block', () => {
  const played = playRun({ tasks: [simulatedTask('main', { criteria: checks })] });
  played.prepare();
  played.endCheck(played.beginOne(), { a: 'fail', b: 'fail' });
  played.endSession(played.beginOne(), { endTree: 't1', signal: { kind: 'done' } });
  const step = played.beginOne();
  for (const [criterionId, tail] of [
    ['a', ''],
    ['b', 'Error: no b'],
  ] as const) {
    const { stepId } = step;
    const evidence = simulatedEvidence({ criterionId, stepId, tree: 't1', verdict: 'fail', tail });
    played.record({ type: 'evidence-recorded', evidence });
  }
  played.record({
    type: 'step-ended',
    stepId: step.stepId,
    result: { kind: 'check', treeAfter: 't1', brokenPins: [] },
  });
  const next = played.beginOne();
  const { prompt } = next.deed.kind === 'session' ? next.deed : { prompt: '' };
  expect(prompt).toContain('\n\n(it printed nothing)\n');
  expect(prompt).toContain('```\nError: no b\n```');
  expect(prompt).not.toMatch(/```\n\s*```/);
});

it('Feedback covers the criterion of the session, and none that its rules exclude', () => {
  const played = beginLoop();
  const sessions = ['t1', 't2', 't3', 't4'].map((tree) => work(played, tree, { a: 'fail', b: 'fail' }));
  expect(sessions.map(({ about }) => about)).toEqual(['a', 'a', 'b', 'b']);
  for (const [index, session] of sessions.entries()) {
    const [own = '', other = ''] = session.about === 'a' ? ['a', 'b'] : ['b', 'a'];
    const text = feedbackIn(session);
    // One check of the two that are red.
    expect(text.split('### `')).toHaveLength(index === 0 ? 1 : 2);
    expect(text).not.toContain(`accepted: ${other}: `);
    const hasFailed = sessions.slice(0, index).some(({ about }) => about === own);
    expect(text.includes(`accepted: ${own}: `)).toBe(hasFailed);
  }
});

it('The next builder learns that the session before it hung, for how long and by which setting', () => {
  const played = playRun({ tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  const ending = { kind: 'timed-out', limit: 'idle', afterMs: 900_000 } as const;
  work(played, 't1', { works: 'fail' }, ending);
  const next = work(played, 't2', { works: 'fail' });
  const words = 'the builder fell silent: no output for 15 min (session.idleTimeout)';
  expect(next.prompt).toContain(
    `Attempt 1 was not accepted: ${words}; works: exit 1.\n\nStart no command that`,
  );
  expect(next.prompt.split('fell silent')).toHaveLength(2);
  const after = work(played, 't3', { works: 'fail' });
  expect(after.prompt).not.toMatch(/fell silent|Start no command/);
});

it('The next builder of a criterion learns about the hang as well', () => {
  const played = beginLoop();
  const ending = { kind: 'timed-out', limit: 'wall', afterMs: 7_200_000 } as const;
  work(played, 't1', { a: 'fail', b: 'fail' }, ending);
  expect(feedbackIn(work(played, 't2', { a: 'fail', b: 'fail' }))).toContain(
    'The session before this one did not end by itself: it ran out of time after 2 h (session.timeout). Start no command that',
  );
});
