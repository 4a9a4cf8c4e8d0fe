// `criteria`: every criterion of a run with where it comes from, how it is decided and where it stands.
import type { Run } from '#kernel/run.ts';
import { describeChange } from './criteria-events.ts';
import type { CriterionView } from './criteria.ts';
import { criteriaOf } from './criteria.ts';
import { table } from './list.ts';
import { marks } from './status.ts';
import { shortened } from './words.ts';

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
  const rows = all.map((one) => [
    `${marks[one.state]} ${one.state}`,
    one.id,
    `${one.kind}${one.required ? '' : ', not required'}`,
    shortened(one.text, 60),
    shortened(one.by, 50),
  ]);
  const lines = [table([['STATE', 'ID', 'KIND', 'WHAT MUST BE TRUE', 'DECIDED BY'], ...rows])];
  const changes = [...run.tasks.values()].flatMap((task) => task.changes);
  if (changes.length > 0) lines.push('', 'Changed since the start:');
  for (const { change, by, why, isNarrowing } of changes)
    lines.push(
      `  ${isNarrowing ? '⚠️  ' : ''}${describeChange(change)}, by ${by}${why === '' ? '' : `: ${why}`}`,
    );
  const open = [...run.proposals.values()].filter((one) => one.settled === null);
  if (open.length > 0) lines.push('', 'Proposed, and not decided:');
  for (const { id, change, by, why } of open)
    lines.push(
      `  ${id}: ${describeChange(change)}, by ${by}${why === '' ? '' : ` (${shortened(why, 100)})`}`,
      `    untildone criteria accept ${id} · untildone criteria reject ${id} --why "…"`,
    );
  return lines.join('\n');
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
    `Comes from: ${origin?.from ?? 'a check that was given'}`,
    `Check: ${howFound(one)}`,
    `Before the work began: ${one.base ?? 'not looked at'}`,
    `Failures: ${one.failures}`,
  ];
  if (one.skipped !== null) lines.push(`Skipped by: ${one.skipped.by} (${one.skipped.why})`);
  if (one.tree !== null)
    lines.push(
      `Seen on: tree ${one.tree.slice(0, 10)}, ${one.place === 'clean' ? 'a clean checkout' : 'the workspace'}`,
    );
  if (one.log !== null) lines.push(`Log: ${one.log}`);
  if (origin?.suggestion !== undefined) lines.push(`Better: ${origin.suggestion}`);
  for (const { change, by, why } of task?.changes ?? [])
    if (JSON.stringify(change).includes(`"${one.id}"`))
      lines.push(`Changed: ${describeChange(change)}, by ${by}${why === '' ? '' : `: ${why}`}`);
  return lines.join('\n');
}

function howFound({ origin }: CriterionView): string {
  if (origin === null || origin.check === 'given') return origin?.why ?? 'given';
  if (origin.check === 'none') return `none could be found: ${origin.why}`;
  return `inferred, ${Math.round((origin.confidence ?? 0) * 100)} % sure: ${origin.why}`;
}
