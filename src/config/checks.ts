// From what a person wrote about a check to a criterion.
import { isAbsolute } from 'node:path';
import type { Criterion } from '#kernel/criterion.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { parseDuration } from './duration.ts';
import type { CheckEntry, CheckTable } from './layers.ts';

export function criteriaOf(entries: readonly CheckEntry[], timeoutMs: number): Criterion[] {
  const tables = distinct(entries.map((entry) => (typeof entry === 'string' ? { run: entry } : entry)));
  const ids = uniqueIds(tables);
  return tables.map((table, index) => criterionOf(table, ids[index] ?? `check-${index + 1}`, timeoutMs));
}

function criterionOf(table: CheckTable, id: string, timeoutMs: number): Criterion {
  const { run, cwd = '', timeout, when = 'attempt', required = true } = table;
  if (run.trim() === '')
    throw new OperatorError('bad-check', 'A check is an empty command.', 'For example: --check "npm test"');
  if (isAbsolute(cwd) || cwd.split(/[\\/]/).includes('..')) {
    throw new OperatorError(
      'bad-check',
      `The check "${run}" has the folder "${cwd}", which is not inside the run's own checkout.`,
      'Give a folder below the one where the run is started.',
    );
  }
  return {
    id,
    text: `\`${run}\` passes`,
    kind: 'exit',
    required,
    when,
    check: {
      kind: 'command',
      run,
      cwd,
      timeoutMs: (timeout === undefined ? null : parseDuration(timeout)) ?? timeoutMs,
    },
  };
}

/** The same check given by a flag and by a file is one check; the first, stronger one stays. */
function distinct(tables: readonly CheckTable[]): CheckTable[] {
  const seen = new Set<string>();
  return tables.filter(({ run, cwd = '', id = '' }) => {
    const key = JSON.stringify([run, cwd, id]);
    return seen.has(key) ? false : (seen.add(key), true);
  });
}

/** Derived from the command where none is given: short, safe in file names, and no two alike. */
function uniqueIds(tables: readonly CheckTable[]): string[] {
  const taken = new Set<string>(['verifier']);
  for (const { id } of tables) {
    if (id === undefined) continue;
    if (taken.has(id))
      throw new OperatorError(
        'bad-check',
        `Two checks have the id "${id}".`,
        'Give each check an id of its own, or none.',
      );
    taken.add(id);
  }
  return tables.map(({ id, run }) => {
    if (id !== undefined) return id;
    const stem = slug(run);
    let free = stem;
    for (let n = 2; taken.has(free); n += 1) free = `${stem}-${n}`;
    taken.add(free);
    return free;
  });
}

function slug(run: string): string {
  const words = run
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return words.slice(0, 32).replace(/-$/, '') || 'check';
}
