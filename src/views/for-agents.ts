// A run as its own agent may see it: its task and criteria, never anything held out.
import { describeCheck, isMachineCheck } from '#kernel/model/check.ts';
import type { Criterion, Evidence } from '#kernel/model/criterion.ts';
import { shownOutput } from '#kernel/model/shown-output.ts';
import { gapsInPreview } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';

export function taskForAgent(run: Run, task: TaskState): string {
  const parts = [
    `Task ${task.spec.id} of the run ${run.id}: ${task.spec.title}`,
    task.spec.description,
    `Criteria:\n${shown(task).map(lineOf(task)).join('\n') || '- none'}`,
  ];
  if (task.status.is === 'needs-input')
    parts.push(`Your question has no answer yet: ${task.status.question.text}`);
  for (const { question, text } of task.dialogue.answered)
    parts.push(`You asked: ${question}\nThe person answered: ${text}`);
  if (run.messages.length > 0) parts.push(`The person says: ${run.messages.join(' · ')}`);
  return parts.join('\n\n');
}

/** The results of a preview, in the words of the checks. */
export function previewText(run: Run, taskId: string, previewId: string): string {
  const task = run.tasks.get(taskId);
  const preview = task?.previews.newest;
  if (task === undefined || preview?.answers.includes(previewId) !== true)
    return 'No result: the checks did not finish in time.';
  const known = new Set(shown(task).map(({ id }) => id));
  const lines = shown(task).flatMap(({ id, check }) => {
    const evidence = task.evidence.get(id)?.look;
    if (!isMachineCheck(check) || evidence?.tree !== preview.tree) return [];
    const tail = evidence.verdict === 'pass' ? '' : `\n${shownOutput(evidence, tailMax).trim()}`;
    return [`${id} (${describeCheck(check)}): ${evidence.verdict}. ${evidence.reason}${tail}`];
  });
  const others = gapsInPreview(run, task).filter(({ criterionId }) => criterionId === null);
  for (const { why } of others) lines.push(`Open: ${why}`);
  const hidden = gapsInPreview(run, task).some(
    ({ criterionId }) => criterionId !== null && !known.has(criterionId),
  );
  if (hidden) lines.push('Something that you have not been shown does not pass yet.');
  return `${lines.join('\n\n')}\n\nThis is a preview on a clean checkout of your files. It proves nothing.`;
}

const tailMax = 3000;

function shown(task: TaskState): Criterion[] {
  return task.spec.criteria.filter((criterion) => !isHeldOut(criterion));
}

function lineOf(task: TaskState): (criterion: Criterion) => string {
  return ({ id, text, required, check, kind }) => {
    const state = task.skips.has(id) ? 'skipped' : lastResult(task, id);
    const remarks = [kind === 'entry' ? 'entry' : '', required ? '' : 'not required', state ?? 'not checked'];
    return `- ${id}: ${text} (decided by ${describeCheck(check)}; ${remarks.filter((one) => one !== '').join(', ')})`;
  };
}

/** The newest verdict, and its source if it is not about submitted work. */
function lastResult(task: TaskState, criterionId: string): string | null {
  const all = Object.values<Evidence>(task.evidence.get(criterionId) ?? {});
  const [newest] = all.toSorted((a, b) => Number.parseInt(b.stepId, 10) - Number.parseInt(a.stepId, 10));
  if (newest === undefined) return null;
  if (newest.purpose === 'base') return `${newest.verdict} before the work`;
  return newest.purpose === 'look' ? `${newest.verdict} in the last preview` : newest.verdict;
}

/** Held out from the builder: neither its text nor its output may reach an agent. */
export function isHeldOut(criterion: Criterion): boolean {
  return (criterion.check.kind as string) === 'held-out';
}
