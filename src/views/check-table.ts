// A check as a person would write it into a file: the way back from what was made of it.
import type { Check } from '#kernel/check.ts';

/** Null for what nobody writes into a plan: reviewers, hooks, what is held out. */
export function checkAsWritten(check: Check): unknown {
  switch (check.kind) {
    case 'command':
      return check.cwd === '' ? check.run : { run: check.run, cwd: check.cwd };
    case 'gate':
      return { run: check.run, gate: check.gate, ...cwdOf(check) };
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
      return { ...lookOf(check.look), ...servedOf(check) };
    case 'human':
      return 'human';
    case 'reviewer':
    case 'hook':
    case 'held-out':
      return null;
  }
}

function cwdOf({ cwd }: { readonly cwd: string }): object {
  return cwd === '' ? {} : { cwd };
}

function servedOf({ serve, cwd }: { readonly serve: string | null; readonly cwd: string }): object {
  return { ...(serve === null ? {} : { serve }), ...cwdOf({ cwd }) };
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

function lookOf(look: (Check & { kind: 'browser' })['look']): object {
  if (look.kind === 'script') return { script: look.path };
  return { page: look.url, selector: look.selector, ...(look.text === null ? {} : { text: look.text }) };
}
