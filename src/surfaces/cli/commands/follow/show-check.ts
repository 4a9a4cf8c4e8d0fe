// `show --check`: all evidence of one criterion, with the output; of a held-out one too, for a person alone.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Site } from '#app/site.ts';
import { describeCheck } from '#kernel/model/check.ts';
import type { Criterion, Evidence, Purpose } from '#kernel/model/criterion.ts';
import { shownOutput } from '#kernel/model/shown-output.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { print, printJson } from '#surfaces/cli/output.ts';

/** Enough for a screen or a pipe; the file has the rest. */
const shownBytesMax = 64 * 1024;

const purposes: readonly (readonly [Purpose, string])[] = [
  ['base', 'before the work'],
  ['attempt', 'after the last session'],
  ['pinned', 'with the pinned files as they were'],
  ['look', 'while a session lived'],
  ['acceptance', 'at the final acceptance, on a clean checkout'],
];

interface ShownEvidence extends Evidence {
  readonly when: string;
  readonly file: string | null;
  readonly output: string;
}

export async function showCheck(site: Site, run: Run, id: string, isJson: boolean): Promise<number> {
  const found = criteriaNamed(run, id);
  const { refuseCleaned } = await import('#app/clean/refuse-cleaned.ts');
  await refuseCleaned(site, run, 'the output of its checks was removed');
  // A program that an agent can start must not see anything held out.
  if (found.some(({ criterion }) => criterion.check.kind === 'held-out'))
    await refuseFromInside('untildone show --check');
  const shown = await Promise.all(
    found.map(async ({ taskId, criterion }) => ({
      taskId,
      criterion,
      seen: await evidenceOf(site, run, taskId, criterion),
    })),
  );
  if (isJson) {
    printJson({ runId: run.id, checks: shown });
    return 0;
  }
  for (const { taskId, criterion, seen } of shown) {
    print(
      `${criterion.id} of task ${taskId}: ${criterion.text}\nDecided by ${describeCheck(criterion.check)}`,
    );
    if (seen.length === 0) print('\nThis check has not run yet.');
    for (const one of seen) print(`\n${textOf(one)}`);
  }
  return 0;
}

function criteriaNamed(run: Run, id: string): { taskId: string; criterion: Criterion }[] {
  const all = [...run.tasks.values()].flatMap(({ spec }) =>
    spec.criteria.map((criterion) => ({ taskId: spec.id, criterion })),
  );
  const found = all.filter(
    ({ taskId, criterion }) => criterion.id === id || `${taskId}/${criterion.id}` === id,
  );
  if (found.length > 0) return found;
  throw new OperatorError(
    'no-criterion',
    `The run ${run.id} has no check "${id}".`,
    `It has ${[...new Set(all.map(({ criterion }) => criterion.id))].join(', ')}.`,
  );
}

async function evidenceOf(
  site: Site,
  run: Run,
  taskId: string,
  { id, check }: Criterion,
): Promise<ShownEvidence[]> {
  const { runFiles, runPathsOf } = await import('#app/site.ts');
  const folder =
    check.kind === 'held-out'
      ? join(runPathsOf(site, run.id).heldOut, 'logs')
      : runFiles(site, run.id).logsDir;
  const known = run.tasks.get(taskId)?.evidence.get(id) ?? {};
  const collected: ShownEvidence[] = [];
  for (const [purpose, when] of purposes) {
    const evidence = known[purpose];
    if (evidence === undefined) continue;
    const file = evidence.log === null ? null : join(folder, evidence.log);
    const end = file === null ? null : await endOf(file);
    const output = end === null || end.isCut ? shownOutput(evidence, shownBytesMax) : '';
    collected.push({
      ...evidence,
      when,
      file: end === null ? null : file,
      output: [output, end?.text ?? ''].filter((part) => part !== '').join('\n'),
    });
  }
  return collected;
}

function textOf({ when, tree, verdict, reason, file, output }: ShownEvidence): string {
  const head = `── ${when}, on tree ${tree.slice(0, 10)}: ${verdict} (${reason})`;
  const where = file === null ? [] : [`   ${file}`];
  return [head, ...where, output.trimEnd() === '' ? '   (no output)' : output.trimEnd()].join('\n');
}

/** Null if there is no such file. */
async function endOf(file: string): Promise<{ readonly text: string; readonly isCut: boolean } | null> {
  const handle = await open(file).catch(() => null);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - shownBytesMax);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    const text = buffer.toString('utf8', 0, bytesRead);
    return { text: from > 0 ? `[…]\n${text}` : text, isCut: from > 0 };
  } finally {
    await handle.close();
  }
}
