// Shows an open question on one screen, with everything needed to decide it.
import type { Run } from '#kernel/fold/run.ts';
import type { AttentionItem } from './attention-items.ts';
import { commandsOf, quoted } from './attention-items.ts';
import { planOf, planText } from '#views/plan/plan.ts';
import { reviewLines } from '#views/report/reviews.ts';
import { criteriaLines } from '#views/status/status.ts';
import { shortened } from '#views/words.ts';
import { endReasonOf } from '#kernel/model/task.ts';

export interface AttentionContext {
  /** One line per file, as git prints it; null if nothing was compared. */
  readonly change: string | null;
  readonly isDriven: boolean;
  /** Criteria and reviews are shown above it already. */
  readonly isBelowStatus?: boolean;
  /** What checks of the task read on the base, as far as observed. */
  readonly reads?: readonly { readonly command: string; readonly paths: readonly string[] }[];
}

export function attentionText(run: Run, matter: AttentionItem, seen: AttentionContext): string {
  const task = run.tasks.get(matter.taskId);
  const asked = `❓ A person is asked: ${matter.question}`;
  const lines =
    matter.kind === 'plan'
      ? [planText(planOf(run)), '', asked]
      : matter.kind === 'dead-end' || matter.kind === 'suspension'
        ? [asked, ...failedLines(run, matter.kind === 'dead-end' ? matter.failed : '')]
        : [
            asked,
            '',
            `Task: ${matter.taskId} - ${shortened(task?.spec.title ?? '', 80)}`,
            `Wanted: ${shortened(withoutHeadingMark(task?.spec.description ?? ''), 600)}`,
          ];
  if (matter.kind === 'verdict' || matter.kind === 'tampering')
    lines.push(...evidenceLines(run, matter, seen));
  lines.push('', 'Decide, from any terminal:', ...commandsOf(run, matter).map((one) => `  ${one}`));
  if (matter.kind === 'tampering') lines.push(...tamperingHints(matter.path));
  // These commands start a driver themselves.
  if (!seen.isDriven && matter.kind !== 'choice' && matter.kind !== 'suspension')
    lines.push('', `The run has no driver. After deciding, continue with: untildone resume ${run.id}`);
  return lines.join('\n');
}

/** What the commands do, and how to avoid the question. */
function tamperingHints(path: string): string[] {
  return [
    '',
    '`accept` accepts the file as it is now. `retry` refuses it: a builder gets another session and the reason.',
    `Next time, allow the change in advance: untildone run "…" --may-change ${quoted(fileOf(path))}`,
  ];
}

function failedLines({ tasks }: Run, failed: string): string[] {
  const lines = failed.split(',').flatMap((id) => {
    const task = tasks.get(id);
    if (task === undefined) return [];
    return [`  ${id} - ${shortened(task.spec.title, 80)}: ${shortened(endReasonOf(task) ?? '', 300)}`];
  });
  return lines.length === 0 ? [] : ['', 'What failed:', ...lines];
}

function evidenceLines(
  run: Run,
  matter: Extract<AttentionItem, { kind: 'verdict' | 'tampering' }>,
  { change, reads = [], isBelowStatus = false }: AttentionContext,
): string[] {
  const from = matter.baseTree.slice(0, 10);
  const to = matter.tree.slice(0, 10);
  return [
    matter.kind === 'verdict' ? `Criterion: ${matter.criterionId}` : `File: ${matter.path}`,
    ...(matter.kind === 'verdict' || isOutside(matter.path) ? [] : readLines(matter.path, reads)),
    ...(isBelowStatus
      ? []
      : [
          '',
          'Evidence on this work:',
          ...criteriaLines(run, matter.taskId, { said: matter.question }),
          ...reviewLines(run),
        ]),
    '',
    'Changes:',
    ...(change === null || change === '' ? ['  (nothing)'] : [change]),
    `  everything: git diff ${from} ${to}`,
    ...(matter.kind === 'tampering' && !isOutside(matter.path)
      ? [`  this file alone: git diff ${from} ${to} -- ${fileOf(matter.path)}`]
      : []),
    ...(matter.kind === 'tampering' && isOutside(matter.path)
      ? [`  outside of the repository: ${matter.path}`]
      : []),
  ];
}

function readLines(path: string, reads: NonNullable<AttentionContext['reads']>): string[] {
  return reads.map(({ command, paths }) => {
    const isRead = paths.includes(fileOf(path));
    return `  read by \`${shortened(command, 80)}\` on the base: ${isRead ? 'yes' : 'no'}`;
  });
}

/** A file that steers checks but is in no tree. */
function isOutside(path: string): boolean {
  return /^(~?\/|[A-Z]:\/)/.test(path);
}

/** `package.json#scripts` is part of a file, and git knows only files; a name may begin with `#`. */
function fileOf(path: string): string {
  return path.replace(/(?<=[^/])#.*$/, '');
}

/** The description of a task in a markdown file begins with its heading. */
function withoutHeadingMark(text: string): string {
  return text.replace(/^#+ +/, '');
}
