// The tamper ledger for people and reports: changes to pinned files, by which session, and their state.
import type { Run } from '#kernel/fold/run.ts';
import type { TamperEntry } from '#kernel/proof/tampering.ts';
import { shortened, utc } from '#views/words.ts';

export type TamperView = ReturnType<typeof tamperLedger>[number];

/** Oldest first. Includes entries that a person had allowed. */
export function tamperLedger(run: Run) {
  return run.tampering.map((entry) => ({
    path: entry.path,
    change: entry.change,
    state: entry.state,
    why: entry.why,
    weakening: entry.weakening,
    session: entry.session,
    taskId: entry.taskId,
    stepId: entry.stepId,
    tree: entry.tree,
    content: entry.content,
    by: entry.by,
    reason: entry.reason,
    at: utc(entry.at),
  }));
}

export function tamperLines(run: Run): string[] {
  const ledger = tamperLedger(run);
  if (ledger.length === 0) return [];
  const shown = ledger.slice(-shownMax);
  const left = ledger.length - shown.length;
  return [
    'Tamper ledger:',
    ...(left === 0 ? [] : [`  (${left} older entries: untildone show)`]),
    ...shown.map((entry) => `  ${tamperMarks[entry.state]} ${tamperLine(entry)}`),
  ];
}

const shownMax = 20;

export const tamperMarks: { readonly [state in TamperEntry['state']]: string } = {
  open: '❌',
  allowed: '🔓',
  accepted: '✅',
  'put right': '↩️',
  'changed again': '❌',
  noted: '👀',
};

function tamperLine(entry: TamperView): string {
  const how = entry.weakening.length === 0 ? '' : ` (${entry.weakening.join(', ')})`;
  const who = entry.session === null ? '' : ` by ${entry.session}`;
  return `${entry.path} ${entry.change}${who}${how}: ${outcomeOf(entry)}`;
}

function outcomeOf({ state, by, reason, why }: TamperView): string {
  const more = reason === null ? '' : `: ${shortened(reason, 120)}`;
  switch (state) {
    case 'open':
      return 'not accepted';
    case 'allowed':
      return 'allowed in advance by mayChange';
    case 'changed again':
      return 'not accepted, and changed again since';
    case 'accepted':
      return `accepted by ${by ?? 'an unknown person'}${more}`;
    case 'noted':
      return `it ${why}; this refuses nothing, but review it`;
    case 'put right':
      return `put right${by === null ? '' : ` by ${by}`}${more}`;
  }
}
