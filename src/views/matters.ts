// What only a person can decide now, with everything that is needed to decide it on one screen.
import { describeCheck } from '#kernel/check.ts';
import type { Criterion } from '#kernel/criterion.ts';
import { gapsInProof } from '#kernel/proof.ts';
import type { Run, TaskState } from '#kernel/run.ts';
import { criteriaLines } from './status.ts';
import { reviewLines } from './reviews.ts';
import { shortened } from './words.ts';

export type Matter = {
  readonly taskId: string;
  /** In one sentence. */
  readonly question: string;
} & (
  | { readonly kind: 'question'; readonly questionId: string }
  | {
      readonly kind: 'verdict';
      readonly criterionId: string;
      /** The work that is judged; a verdict on another one is refused. */
      readonly tree: string;
      /** What it is compared with. */
      readonly baseTree: string;
      readonly baseCommit: string;
    }
);

export function mattersOf(run: Run): Matter[] {
  if (run.outcome !== null) return [];
  return [...run.active].flatMap((task) => {
    const { question, spec } = task;
    if (task.status === 'needs-input' && question !== null)
      return [{ kind: 'question', taskId: spec.id, questionId: question.id, question: question.text }];
    return verdictsOn(run, task);
  });
}

/** Only once nothing else is missing: before that, looking would be a waste of a person's time. */
function verdictsOn(run: Run, task: TaskState): Matter[] {
  const { workTree: tree, base } = task;
  // A loop over criteria asks when its last session was a good one: that attempt is over, and did not fail.
  const isBetween = task.attemptIsOver && task.failure !== null;
  if (tree === null || base === null || isBetween || task.runningSteps > 0) return [];
  const open = gapsInProof(run, task, tree).map(({ criterionId }) =>
    task.spec.criteria.find(({ id }) => id === criterionId),
  );
  const ours = open.filter((one) => one !== undefined && isForPerson(task, one, tree));
  if (ours.length < open.length) return [];
  return ours.flatMap((criterion) =>
    criterion === undefined
      ? []
      : [
          {
            kind: 'verdict' as const,
            taskId: task.spec.id,
            criterionId: criterion.id,
            question: questionOf(task, criterion),
            tree,
            baseTree: base.tree,
            baseCommit: base.commit,
          },
        ],
  );
}

function isForPerson(task: TaskState, { id, check }: Criterion, tree: string): boolean {
  const seen = task.evidence.get(id)?.attempt;
  if (check.kind === 'human') return seen?.tree !== tree;
  const isLeftOpen = check.kind === 'reviewer' || seen?.flaky !== undefined;
  return isLeftOpen && seen?.tree === tree && seen.verdict === 'unknown';
}

function questionOf(task: TaskState, { id, check, text }: Criterion): string {
  if (check.kind === 'human') return check.question;
  return `Does this hold: ${text}? ${task.evidence.get(id)?.attempt?.reason ?? describeCheck(check)}.`;
}

/** `change` is one line a file, as git tells it; null where nobody looked. */
export function matterText(
  run: Run,
  matter: Matter,
  seen: { readonly change: string | null; readonly isDriven: boolean },
): string {
  const task = run.tasks.get(matter.taskId);
  const lines = [
    `❓ A person is asked: ${matter.question}`,
    '',
    `Task: ${matter.taskId} - ${shortened(task?.spec.title ?? '', 80)}`,
    `Wanted: ${shortened(task?.spec.description ?? '', 600)}`,
  ];
  if (matter.kind === 'verdict') lines.push(...evidenceLines(run, matter, seen.change));
  lines.push('', 'Decide, from any terminal:', ...commandsOf(run, matter).map((one) => `  ${one}`));
  if (!seen.isDriven)
    lines.push('', `Nobody drives the run now. After that go on with: untildone resume ${run.id}`);
  return lines.join('\n');
}

function evidenceLines(run: Run, matter: Matter & { kind: 'verdict' }, change: string | null): string[] {
  const from = matter.baseCommit.slice(0, 10);
  const to = matter.tree.slice(0, 10);
  return [
    `Criterion: ${matter.criterionId}`,
    '',
    'What was seen on this work:',
    ...criteriaLines(run),
    ...reviewLines(run),
    '',
    'What was changed:',
    ...(change === null || change === '' ? ['  (nothing)'] : [change]),
    `  all of it: git diff ${from} ${to}`,
  ];
}

export function commandsOf(run: Run, matter: Matter): string[] {
  if (matter.kind === 'question')
    return [`untildone answer "…" --run ${run.id} --question ${matter.questionId}`];
  const about = `${run.id} --task ${matter.taskId} --criterion ${matter.criterionId} --tree ${matter.tree.slice(0, 10)}`;
  return [`untildone approve ${about}`, `untildone reject ${about} --why "…"`];
}
