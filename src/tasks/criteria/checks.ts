// Turns the checks that a person wrote into criteria.
import { describeCheck, type MachineCheck } from '#kernel/model/check.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import { OperatorError } from '#base/operator-error.ts';
import { tableOf } from './check-shorthand.ts';
import type { CheckEntry, CheckTable } from './check-schema.ts';
import { keyOf, problemOf } from './check-table.ts';
import { parseDuration } from '#base/duration.ts';

/** Slow suites take minutes; a check that takes longer than this hangs. */
export const defaultCheckTimeoutMs = 20 * 60_000;

/** Time for a server to start and answer; one that builds first may need a longer `timeout`. */
const defaultServeTimeoutMs = 2 * 60_000;

export function criteriaOf(entries: readonly CheckEntry[], timeoutMs: number): Criterion[] {
  const tables = entries.map((entry) => (typeof entry === 'string' ? tableOf(entry) : entry));
  for (const table of tables) refuseBad(table);
  const checks = distinct(tables.map((table) => ({ table, check: checkOf(table, timeoutMs) })));
  const ids = uniqueIds(checks);
  return checks.map(({ table, check }, index) => ({
    id: ids[index] ?? `check-${index + 1}`,
    text:
      check.kind === 'command' || check.kind === 'gate' ? `\`${check.run}\` passes` : describeCheck(check),
    kind: 'exit',
    required: table.required ?? true,
    when: table.when ?? 'attempt',
    check,
    ...(table.parallel === undefined ? {} : { alone: !table.parallel }),
  }));
}

interface Wanted {
  readonly table: CheckTable;
  readonly check: MachineCheck;
}

function refuseBad(table: CheckTable): void {
  const problem = problemOf(table);
  if (problem === null) return;
  const what = table.id ?? table[keyOf(table) ?? 'run'] ?? '';
  throw new OperatorError(
    'bad-check',
    `${what.trim() === '' ? 'A check' : `The check "${what}"`} ${problem}.`,
    'For example: --check "npm test", --check file:docs/api.md, or see `untildone help checks`.',
  );
}

function checkOf(table: CheckTable, timeoutMs: number): MachineCheck {
  const { cwd = '', run = '', serve = null } = table;
  const within = (table.timeout === undefined ? null : parseDuration(table.timeout)) ?? null;
  const served = { serve, cwd, timeoutMs: within ?? Math.min(timeoutMs, defaultServeTimeoutMs) };
  switch (keyOf(table)) {
    case 'file':
      return { kind: 'file', path: table.file ?? '', holds: holdsOf(table) };
    case 'symbol':
      return { kind: 'symbol', name: table.symbol ?? '', what: table.what ?? 'any', file: table.in ?? null };
    case 'url':
      return {
        kind: 'http',
        url: table.url ?? '',
        status: table.status ?? 200,
        contains: table.contains ?? null,
        ...served,
      };
    case 'page': {
      const { page: url = '', selector = '', text = null } = table;
      return { kind: 'browser', look: { kind: 'page', url, selector, text }, ...served };
    }
    case 'script':
      return { kind: 'browser', look: { kind: 'script', path: table.script ?? '' }, ...served };
    default: {
      const program = { run, cwd, timeoutMs: within ?? timeoutMs };
      return table.gate === undefined
        ? { kind: 'command', ...program }
        : { kind: 'gate', gate: table.gate, ...program };
    }
  }
}

function holdsOf({ exists, contains, json, equals }: CheckTable): (MachineCheck & { kind: 'file' })['holds'] {
  if (contains !== undefined) return { kind: 'contains', text: contains };
  if (json !== undefined)
    return { kind: 'json', path: json, value: equals === undefined ? null : JSON.stringify(equals) };
  return { kind: exists === false ? 'absent' : 'exists' };
}

/** The same check from a flag and from a file is one check; the first, stronger one stays. */
function distinct(checks: readonly Wanted[]): Wanted[] {
  const seen = new Set<string>();
  return checks.filter(({ table: { id = '' }, check }) => {
    const key = JSON.stringify([{ ...check, timeoutMs: null }, id]);
    return seen.has(key) ? false : (seen.add(key), true);
  });
}

/** Derived from the check if none is given: short, safe in file names, unique. */
function uniqueIds(checks: readonly Wanted[]): string[] {
  const taken = new Set<string>(['verifier']);
  for (const { table } of checks) {
    const { id } = table;
    if (id === undefined) continue;
    if (taken.has(id))
      throw new OperatorError(
        'bad-check',
        `Two checks have the id "${id}".`,
        'Give each check an id of its own, or none.',
      );
    taken.add(id);
  }
  return checks.map(({ table, check }) => {
    if (table.id !== undefined) return table.id;
    const stem = slug(describeCheck(check));
    let free = stem;
    for (let n = 2; taken.has(free); n += 1) free = `${stem}-${n}`;
    taken.add(free);
    return free;
  });
}

/** People type these names and read them in every report. */
const idMax = 32;

function slug(words: string): string {
  const plain = dashed(words);
  if (plain.length <= idMax) return plain || 'check';
  // A long command keeps its words without options, and the last part of paths, as far as they fit.
  const telling = words.split(/\s+/).filter((word) => !word.startsWith('-') && !/^\w+=/.test(word));
  let id = '';
  for (const word of telling.map((one) => dashed(one.replace(/^.*\/(?=[^/]*\w)/, '')))) {
    const longer = id === '' || word === '' ? id + word : `${id}-${word}`;
    if (longer.length > idMax) break;
    id = longer;
  }
  return id || plain.slice(0, idMax).replace(/-$/, '');
}

function dashed(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
