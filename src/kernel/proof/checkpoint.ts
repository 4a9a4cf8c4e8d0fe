// A commit of work that is not proven yet. Its trailers name the criteria that passed, and no task.
import { isExit } from '#kernel/model/criterion.ts';
import { taskCommitMessage } from './commit-message.ts';
import { assert, present } from '#base/assert.ts';
import type { Move } from '#kernel/decide/policy.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { Step } from '#kernel/model/step.ts';

/** Contract: every criterion it names passes on that very tree, and no pinned file was changed. */
export function checkpointOf(
  run: Run,
  task: TaskState,
  { tree, passed }: Move & { kind: 'checkpoint' },
): Pick<Step, 'taskId' | 'baseTree' | 'deed'> {
  const tip = present(run.tip, 'a prepared run has a tip');
  assert(canCheckpoint(run, task, tree), 'a checkpoint holds what was looked at, on the newest commit');
  for (const id of passed) {
    const evidence = task.evidence.get(id)?.attempt;
    assert(
      evidence?.tree === tree && evidence.verdict === 'pass',
      `${id} passes on the tree of its checkpoint`,
    );
  }
  const message = messageOf(run, task, passed);
  return {
    taskId: task.spec.id,
    baseTree: tree,
    deed: { kind: 'commit', parent: tip.commit, message, checkpoint: passed },
  };
}

/** Whether the work can be committed: checked, with its pinned files unchanged, and not committed yet. */
export function canCheckpoint(run: Run, task: TaskState, tree: string): boolean {
  const { base } = task;
  const { checked } = task.inspection;
  if (checked?.tree !== tree || checked.treeAfter !== tree || checked.brokenPins.length > 0) return false;
  return base?.commit === run.tip?.commit && tree !== run.tip?.tree;
}

/** The tree to compare a task's work with. A checkpoint belongs to the work, so it is not the start. */
export function beganWith(run: Run, task: TaskState): string | null {
  if (task.loop.checkpoints.length === 0) return task.base?.tree ?? null;
  return task.start.tree ?? run.base?.tree ?? null;
}

function messageOf(run: Run, task: TaskState, passed: readonly string[]): string {
  const { id, criteria } = task.spec;
  const all = criteria.filter(isExit).length;
  return [
    taskCommitMessage(run, { id, title: `checkpoint, ${passed.length} of ${all} criteria pass` }, 'wip'),
    '',
    'Not proven: the work continues from here.',
    '',
    `Untildone-Run: ${run.id}`,
    `Untildone-Checkpoint: ${passed.join(' ')}`,
    '',
  ].join('\n');
}
