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

export function attentionText(run: Run, item: AttentionItem, context: AttentionContext): string {
  const task = run.tasks.get(item.taskId);
  const asked = `❓ A person is asked: ${item.question}`;
  const lines =
    item.kind === 'plan'
      ? [planText(planOf(run)), '', asked]
      : item.kind === 'dead-end' || item.kind === 'suspension'
        ? [asked, ...failedLines(run, item.kind === 'dead-end' ? item.failed : '')]
        : [
            asked,
            '',
            `Task: ${item.taskId} - ${shortened(task?.spec.title ?? '', 80)}`,
            `Wanted: ${shortened(withoutHeadingMark(task?.spec.description ?? ''), 600)}`,
          ];
  if (item.kind === 'verdict' || item.kind === 'tampering') lines.push(...evidenceLines(run, item, context));
  lines.push('', 'Decide, from any terminal:', ...commandsOf(run, item).map((one) => `  ${one}`));
  if (item.kind === 'tampering') lines.push(...tamperingHints(item.path));
  // These commands start a driver themselves.
  if (!context.isDriven && item.kind !== 'choice' && item.kind !== 'suspension')
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
  item: Extract<AttentionItem, { kind: 'verdict' | 'tampering' }>,
  { change, reads = [], isBelowStatus = false }: AttentionContext,
): string[] {
  const from = item.baseTree.slice(0, 10);
  const to = item.tree.slice(0, 10);
  return [
    item.kind === 'verdict' ? `Criterion: ${item.criterionId}` : `File: ${item.path}`,
    ...(item.kind === 'verdict' || isOutside(item.path) ? [] : readLines(item.path, reads)),
    ...(isBelowStatus
      ? []
      : [
          '',
          'Evidence on this work:',
          ...criteriaLines(run, item.taskId, { shownText: item.question }),
          ...reviewLines(run),
        ]),
    '',
    'Changes:',
    ...(change === null || change === '' ? ['  (nothing)'] : [change]),
    `  everything: git diff ${from} ${to}`,
    ...(item.kind === 'tampering' && !isOutside(item.path)
      ? [`  this file alone: git diff ${from} ${to} -- ${fileOf(item.path)}`]
      : []),
    ...(item.kind === 'tampering' && isOutside(item.path)
      ? [`  outside of the repository: ${item.path}`]
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
