import { describe, expect, it } from 'vitest';
import type { Fact } from '#kernel/events/events.ts';
import { commandCriterion, playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { assertSound } from './assert-sound.ts';

const completed: Fact = { type: 'run-ended', outcome: 'completed', reason: 'it says so' };

function landed(base: 'pass' | 'fail' = 'fail'): PlayedRun {
  const played = playRun({ tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: base });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), {});
  played.endCommit(played.beginOne(), 'c1');
  return played;
}

describe('Conclusions that must not reach the journal', () => {
  it('The proof of an unchecked tree does not reach the journal', () => {
    const { run } = landed();
    expect(() => assertSound(run, [{ type: 'task-proven', taskId: 'main', tree: 'other' }])).toThrow(
      'no task is proven without evidence for every required criterion on that tree',
    );
    expect(() => assertSound(run, [{ type: 'task-proven', taskId: 'main', tree: 'work' }])).not.toThrow();
  });

  it('A completion without an acceptance, or with that of an earlier driver, does not reach the journal [X3]', () => {
    const played = landed();
    expect(() => assertSound(played.run, [completed])).toThrow('has seen its acceptance');
    played.endCheck(played.beginOne(), {});
    played.record(...played.decide().record);
    expect(() => assertSound(played.run, [completed])).not.toThrow();
    played.takeOver();
    expect(() => assertSound(played.run, [completed])).toThrow('has seen its acceptance');
  });

  it('A completion by checks that were green before does not reach the journal [X7]', () => {
    const played = landed('pass');
    played.endCheck(played.beginOne(), {});
    played.record(...played.decide().record);
    expect(() => assertSound(played.run, [completed])).toThrow('green before');
  });

  it('A completion with an unfinished task does not reach the journal [X3]', () => {
    const played = landed();
    played.endCheck(played.beginOne(), {});
    played.record(...played.decide().record);
    played.record({ type: 'task-added', task: simulatedTask('more'), by: 'ann' });
    expect(() => assertSound(played.run, [completed])).toThrow('no failed task');
  });
});
