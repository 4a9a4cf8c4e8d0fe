import { describe, expect, it } from 'vitest';
import {
  commandCriterion,
  playRun,
  simulatedEvidence,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { present } from '#base/assert.ts';
import type { Control } from '#kernel/events/control.ts';
import type { Verdict } from '#kernel/model/criterion.ts';
import { gapsInPreview, gapsInProof } from '#kernel/proof/proof.ts';
import type { TaskState } from '#kernel/fold/run.ts';
import type { Step } from '#kernel/model/step.ts';

function building(): { played: PlayedRun; builder: Step; task: TaskState } {
  const played = playRun({ tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  return { played, builder: played.beginOne(), task: present(played.run.tasks.get('main'), 'main') };
}

function ask(played: PlayedRun, control: Control): string {
  const id = played.ask(control);
  played.settle();
  return played.run.controls.get(id) ?? 'forgotten';
}

const look: Control = { kind: 'look', taskId: 'main' };

function see(
  played: PlayedRun,
  step: Step,
  verdict: Verdict,
  { tree = 'half', treeAfter = tree }: { tree?: string; treeAfter?: string } = {},
): void {
  const evidence = simulatedEvidence({ criterionId: 'works', stepId: step.stepId, tree, verdict });
  played.record(
    { type: 'evidence-recorded', evidence: { ...evidence, purpose: 'look', place: 'clean' } },
    {
      type: 'step-ended',
      stepId: step.stepId,
      result: { kind: 'check', tree, treeAfter, brokenPins: [] },
    },
  );
}

describe('A preview of the work of a live session', () => {
  it('A preview runs beside the session and answers the caller [X14] [K11]', () => {
    const { played, task } = building();
    const first = played.ask(look);
    const second = played.ask(look);
    const step = played.beginOne();
    expect(step).toMatchObject({ baseTree: null, deed: { kind: 'check', purpose: 'look', place: 'clean' } });
    see(played, step, 'fail');
    expect(task.previews.newest?.answers).toEqual([first, second]);
    expect(gapsInPreview(played.run, task)).toMatchObject([{ criterionId: 'works' }]);
    expect(played.begin()).toEqual([]);
  });

  it('A preview stays answered when a later one is answered before its result is read [K11]', () => {
    const { played, task } = building();
    const first = played.ask(look);
    const step = played.beginOne();
    const second = played.ask(look);
    see(played, step, 'fail');
    see(played, played.beginOne(), 'fail');
    expect(task.previews.newest?.answers).toEqual([first, second]);
    for (let count = 0; count < 200; count += 1) {
      played.ask(look);
      see(played, played.beginOne(), 'fail');
    }
    expect(task.previews.newest?.answers).toHaveLength(100);
  });

  it('A green preview proves nothing: after the session ends, the same tree is checked again [X14] [K11]', () => {
    const { played, builder, task } = building();
    played.ask(look);
    see(played, played.beginOne(), 'pass');
    expect(gapsInPreview(played.run, task)).toEqual([]);
    expect(gapsInProof(played.run, task, 'half')).not.toEqual([]);
    played.endSession(builder, { endTree: 'half' });
    expect(played.beginOne()).toMatchObject({
      baseTree: 'half',
      deed: { kind: 'check', purpose: 'attempt' },
    });
  });

  it('A preview does not allow the stop on unchanged files, or on files that a check has changed [K11]', () => {
    const { played, task } = building();
    played.ask(look);
    see(played, played.beginOne(), 'pass', { tree: present(played.run.tip, 'a tip').tree });
    expect(gapsInPreview(played.run, task)).toEqual([{ criterionId: null, why: 'nothing was changed' }]);
    played.ask(look);
    see(played, played.beginOne(), 'pass', { treeAfter: 'another' });
    expect(gapsInPreview(played.run, task)).toMatchObject([
      { why: 'a check changed the files that it checked' },
    ]);
  });

  it('A preview is refused without a live session, and only a few can be open at once [X14]', () => {
    const { played } = building();
    expect(ask(played, { kind: 'look', taskId: 'other' })).toBe('refused');
    const answers = Array.from({ length: 12 }, () => ask(played, look));
    expect(answers.filter((one) => one === 'refused')).toHaveLength(2);
  });
});

describe('Messages of an agent', () => {
  it('A question of an agent parks its task after the session, and the answer lets it continue [X14]', () => {
    const { played, builder } = building();
    const questionId = played.ask({ kind: 'ask', taskId: 'main', question: 'Which port?' });
    played.settle();
    expect(ask(played, { kind: 'ask', taskId: 'main', question: 'And which host?' })).toBe('refused');
    played.endSession(builder, { endTree: 'half' });
    expect(played.settle().waitingFor).toBe('an answer to "Which port?"');
    expect(ask(played, { kind: 'answer', questionId, text: '8080' })).toBe('applied');
    expect(played.beginOne()).toMatchObject({ deed: { purpose: 'attempt' } });
  });

  it('Progress reports are kept, change nothing, and are limited in number [X14]', () => {
    const { played, task } = building();
    const before = played.decide();
    expect(ask(played, { kind: 'report', taskId: 'main', text: 'half of it' })).toBe('applied');
    expect(task.progress).toEqual({ text: 'half of it', count: 1 });
    expect(played.decide()).toEqual(before);
    expect(ask(played, { kind: 'report', taskId: 'main', text: 'x'.repeat(5000) })).toBe('refused');
    for (let count = 1; count < 500; count += 1) played.ask({ kind: 'report', taskId: 'main', text: 'on' });
    for (let rounds = 0; rounds < 10; rounds += 1) settleSome(played);
    expect(ask(played, { kind: 'report', taskId: 'main', text: 'still on' })).toBe('refused');
  });
});

/** Records more conclusions than one `settle` does. */
function settleSome(played: PlayedRun): void {
  for (let count = 0; count < 99; count += 1) {
    const { record } = played.decide();
    if (record.length === 0) return;
    played.record(...record);
  }
}
