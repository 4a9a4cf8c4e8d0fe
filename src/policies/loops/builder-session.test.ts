import { expect, test } from 'vitest';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { playRun, simulatedBudget, simulatedTask } from '#test/simulated/simulated-run.ts';

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

test('A builder whose client lost the paused conversation begins a new one in the same attempt [Q5]', () => {
  const played = begun();
  const ending = { kind: 'interrupted', resumeId: 'abc' } as const;
  played.endSession(played.beginOne(), { ending, signal: null, endTree: 'half' });
  played.ask({ kind: 'tell', text: 'use the parser' });
  played.settle();
  const resumed = played.beginOne();
  expect(resumed.deed).toMatchObject({ attempt: 1, resume: 'abc' });
  const gone = { kind: 'failed', errorClass: 'conversation-gone', detail: 'no such thread' } as const;
  played.endSession(resumed, { ending: gone, signal: null, endTree: 'half' });
  const fresh = played.beginOne();
  expect(fresh).toMatchObject({ baseTree: 'half', deed: { attempt: 1, resume: null } });
  expect(fresh.deed).toMatchObject({ prompt: expect.stringContaining('use the parser') as string });
});
