// Decides how a task is proven, and how proven work lands.
import { present } from '#base/assert.ts';
import { gapsInProof, reviewersWord } from '#kernel/proof/proof.ts';
import { landedCommitMessage } from '#kernel/proof/commit-message.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { Operation } from '#kernel/model/step.ts';
import { type Decision, start } from './decision.ts';

export function prove(run: Run, task: TaskState, tree: string, decision: Decision): void {
  const word = reviewersWord(run, task, tree);
  if (word !== null) {
    for (const { path, content = '' } of word.pins)
      decision.record.push({ type: 'tampering-accepted', path, content, by: word.by, why: word.why });
    return;
  }
  const [gap] = gapsInProof(run, task, tree);
  const { spec, attempt } = task;
  if (gap === undefined) decision.record.push({ type: 'task-proven', taskId: spec.id, tree });
  else decision.record.push({ type: 'attempt-failed', taskId: spec.id, attempt, reason: gap.why });
}

export function land(run: Run, task: TaskState, decision: Decision): void {
  const tip = present(run.tip, 'a proven task has a tip to land on');
  const tree = present(task.workTree, 'a proven task has a tree');
  const base = present(task.base, 'a proven task has a base');
  if (base.commit !== tip.commit) {
    decision.record.push({
      type: 'task-reopened',
      taskId: task.spec.id,
      reason: 'another task landed first; this one is built again on the new base',
    });
    return;
  }
  const [gap] = gapsInProof(run, task, tree);
  if (gap !== undefined) {
    decision.record.push({ type: 'task-reopened', taskId: task.spec.id, reason: gap.why });
    return;
  }
  if (tree === tip.tree && task.commit !== null) {
    decision.record.push({ type: 'task-landed', taskId: task.spec.id, commit: task.commit });
    return;
  }
  // One at a time: the next commit must be built on this one.
  if ([...run.running.values(), ...decision.start].some((step) => step.deed.kind === 'commit')) return;
  const operation: Operation = {
    kind: 'commit',
    parent: tip.commit,
    message: landedCommitMessage(run, task.spec),
  };
  start(run, decision, { taskId: task.spec.id, baseTree: tree, deed: operation });
}
