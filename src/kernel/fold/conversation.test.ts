import { describe, expect, test } from 'vitest';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import { criteria } from '#policies/presets/criteria.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { questionOf } from '#kernel/model/task.ts';
import { taskOf } from './run.ts';

const asks = {
  signal: { kind: 'needs-input', question: 'Euro or dollar?' },
  endTree: 'half',
  resumeId: 'talk-1',
} as const;

describe.each([
  ['builder-verifier', builderVerifier.policy],
  ['criteria', criteria.policy],
])('In %s', (_preset, policy) => {
  function begun(): PlayedRun {
    const played = playRun({ tasks: [simulatedTask('main')], policy });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    return played;
  }

  function answer(played: PlayedRun): void {
    const questionId = questionOf(taskOf(played.run, 'main'))?.id ?? '';
    played.ask({ kind: 'answer', questionId, text: 'euro, always' });
  }

  test('The answer continues the conversation that asked, in the same attempt, with the question and the answer alone [U4]', () => {
    const played = begun();
    played.endSession(played.beginOne(), asks);
    played.settle();
    answer(played);
    const next = played.beginOne();
    expect(next).toMatchObject({ baseTree: 'half', deed: { resume: 'talk-1', attempt: 1 } });
    const prompt = next.deed.kind === 'session' ? next.deed.prompt : '';
    expect(prompt).toMatch(/^You asked: Euro or dollar\?\nThe answer: euro, always\n\nGo on with your task/);
    expect(prompt).not.toContain('make main work');
    expect(played.run.ledger).toMatchObject({ spent: { sessions: 1 }, reserved: { sessions: 1 } });
    played.endSession(next, { endTree: 'work', resumeId: 'talk-1' });
    played.endCheck(played.beginOne(), {});
    played.settle();
    expect(played.run.tasks.get('main')).toMatchObject({
      status: { is: 'proven' },
      attempt: 1,
      failures: { count: 0 },
    });
  });

  test('A client that lost the conversation gets question and answer in a fresh session of the same attempt [U4]', () => {
    const played = begun();
    played.endSession(played.beginOne(), asks);
    played.settle();
    answer(played);
    const gone = { kind: 'failed', errorClass: 'conversation-gone', detail: 'no such thread' } as const;
    played.endSession(played.beginOne(), { ending: gone, signal: null, endTree: 'half' });
    const fresh = played.beginOne();
    expect(fresh).toMatchObject({ baseTree: 'half', deed: { resume: null, attempt: 1 } });
    const prompt = fresh.deed.kind === 'session' ? fresh.deed.prompt : '';
    expect(prompt).toContain('make main work');
    expect(prompt).toMatch(/You asked: Euro or dollar\?\n {2}The answer: euro, always/);
  });

  test('A client without a conversation id gets a fresh session with question and answer [U4]', () => {
    const played = begun();
    const { resumeId: _, ...plain } = asks;
    played.endSession(played.beginOne(), plain);
    played.settle();
    answer(played);
    expect(played.beginOne()).toMatchObject({
      deed: { resume: null, attempt: 1, prompt: expect.stringContaining('make main work') as string },
    });
  });

  test('A session that asked by a tool and ended unanswered continues with the answer, and its files are not judged [U4]', () => {
    const played = begun();
    const builder = played.beginOne();
    played.ask({ kind: 'ask', taskId: 'main', question: 'Euro or dollar?' });
    played.settle();
    played.endSession(builder, { signal: null, endTree: 'half', resumeId: 'talk-1' });
    expect(played.settle()).toMatchObject({ start: [], waitingFor: 'an answer to "Euro or dollar?"' });
    answer(played);
    expect(played.beginOne()).toMatchObject({
      baseTree: 'half',
      deed: { resume: 'talk-1', attempt: 1, prompt: expect.stringMatching(/^You asked/) as string },
    });
  });

  test('A session that got the answer while it ran, or reported done, is judged by our checks [U4]', () => {
    const heard = begun();
    const builder = heard.beginOne();
    heard.ask({ kind: 'ask', taskId: 'main', question: 'Euro or dollar?' });
    heard.settle();
    answer(heard);
    heard.settle();
    heard.endSession(builder, { signal: null, endTree: 'work', resumeId: 'talk-1' });
    expect(heard.beginOne().deed).toMatchObject({ kind: 'check', purpose: 'attempt' });

    const done = begun();
    const other = done.beginOne();
    done.ask({ kind: 'ask', taskId: 'main', question: 'Euro or dollar?' });
    done.settle();
    done.endSession(other, { endTree: 'work', resumeId: 'talk-1' });
    done.settle();
    answer(done);
    expect(done.beginOne().deed).toMatchObject({ kind: 'check', purpose: 'attempt' });
  });
});
