// An open question with everything that is needed to decide it, on one screen.
import type { Run } from '#kernel/run.ts';
import type { Matter } from './matters.ts';
import { commandsOf } from './matters.ts';
import { planOf, planText } from './plan.ts';
import { reviewLines } from './reviews.ts';
import { criteriaLines } from './status.ts';
import { shortened } from './words.ts';

/** `change` is one line a file, as git tells it; null where nobody looked. */
export function matterText(
  run: Run,
  matter: Matter,
  seen: { readonly change: string | null; readonly isDriven: boolean },
): string {
  const task = run.tasks.get(matter.taskId);
  const asked = `❓ A person is asked: ${matter.question}`;
  const lines =
    matter.kind === 'plan'
      ? [planText(planOf(run)), '', asked]
      : matter.kind === 'dead-end'
        ? [asked, ...failedLines(run, matter.failed)]
        : [
            asked,
            '',
            `Task: ${matter.taskId} - ${shortened(task?.spec.title ?? '', 80)}`,
            `Wanted: ${shortened(task?.spec.description ?? '', 600)}`,
          ];
  if (matter.kind === 'verdict' || matter.kind === 'tampering')
    lines.push(...evidenceLines(run, matter, seen.change));
  lines.push('', 'Decide, from any terminal:', ...commandsOf(run, matter).map((one) => `  ${one}`));
  if (!seen.isDriven)
    lines.push('', `Nobody drives the run now. After that go on with: untildone resume ${run.id}`);
  return lines.join('\n');
}

function failedLines({ tasks }: Run, failed: string): string[] {
  const lines = failed.split(',').flatMap((id) => {
    const task = tasks.get(id);
    if (task === undefined) return [];
    return [`  ${id} - ${shortened(task.spec.title, 80)}: ${shortened(task.reason ?? '', 300)}`];
  });
  return lines.length === 0 ? [] : ['', 'What failed:', ...lines];
}

function evidenceLines(
  run: Run,
  matter: Extract<Matter, { kind: 'verdict' | 'tampering' }>,
  change: string | null,
): string[] {
  const from = matter.baseTree.slice(0, 10);
  const to = matter.tree.slice(0, 10);
  return [
    matter.kind === 'verdict' ? `Criterion: ${matter.criterionId}` : `File: ${matter.path}`,
    '',
    'What was seen on this work:',
    ...criteriaLines(run, matter.taskId),
    ...reviewLines(run),
    '',
    'What was changed:',
    ...(change === null || change === '' ? ['  (nothing)'] : [change]),
    `  all of it: git diff ${from} ${to}${matter.kind === 'tampering' && !isOutside(matter.path) ? ` -- ${fileOf(matter.path)}` : ''}`,
    ...(matter.kind === 'tampering' && isOutside(matter.path)
      ? [`  and outside of the repository: ${matter.path}`]
      : []),
  ];
}

/** A file that steers checks and is in no tree. */
function isOutside(path: string): boolean {
  return /^(~?\/|[A-Z]:\/)/.test(path);
}

/** `package.json#scripts` is a part of a file, and git knows files alone; a name may begin with the sign. */
function fileOf(path: string): string {
  return path.replace(/(?<=[^/])#.*$/, '');
}
