// `criteria`: every criterion of a run with its origin, its check and its state.
import { criterionIdOf } from '#kernel/fold/criteria-change.ts';
import type { Run } from '#kernel/fold/run.ts';
import { describeChange } from '#views/lines/criteria-events.ts';
import type { CriterionView } from './criteria.ts';
import { criteriaOf } from './criteria.ts';
import { marks } from './status.ts';
import { shortened, tableLines, utcMinute } from '#views/words.ts';

export function criteriaJson(run: Run) {
  return {
    runId: run.id,
    criteria: [...criteriaOf(run, 'entry'), ...criteriaOf(run)],
    changes: [...run.tasks.values()].flatMap((task) =>
      task.changes.map((change) => ({ taskId: task.spec.id, ...change })),
    ),
    proposals: [...run.proposals.values()],
  };
}

export function criteriaText(run: Run): string {
  const all = [...criteriaOf(run, 'entry'), ...criteriaOf(run)];
  if (all.length === 0)
    return 'This run has no criteria. Add one: untildone criteria add "…" --check "npm test"';
  const isOne = run.tasks.size < 2;
  const rows = all.map((one) => [
    `${marks[one.state]} ${one.state}`,
    ...(isOne ? [] : [one.taskId]),
    one.id,
    `${one.kind}${one.required ? '' : ', not required'}`,
    shortened(one.text, 60),
    shortened(one.by, 50),
  ]);
  const head = ['STATE', ...(isOne ? [] : ['TASK']), 'ID', 'KIND', 'CRITERION', 'DECIDED BY'];
  return [...tableLines([head, ...rows]), ...changeLines(run), ...proposalLines(run)].join('\n');
}

function changeLines(run: Run): string[] {
  const lines = [...run.tasks.values()].flatMap((task) =>
    task.changes.map((one) => {
      const of = run.tasks.size < 2 ? '' : `task ${task.spec.id}: `;
      return `  ${one.isNarrowing ? '⚠️  ' : ''}${of}${describeChange(one.change)}, ${authorText(one)}`;
    }),
  );
  return lines.length === 0 ? [] : ['', 'Changed since the start:', ...lines];
}

/** Accepted proposals are listed among the changes. */
function proposalLines(run: Run): string[] {
  const all = [...run.proposals.values()];
  const open = all.filter((one) => one.settled === null);
  const lines = open.length === 0 ? [] : ['', 'Proposed, and not decided:'];
  for (const { id, change, by, why } of open)
    lines.push(
      `  ${id}: ${describeChange(change)}, by ${by}${why === '' ? '' : ` (${shortened(why, 100)})`}`,
      `    untildone criteria accept ${id} · untildone criteria reject ${id} --why "…"`,
    );
  const rejected = all.flatMap(({ change, by, settled }) =>
    settled === null || settled.isAccepted
      ? []
      : [`  ${describeChange(change)}, proposed by ${by}; rejected ${authorText(settled)}`],
  );
  return rejected.length === 0 ? lines : [...lines, '', 'Proposed, and rejected:', ...rejected];
}

function authorText({
  by,
  at,
  why,
}: {
  readonly by: string;
  readonly at: number;
  readonly why: string;
}): string {
  return `by ${by} at ${utcMinute(at)}${why === '' ? '' : `: ${why}`}`;
}

export function explainText(run: Run, one: CriterionView): string {
  const { origin } = one;
  const task = run.tasks.get(one.taskId);
  const lines = [
    `${marks[one.state]} ${one.id}: ${one.text}`,
    '',
    `State: ${one.state}${one.reason === null ? '' : ` (${one.reason})`}`,
    `Kind: ${one.kind}${one.required ? ', required' : ', not required'}`,
    `Decided by: ${one.by}`,
    `Comes from: ${origin?.from ?? (one.isMachine ? 'a check that was given' : 'the preset')}`,
    `Check: ${howFound(one)}`,
    `Before the work: ${one.base ?? 'not checked'}`,
    `Failures: ${one.failures}`,
  ];
  if (one.skipped !== null) lines.push(`Skipped by: ${one.skipped.by} (${one.skipped.why})`);
  if (one.tree !== null)
    lines.push(
      `Seen on: tree ${one.tree.slice(0, 10)}, ${one.place === 'clean' ? 'a clean checkout' : 'the workspace'}`,
    );
  if (one.log !== null) lines.push(`Log: ${one.log}`);
  if (origin?.suggestion !== undefined) lines.push(`Better: ${origin.suggestion}`);
  for (const recorded of task?.changes ?? [])
    if (criterionIdOf(recorded.change) === one.id)
      lines.push(`Changed: ${describeChange(recorded.change)}, ${authorText(recorded)}`);
  return lines.join('\n');
}

function howFound({ origin, isMachine }: CriterionView): string {
  if (origin === null) return isMachine ? 'given' : 'a person reviews the work';
  if (origin.check === 'given') return origin.why;
  if (origin.check === 'none') return `none found: ${origin.why}`;
  return `inferred, ${Math.round((origin.confidence ?? 0) * 100)} % sure: ${origin.why}`;
}
