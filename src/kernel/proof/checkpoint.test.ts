import { describe, expect, it } from 'vitest';
import {
  commandCriterion,
  playRun,
  simulatedEvidence,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { beganWith, canCheckpoint, checkpointOf } from './checkpoint.ts';

function worked() {
  const played = playRun({ tasks: [simulatedTask('main', { criteria: [commandCriterion('a')] })] });
  played.prepare();
  const task = played.run.tasks.get('main');
  if (task === undefined) throw new Error('there is a task');
  task.base = played.run.tip;
  task.inspection.checked = { tree: 'work', treeAfter: 'work', brokenPins: [] };
  task.evidence.set('a', { attempt: simulatedEvidence({ criterionId: 'a', tree: 'work' }) });
  return { run: played.run, task };
}

const move = { kind: 'checkpoint', tree: 'work', passed: ['a'] } as const;

describe('A checkpoint', () => {
  it('A checkpoint keeps the passing work of a checked tree, and names no task [K10]', () => {
    const { run, task } = worked();
    expect(canCheckpoint(run, task, 'work')).toBe(true);
    const { deed } = checkpointOf(run, task, move);
    expect(deed).toMatchObject({ kind: 'commit', parent: 'c0', checkpoint: ['a'] });
    expect(deed).toHaveProperty('message', expect.not.stringContaining('Untildone-Task'));
  });

  it('A tree with a changed pinned file, or one that a check changed, is no checkpoint [K10] [X8]', () => {
    const { run, task } = worked();
    const brokenPins = [{ path: 'a.test.ts', change: 'changed', why: 'a test' }] as const;
    task.inspection.checked = { tree: 'work', treeAfter: 'work', brokenPins };
    expect(canCheckpoint(run, task, 'work')).toBe(false);
    task.inspection.checked = { tree: 'work', treeAfter: 'other', brokenPins: [] };
    expect(canCheckpoint(run, task, 'work')).toBe(false);
    task.inspection.checked = null;
    expect(() => checkpointOf(run, task, move)).toThrow('a checkpoint holds what was looked at');
  });

  it('A checkpoint is part of the work: reviewers and persons see all changes since its task began [K10] [Q10]', () => {
    const { run, task } = worked();
    task.start.tree = 'first';
    task.base = { commit: 'c1', tree: 'kept' };
    expect(beganWith(run, task)).toBe('kept');
    task.loop.checkpoints.push('c1');
    expect(beganWith(run, task)).toBe('first');
  });

  it('A checkpoint never names a criterion that did not pass on that very tree [K10]', () => {
    const { run, task } = worked();
    task.evidence.set('a', { attempt: simulatedEvidence({ criterionId: 'a', tree: 'older' }) });
    expect(() => checkpointOf(run, task, move)).toThrow('a passes on the tree');
    task.evidence.set('a', {
      attempt: simulatedEvidence({ criterionId: 'a', tree: 'work', verdict: 'unknown' }),
    });
    expect(() => checkpointOf(run, task, move)).toThrow('a passes on the tree');
  });
});
