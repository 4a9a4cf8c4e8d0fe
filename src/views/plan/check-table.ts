// Writes a check as a person would write it into a file: the inverse of parsing.
import type { Check } from '#kernel/model/check.ts';
import type { Criterion } from '#kernel/model/criterion.ts';

/** `usualMs`: default timeout of commands. Null if no plan contains it: reviewers, hooks, held-out checks. */
export function criterionAsWritten(criterion: Criterion, usualMs: number | undefined): object | null {
  const { id, text, kind, required, when, alone } = criterion;
  const check = checkAsWritten(criterion.check, usualMs);
  if (check === null) return null;
  const beside = alone === undefined ? {} : { parallel: !alone };
  return {
    id,
    text,
    check:
      alone === undefined ? check : { ...(typeof check === 'string' ? { run: check } : check), ...beside },
    ...(required ? {} : { required }),
    ...(when === 'attempt' || kind === 'entry' ? {} : { when }),
  };
}

export function checkAsWritten(check: Check, usualMs: number | undefined): string | object | null {
  switch (check.kind) {
    case 'command': {
      const limits = { ...cwdOf(check), ...timeoutOf(check, usualMs) };
      return Object.keys(limits).length === 0 && isPlain(check.run)
        ? check.run
        : { run: check.run, ...limits };
    }
    case 'gate':
      return { run: check.run, gate: check.gate, ...cwdOf(check), ...timeoutOf(check, usualMs) };
    case 'file':
      return { file: check.path, ...holdsOf(check.holds) };
    case 'symbol':
      return { symbol: check.name, what: check.what, ...(check.file === null ? {} : { in: check.file }) };
    case 'http':
      return {
        url: check.url,
        status: check.status,
        ...(check.contains === null ? {} : { contains: check.contains }),
        ...servedOf(check),
      };
    case 'browser':
      return { ...visitTable(check.look), ...servedOf(check) };
    case 'human':
      return 'human';
    case 'reviewer':
    case 'hook':
    case 'held-out':
      return null;
  }
}

/** Whether the text alone is read as a command, and not as one of the one-line check kinds. */
function isPlain(run: string): boolean {
  return !/^\s*(?:(?:file|symbol):|https?:)/.test(run) && run !== 'human';
}

function timeoutOf({ timeoutMs }: { readonly timeoutMs: number }, usualMs: number | undefined): object {
  if (timeoutMs === usualMs) return {};
  const [unit, ms] = units.find(([, one]) => timeoutMs % one === 0) ?? ['ms', 1];
  return { timeout: `${timeoutMs / ms}${unit}` };
}

const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

function cwdOf({ cwd }: { readonly cwd: string }): object {
  return cwd === '' ? {} : { cwd };
}

/** The timeout of a server has its own rule, so it is always written. */
function servedOf(check: Check & { kind: 'http' | 'browser' }): object {
  const { serve } = check;
  return { ...(serve === null ? {} : { serve }), ...cwdOf(check), ...timeoutOf(check, undefined) };
}

function holdsOf(holds: (Check & { kind: 'file' })['holds']): object {
  switch (holds.kind) {
    case 'exists':
      return {};
    case 'absent':
      return { exists: false };
    case 'contains':
      return { contains: holds.text };
    case 'json':
      return {
        json: holds.path,
        ...(holds.value === null ? {} : { equals: JSON.parse(holds.value) as unknown }),
      };
  }
}

function visitTable(visit: (Check & { kind: 'browser' })['look']): object {
  if (visit.kind === 'script') return { script: visit.path };
  return { page: visit.url, selector: visit.selector, ...(visit.text === null ? {} : { text: visit.text }) };
}
