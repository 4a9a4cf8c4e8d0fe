// Answers that have no effect yet: until then, a person may change them.
import { isPersonVerdict } from '#kernel/proof/last-word.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { AttentionItem } from './attention-items.ts';
import { openAttentionItems } from './attention-items.ts';
import { decides } from './said.ts';
import { awaitingOf, isAttemptOver } from '#kernel/fold/work.ts';

export interface AnsweredItem {
  readonly item: AttentionItem & { readonly kind: 'verdict' | 'plan' };
  readonly word: 'approve' | 'reject';
}

export function answeredItems(run: Run): AnsweredItem[] {
  if (run.outcome !== null) return [];
  return [
    ...waiting(run),
    ...planApproved(run),
    ...[...run.tasks.values()].flatMap((task) => recorded(run, task)),
  ];
}

/** Answers that wait for the next driver. */
function waiting(run: Run): AnsweredItem[] {
  return openAttentionItems(run).flatMap((item) => {
    if (item.kind !== 'verdict' && item.kind !== 'plan') return [];
    const last = run.pending.findLast(({ control }) => decides(control, item));
    const word = /^(approve|reject)(-plan)?$/.exec(last?.control.kind ?? '')?.[1];
    return word === 'approve' || word === 'reject' ? [{ item, word }] : [];
  });
}

/** It comes into force when the current task is over. */
function planApproved({ plan: { proposal } }: Run): AnsweredItem[] {
  if (proposal?.approvedBy === undefined) return [];
  const { version } = proposal;
  return [{ item: { kind: 'plan', taskId: '', version, question: '' }, word: 'approve' }];
}

/** Without a driver, a verdict is recorded at once; it takes effect when the run continues. */
function recorded(run: Run, task: TaskState): AnsweredItem[] {
  const { evidence, spec, workTree } = task;
  const isActedOn =
    task.runningSteps > 0 ||
    (isAttemptOver(task) && task.failures.last !== null && awaitingOf(task) === null);
  const tree = task.status.is === 'landed' ? run.acceptance?.tree : isActedOn ? null : workTree;
  if (tree === null || tree === undefined || (task.status.is === 'landed' && run.tip?.tree !== tree))
    return [];
  return spec.criteria.flatMap(({ id: criterionId, text: question }): AnsweredItem[] => {
    if (!isPersonVerdict(task, criterionId, tree)) return [];
    const word = evidence.get(criterionId)?.attempt?.verdict === 'pass' ? 'approve' : 'reject';
    const item = { kind: 'verdict', taskId: spec.id, criterionId, tree, baseTree: tree, question } as const;
    return [{ item, word }];
  });
}
