import { expect, test } from 'vitest';
import type { PlayedRun } from '#testing/simulated-run.ts';
import { playRun, simulatedBudget, simulatedTask } from '#testing/simulated-run.ts';

function begun(): PlayedRun {
  const budget = simulatedBudget({ attemptsPerTask: 2 });
  const played = playRun({ tasks: [simulatedTask('main')], config: { budget } });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  return played;
}

test('A builder whose client cannot be started fails its task at once [X3]', () => {
  const played = begun();
  const ending = { kind: 'not-started', reason: 'the program "agent" was not found' } as const;
  played.endSession(played.beginOne(), { ending, signal: null, endTree: null });
  played.settle();
  expect(played.run.outcome).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('not found') as string,
  });
});

test('A session whose files cannot be read uses up an attempt, so that it is not repeated for ever [X1]', () => {
  const played = begun();
  for (const attempt of [1, 2]) {
    const builder = played.beginOne();
    expect(builder.deed).toMatchObject({ attempt });
    played.endSession(builder, { endTree: null });
  }
  played.settle();
  expect(played.run.outcome?.outcome).toBe('exhausted');
});
