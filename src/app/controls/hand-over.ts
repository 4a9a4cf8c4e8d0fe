// A person's decision on its way into the journal. A live driver fetches it from this process and looks who that is; where
// nobody drives, this process writes it down itself, under the lock. A file that says "approved" is no decision.
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

/** A driver that just takes over may have to wait for sessions of the one before. */
const msMax = 20_000;
/** Then somebody looks whether there still is a driver. */
const roundMs = 1_500;

/** Contract: the journal has it when this resolves; nothing was decided when it rejects, unless the driver comes to it later. */
export async function handOver(site: Site, runId: string, request: ControlRequest): Promise<void> {
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
  // Nothing is written into a run that is over, unless it opens it again.
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

/** What the run waits for may have changed: other processes see that in its wake record. */
async function noteWait(site: Site, run: Run): Promise<void> {
  const { waitOfRun } = await import('#app/waiting/wait-of-run.ts');
  const { writeWakeRecord } = await import('#app/waiting/run-waiting.ts');
  const wait = waitOfRun(run);
  // One that can work keeps its record: a driver was on its way.
  if (wait.kind === 'can-work') return;
  const { awaited, waitingFor } = wait.kind === 'waits' ? wait : { awaited: [], waitingFor: '' };
  const { id: runId, config } = run;
  await writeWakeRecord(site, { runId, config }, awaited.length === 0 ? null : { awaited, waitingFor });
}

/**
 * Whoever asks is told at once, and whoever asks next sees it. Not where a driver died: it left steps whose ends nobody has
 * looked for yet. Not for a plan, which the next driver takes up with its architect, unless it opens a run that is over.
 */
function isAnswerable({ running, outcome, pending: [next] }: Run): boolean {
  if (next === undefined) return false;
  // A wait begins or ends whatever became of the steps.
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
