// Delivers a person's decision. A live driver fetches it from this process and checks which process that is;
// without a driver, this process records it under the lock. A file that says "approved" is no decision.
import { hostname } from 'node:os';
import { openOffer } from '#adapters/store/inbox/offer.ts';
import { announce } from '#adapters/store/inbox/inbox.ts';
import { apply } from '#kernel/fold/apply.ts';
import type { Control, ControlRequest } from '#kernel/events/control.ts';
import { settle, settleNext } from '#kernel/decide/decide-controls.ts';
import type { Event, Fact } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { judgeIn } from './judge.ts';
import { withLockedRun } from '#app/lock-run.ts';
import { runPathsOf, type Site } from '#app/site.ts';
import type { OpenedRun } from '#runtime/open-run.ts';

/** A driver that just takes over may have to wait for sessions of the previous driver. */
const msMax = 20_000;
/** After each round we check whether the run still has a driver. */
const roundMs = 1_500;

/** Contract: resolves once the journal has it. If it rejects, nothing is decided unless a driver reads it. */
export async function deliverControl(site: Site, runId: string, request: ControlRequest): Promise<void> {
  const why = await judgeIn(site)(process.pid);
  if (why !== null) throw refused(runId, why);
  if (await writeDown(site, runId, request)) return;
  const run = runPathsOf(site, runId);
  const offer = await openOffer(JSON.stringify(request));
  try {
    for (const until = performance.now() + msMax; performance.now() < until;) {
      const withdraw = await announce(run, request, offer.address);
      const answer = await offer.answer(roundMs);
      await withdraw();
      if (answer === 'recorded') return;
      if (answer !== null) throw refused(runId, answer.refused);
      if (await writeDown(site, runId, request)) return;
    }
  } finally {
    offer.close();
  }
  throw notAnswered(runId);
}

/** False when another process drives the run. */
async function writeDown(site: Site, runId: string, request: ControlRequest): Promise<boolean> {
  const written = await withLockedRun(site, runId, (opened) => writeInto(site, opened, request));
  return written !== 'held';
}

async function writeInto(site: Site, { run, journal }: OpenedRun, request: ControlRequest): Promise<void> {
  if (run.controls.has(request.id)) return;
  // Nothing is recorded in a finished run, except a control that reopens it.
  const late = run.outcome === null ? null : settle(run, request);
  if (late !== null && 'refused' in late) throw refused(run.id, late.refused);
  const at = Math.max(Date.now(), run.now);
  const { id, by, control } = request;
  const events = fold(run, at, [
    { type: 'driver-started', epoch: run.epoch + 1, driver: `${hostname()}:${process.pid}` },
    { type: 'control-received', id, by, control },
  ]);
  while (isAnswerable(run)) events.push(...fold(run, at, settleNext(run)));
  const reason = `${control.kind} is recorded for the next driver`;
  const leaving: Event = { at, type: 'driver-left', reason };
  await journal.append([...events, leaving], { sync: true });
  apply(run, leaving);
  await noteWait(site, run);
}

/** The control may change what the run waits for: other processes read that in its wake record. */
async function noteWait(site: Site, run: Run): Promise<void> {
  const { waitOfRun } = await import('#app/waiting/wait-of-run.ts');
  const { writeWakeRecord } = await import('#app/waiting/run-waiting.ts');
  const wait = waitOfRun(run);
  // A run that can work keeps its record: a driver was about to start.
  if (wait.kind === 'can-work') return;
  const { awaited, waitingFor } = wait.kind === 'waits' ? wait : { awaited: [], waitingFor: '' };
  const { id: runId, config } = run;
  await writeWakeRecord(site, { runId, config }, awaited.length === 0 ? null : { awaited, waitingFor });
}

/**
 * Settling here answers at once. Not after a driver died: its steps may have ended unseen.
 * Not for a plan, which the next driver settles with its architect, unless the run is over.
 */
function isAnswerable({ running, outcome, pending: [next] }: Run): boolean {
  if (next === undefined) return false;
  // A wait begins or ends whatever happened to the steps.
  if (outcome === null && isOfWait(next.control)) return true;
  if (running.size > 0) return false;
  return outcome !== null || !next.control.kind.endsWith('plan');
}

function isOfWait(control: Control): boolean {
  if (control.kind === 'suspend') return true;
  if (control.kind !== 'resume') return false;
  return control.force === true || control.approve === true || control.reject !== undefined;
}

function fold(run: Run, at: number, facts: readonly Fact[]): Event[] {
  const events = facts.map((fact): Event => ({ at, ...fact }));
  for (const event of events) apply(run, event);
  return events;
}

function refused(runId: string, why: string): OperatorError {
  return new OperatorError(
    'refused',
    `The run ${runId} refused it: ${why}.`,
    `Review it again: untildone status ${runId}`,
  );
}

function notAnswered(runId: string): OperatorError {
  return new OperatorError(
    'not-answered',
    `The driver of run ${runId} does not answer, so nothing was decided.`,
    'It may be stopped (Ctrl-Z) or in another container. Decide where it runs, when it runs again.',
  );
}
