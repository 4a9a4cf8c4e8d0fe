// Answers that no driver has read yet: they are in the journal, and are not asked for again.
import { type Control, unprovenPrefix } from '#kernel/events/control.ts';
import { contradictedRequest } from '#kernel/proof/last-word.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { AttentionItem } from './attention-items.ts';
import { count, shortened } from '#views/words.ts';

/** Whether an answer given already decides it. */
export function isAnswered({ pending }: Run, item: AttentionItem): boolean {
  return pending.some(({ control }) => decides(control, item));
}

export function decides(control: Control, item: AttentionItem): boolean {
  switch (control.kind) {
    case 'approve-plan':
    case 'reject-plan':
      return item.kind === 'plan' && item.version === control.version;
    case 'change-plan':
    case 'replan':
      return item.kind === 'plan' || item.kind === 'dead-end';
    case 'retry':
    case 'skip':
      return item.kind === 'dead-end' && item.failed.split(',').includes(control.taskId);
    case 'choose':
      return item.kind === 'choice' && item.turn === control.turn;
    case 'answer':
      return item.kind === 'question' && item.questionId === control.questionId;
    case 'approve':
    case 'reject':
      return (
        item.kind === 'verdict' &&
        item.taskId === control.taskId &&
        item.criterionId === control.criterionId &&
        item.tree === control.tree
      );
    case 'accept':
      return item.kind === 'tampering' && item.path === control.path;
    case 'resume':
      return item.kind === 'suspension' && endsWait(control) && (control.taskId ?? '') === item.taskId;
    default:
      return false;
  }
}

function endsWait({ force, approve, reject }: Control & { readonly kind: 'resume' }): boolean {
  return force === true || approve === true || reject !== undefined;
}

/** Empty if a driver has handled all answers. */
export function answeredLines(run: Run): string[] {
  if (run.outcome !== null) return [];
  const standing = run.pending.filter((request) => contradictedRequest(run.pending, request) === null);
  return standing.map(
    ({ by, control }) =>
      `Decided by ${by}: ${controlWords(control)}. It takes effect with: untildone resume ${run.id}`,
  );
}

function controlWords(control: Control): string {
  switch (control.kind) {
    case 'approve-plan':
      return `approve plan ${control.version}`;
    case 'reject-plan':
      return `reject plan ${control.version} (${control.why})`;
    case 'change-plan':
      return `another plan of ${control.tasks.length} tasks (${control.why})`;
    case 'replan':
      return `a new plan (${control.why})`;
    case 'answer':
      return `the answer to ${control.questionId}`;
    case 'approve':
    case 'reject':
      return `${control.kind} ${control.criterionId} of task ${control.taskId}`;
    case 'choose':
      return `choose ${control.action}`;
    case 'accept':
      return `accept ${control.path}`;
    case 'add-task':
      return `add task ${control.task.id}`;
    case 'skip':
    case 'retry':
      return `${control.kind} task ${control.taskId}`;
    default:
      return control.kind;
  }
}

/** Controls that were refused because their author is unknown; a person may wonder about them. */
export function unprovenLines(run: Run): string[] {
  const ids = [...run.controls.keys()].filter((id) => id.startsWith(unprovenPrefix));
  if (ids.length === 0) return [];
  return [
    `⚠️  ${count(ids.length, 'decision')} refused: it is not certain that a person asked. See: untildone show ${run.id}`,
  ];
}

/** Messages that no prompt carried before the run ended. */
export function undeliveredLines({ outcome, messages }: Run): string[] {
  if (outcome === null) return [];
  return messages.map(
    (text) =>
      `⚠️  No session started after this message: "${shortened(text, 100)}". A session that was running may have received it.`,
  );
}
