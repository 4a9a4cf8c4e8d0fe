// The tamper ledger: every change of a pinned file or setting, its author and state. No entry is removed.
import type { BrokenPin } from '#kernel/model/criterion.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { sessionName, sessionNameOf } from '#kernel/model/session-name.ts';
import type { Tampering } from '#kernel/events/tampering-facts.ts';
import { recheckWork } from '#kernel/fold/work.ts';

export interface TamperEntry extends Tampering {
  readonly at: number;
  state: 'open' | 'allowed' | 'accepted' | 'put right' | 'changed again' | 'noted';
  /** Who accepted or restored it, and why. */
  by: string | null;
  reason: string | null;
}

type TamperEvent = Extract<Event, { readonly type: `tampering-${string}` }>;

export function applyTampering(run: Run, event: TamperEvent): void {
  switch (event.type) {
    case 'tampering-seen':
      return see(run, event.tampering, event.at);
    case 'tampering-accepted':
      for (const entry of run.tampering) {
        if (entry.path !== event.path || entry.content !== event.content) continue;
        Object.assign(entry, { state: 'accepted', by: event.by, reason: event.why });
      }
      return recheckTasksNaming(run, event.path);
    case 'tampering-righted':
      for (const entry of run.tampering) {
        if (entry.path !== event.path || !isUnsettled(entry)) continue;
        Object.assign(entry, { state: 'put right', by: event.by });
      }
  }
}

/** Settings, hooks and refs of the repository are restored at once; the ledger keeps a record. */
export function noteRestored(run: Run, event: Event & { readonly type: 'ref-restored' }): void {
  if (event.ref === `refs/heads/${run.config.repo.branch}`) noteMovedBranch(run, event.stepId);
  if (event.action !== 'restored' && event.action !== 'ignored') return;
  // It is seen again after every session, as long as it is not restored.
  if (event.action === 'ignored' && run.tampering.some(({ path }) => path === event.ref)) return;
  const taskId = run.running.get(event.stepId)?.taskId ?? null;
  run.tampering.push({
    path: event.ref,
    change: 'changed',
    why: /^(\.git\/|git config)/.test(event.ref) ? 'decides what git does' : 'belongs to the person',
    content: event.keptAs,
    weakening: [],
    stepId: event.stepId,
    tree: '',
    taskId,
    session: sessionNameOf(run, event.stepId),
    isAllowed: false,
    at: event.at,
    state: 'put right',
    by: 'untildone',
    reason:
      event.action === 'ignored'
        ? 'ignored in this run and left unchanged'
        : event.keptAs === ''
          ? null
          : `the previous content is kept as ${event.keptAs}`,
  });
}

/** The first session to end restores the branch, but another running session may have moved it. */
function noteMovedBranch(run: Run, stepId: string): void {
  run.movedBranch.add(stepId);
  for (const step of run.running.values())
    if (step.deed.kind === 'session' && step.deed.readOnly) run.movedBranch.add(step.stepId);
}

/** A person or a reviewer accepted exactly this content. */
export function isAccepted(run: Run, pin: BrokenPin): boolean {
  return run.tampering.some((entry) => entry.state === 'accepted' && isOf(entry, pin));
}

/** Accepted by reviewer sessions, not by a person. */
export function isAcceptedByReviewer(run: Run, { by, state }: Pick<TamperEntry, 'by' | 'state'>): boolean {
  const sessions = new Set(run.sessions.map((session) => sessionName(session)));
  return state === 'accepted' && by !== null && by.split(', ').every((name) => sessions.has(name));
}

/** Whether reviewers accepted this very content, and no person did. */
export function isAcceptedOnReview(run: Run, pin: BrokenPin): boolean {
  return run.tampering.some((entry) => isOf(entry, pin) && isAcceptedByReviewer(run, entry));
}

/** Whether the ledger has an open entry of this very content, which can be accepted. */
export function isInLedger(run: Run, pin: BrokenPin): boolean {
  return run.tampering.some((entry) => isUnsettled(entry) && isOf(entry, pin));
}

/** Null if this very content may be accepted, else why not. */
export function whyNotAcceptable(run: Run, path: string, content: string): string | null {
  const entries = run.tampering.filter((entry) => entry.path === path);
  const open = entries.filter(isUnsettled);
  if (open.some((entry) => entry.content === content)) return null;
  if (open.length > 0) return `${path} has changed since; look at it again`;
  const last = entries.at(-1);
  return last === undefined
    ? `${path} is not in the tamper ledger`
    : `${path} is ${last.state} already${last.by === null ? '' : ` (${last.by})`}`;
}

export function isUnsettled({ state }: TamperEntry): boolean {
  return state === 'open' || state === 'changed again';
}

function isOf(entry: Tampering, pin: BrokenPin): boolean {
  return entry.path === pin.path && pin.content !== undefined && entry.content === pin.content;
}

function see(run: Run, tampering: Tampering, at: number): void {
  for (const entry of run.tampering)
    if (entry.path === tampering.path && entry.state === 'open') entry.state = 'changed again';
  const state = tampering.isSuspicion === true ? 'noted' : tampering.isAllowed ? 'allowed' : 'open';
  run.tampering.push({ ...tampering, at, state, by: null, reason: null });
}

/** If only this file made the attempt red, the work may be correct: it is checked again, not built again. */
function recheckTasksNaming(run: Run, path: string): void {
  for (const task of run.queue.active) {
    const isNamed = task.inspection.checked?.brokenPins.some((pin) => pin.path === path) === true;
    if (isNamed) recheckWork(task);
  }
}
