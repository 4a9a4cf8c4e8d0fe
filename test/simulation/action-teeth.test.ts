// Faults of the action loop are planted one at a time; each must be noticed, or the simulation proves nothing of it.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as Loop from '#kernel/actions/action-loop.ts';
import type * as State from '#kernel/actions/action-state.ts';
import type * as Proof from '#kernel/proof/proof.ts';
import type * as Choice from '#kernel/actions/settle-choice.ts';
import type * as Questions from '#policies/loops/actions/questions.ts';
import { breakApply, firstViolation } from './teeth.ts';

const inActions = (): Promise<string> => firstViolation({}, 'action-by-action');

describe('Faults of the action loop', () => {
  afterEach(() => {
    vi.doUnmock('#kernel/fold/apply.ts');
    vi.doUnmock('#kernel/proof/proof.ts');
    vi.doUnmock('#kernel/actions/action-loop.ts');
    vi.doUnmock('#kernel/actions/action-state.ts');
    vi.doUnmock('#kernel/actions/settle-choice.ts');
    vi.doUnmock('#policies/loops/actions/questions.ts');
  });

  const breakChoice = (change: Partial<typeof Choice>): void => {
    vi.doMock('#kernel/actions/settle-choice.ts', async (original) => ({
      ...(await original<typeof Choice>()),
      ...change,
    }));
  };

  it('A completion without proof is noticed [A8]', async () => {
    vi.doMock('#kernel/proof/proof.ts', async (original) => ({
      ...(await original<typeof Proof>()),
      gapsInProof: () => [],
    }));
    expect(await inActions()).toMatch(/COMPLETE was accepted, but/);
  });

  it('A timeout or a crash that counts as a result is noticed [A5] [A7]', async () => {
    vi.doMock('#kernel/actions/action-loop.ts', async (original) => ({
      ...(await original<typeof Loop>()),
      isCutShort: () => false,
    }));
    expect(await inActions()).toMatch(/is taken for a result, but was (timed-out|crashed|over-limit)/);
  });

  it('An answer that cannot be read and counts an iteration is noticed [A7]', async () => {
    breakApply((run, event) => {
      const task = event.type === 'action-taken' ? run.tasks.get(event.taskId) : undefined;
      if (task === undefined || event.type !== 'action-taken') return;
      task.actions.iteration += event.status === 'failed' ? 1 : 0;
    });
    expect(await inActions()).toMatch(/iteration \d+ follows|counted an iteration/);
  });

  it('A turn above the limit of iterations is noticed [A7]', async () => {
    breakApply((run, event) => {
      if (event.type !== 'action-taken') return;
      const task = run.tasks.get(event.taskId);
      if (task !== undefined) task.actions.forgiven = task.actions.iteration;
    });
    expect(await inActions()).toMatch(/starts after \d+ iterations of/);
  });

  it('A turn that no person chose is noticed [A4]', async () => {
    breakChoice({ isChoiceDue: () => false });
    expect(await inActions()).toMatch(/no person chose it/);
  });

  it('A turn that begins before its question is answered, or never asks it, is noticed [A3] [A6]', async () => {
    breakApply((run, event) => {
      const task = event.type === 'question-asked' ? run.tasks.get(event.taskId) : undefined;
      if (task !== undefined) task.status = { is: 'active' };
    });
    expect(await inActions()).toMatch(/starts while a question is open/);
  });

  it('A lost conversation that is resumed again is noticed [A1]', async () => {
    vi.doMock('#kernel/actions/action-loop.ts', async (original) => {
      const loop = await original<typeof Loop>();
      const endTurn: typeof Loop.endTurn = (task, operation, result) => {
        const { conversation } = task.actions;
        loop.endTurn(task, operation, result);
        task.actions.conversation ??= conversation;
      };
      return { ...loop, endTurn };
    });
    expect(await inActions()).toMatch(/resumes a conversation that is gone|the run gets nowhere/);
  });

  it('A state with reserved keys of the program is noticed [A2]', async () => {
    vi.doMock('#kernel/actions/action-state.ts', async (original) => {
      const state = await original<typeof State>();
      const mergeState: typeof State.mergeState = (kept, updates) => ({
        state: { ...kept, ...updates },
        problems: [],
      });
      return { ...state, mergeState };
    });
    expect(await inActions()).toMatch(/the agent set|the state is larger/);
  });

  it('A run that an agent stops is noticed [A6]', async () => {
    vi.doMock('#policies/loops/actions/questions.ts', async (original) => {
      const questions = await original<typeof Questions>();
      const questionOf: typeof Questions.questionOf = (run, task, report) =>
        report.next === 'STOPPED' || report.next === 'PAUSED'
          ? { type: 'run-ended', outcome: 'stopped', reason: 'the agent said so' }
          : questions.questionOf(run, task, report);
      return { ...questions, questionOf };
    });
    expect(await inActions()).toMatch(/no person stopped the run/);
  });

  it('A choice that is accepted although it should be refused is noticed [A4]', async () => {
    vi.doMock('#kernel/actions/settle-choice.ts', async (original) => {
      const choice = await original<typeof Choice>();
      const settleChoice: typeof Choice.settleChoice = (_run, task, by, { turn, action }) => ({
        facts: [{ type: 'action-chosen', taskId: task.spec.id, turn, action, by }],
      });
      return { ...choice, settleChoice };
    });
    expect(await inActions()).toMatch(
      /a second choice was taken|a choice was taken during|choice \d+ was taken/,
    );
  });
});
