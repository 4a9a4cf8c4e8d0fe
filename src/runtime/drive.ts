// The driver's loop for one run: record conclusions, start the steps that may start, wait, repeat. Everything
// outside the run comes in as ports (`World`, the next file of the reading order).
import { apply } from '#kernel/fold/apply.ts';
import { assert } from '#base/assert.ts';
import { reserveSession } from '#kernel/model/budget.ts';
import { decide } from '#kernel/decide/decide.ts';
import { settleNext } from '#kernel/decide/decide-controls.ts';
import type { Event, Fact, FactType } from '#kernel/events/events.ts';
import { isOnlyAttached } from '#kernel/decide/attached.ts';
import type { Policy } from '#kernel/decide/policy.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Step } from '#kernel/model/step.ts';
import { suspensionFor } from '#kernel/waiting/suspension.ts';
import type { Journal, Store } from '#ports/store.ts';
import type { World } from '#ports/world.ts';
import { adopt } from '#runtime/steps/adopt.ts';
import { assertSound } from './assert-sound.ts';
import { boundaries } from './boundaries.ts';
import { factsOfArrival, factsOfSighting } from './incoming-facts.ts';
import { probeAndLeave } from './probe-and-leave.ts';
import { createMailbox, type Mailbox } from './mailbox.ts';
import { perform } from '#runtime/steps/perform.ts';
import { type OpenedRun, openRun } from './open-run.ts';
import type { Performance } from '#runtime/steps/performance.ts';
import { UnsettledSession } from '#runtime/steps/perform-ended.ts';
import type { Decision } from '#kernel/decide/decision.ts';
import type { DriveEnd, DriveOptions } from './drive-options.ts';
import { endPerformances, leave } from './leave.ts';

export interface Driver {
  readonly run: Run;
  readonly world: World;
  readonly journal: Journal;
  /** Facts that running steps report, until the loop records them. */
  readonly mailbox: Mailbox<Fact>;
  /** Steps under way, by id: each can be steered and settles with its facts. */
  readonly performing: Map<string, Performance>;
  /** How far the machine's clock is behind the run's time, after it was set back. */
  lagMs: number;
  /** Whether `driver-started` was recorded. */
  hasAnnounced: boolean;
  /** The number of events in the newest snapshot, from which readers start. */
  savedAt: number;
}

export async function drive(
  runId: string,
  world: World & { readonly store: Store },
  policy: Policy,
  options: DriveOptions,
): Promise<DriveEnd> {
  const opened = await openRun(world.store, runId);
  if ('heldBy' in opened) return { kind: 'held', by: opened.heldBy };
  return driveOpened(opened, world, policy, options);
}

export async function driveOpened(
  { journal, run }: OpenedRun,
  world: World,
  policy: Policy,
  options: DriveOptions,
): Promise<DriveEnd> {
  const mailbox = createMailbox<Fact>();
  const driver: Driver = {
    run,
    world,
    journal,
    mailbox,
    performing: new Map(),
    lagMs: 0,
    hasAnnounced: false,
    savedAt: 0,
  };
  const stopWatching = world.inbox.watch(() => mailbox.wake());
  const onAbort = () => mailbox.wake();
  options.signal.addEventListener('abort', onAbort);
  try {
    options.onLocked?.(run);
    for (const observer of world.observers) observer.onReplayed?.(journal.events);
    for (const text of journal.notes) note(world, text);
    const isFirst = options.isNew === true && run.epoch === 0;
    if (run.outcome === null) await (isFirst ? announce(driver) : takeOver(driver));
    else if (run.pending.length > 0) await announce(driver);
    return await loop(driver, policy, options);
  } catch (error) {
    if (!(error instanceof UnsettledSession)) throw error;
    return await leaveUnsettled(driver, error.message);
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    stopWatching();
    await leave(driver);
  }
}

function note({ observers }: World, text: string): void {
  for (const observer of observers) observer.onNote?.(text);
}

async function loop(driver: Driver, policy: Policy, options: DriveOptions): Promise<DriveEnd> {
  const { run, mailbox } = driver;
  for (;;) {
    // Drained before the inbox of controls is read: any later arrival ends the next wait.
    const arrived = mailbox.drain();
    if (arrived.length > 0) await record(driver, arrived);
    await takeControls(driver);
    if (run.outcome !== null && run.pending.length === 0) return { kind: 'ended', run };
    const decision = decide(run, policy);
    for (const steer of decision.steer) driver.performing.get(steer.stepId)?.steer(steer);
    if (decision.record.length > 0) {
      assertSound(run, decision.record);
      await record(driver, decision.record);
      // A reopened run is taken over like one of an earlier driver.
      if (decision.record.some(({ type }) => type === 'run-reopened')) await takeOver(driver, true);
      continue;
    }
    if (options.signal.aborted) return leaveParked(driver, decision);
    for (const step of decision.start) await begin(driver, step);
    // No fact reports the end of an attached session (`foreign`: a person's own client): decide again now.
    if (decision.start.length > 0 && isOnlyAttached(run)) continue;
    const isQuiet = isOnlyAttached(run) && !decision.isTimed;
    const isWaiting = decision.waitingFor !== null || run.running.size > 0;
    assert(!isQuiet || isWaiting, 'a run ends or waits for something');
    // In a suspended run, a session that cannot be interrupted may run for hours.
    if (isQuiet || suspensionFor(run, null) !== null) noteWait(driver, decision);
    const { waitingFor, until } = decision;
    const step =
      isQuiet && waitingFor !== null
        ? await probeAndLeave({ until, mailbox, lookout: driver.world.lookout, options })
        : 'stay';
    if (step === 'leave') {
      await record(driver, [{ type: 'driver-left', reason: waitingFor ?? '' }]);
      return { kind: 'parked', waitingFor: waitingFor ?? '', run };
    }
    if (step === 'stay') await waitForWorld(driver, decision);
    else await record(driver, factsOfSighting(run, step));
  }
}

/** Saves when other processes should wake the run. Written before the wait, in case this driver is killed. */
function noteWait({ world }: Driver, { until, waitingFor }: Decision): void {
  if (until.length > 0) world.wakeEntry?.save({ awaited: until, waitingFor: waitingFor ?? '' });
  else world.wakeEntry?.remove();
}

/** Appends facts to the journal, synced if an effect follows, and only then applies them. */
async function record(driver: Driver, facts: readonly Fact[]): Promise<void> {
  const { run, world, journal } = driver;
  const at = timeOf(driver);
  const lag = driver.lagMs > 0 ? { lagMs: driver.lagMs } : {};
  const events = facts.map((fact): Event => ({ at, ...lag, ...fact }));
  await journal.append(events, { sync: facts.some((fact) => boundaries.has(fact.type)) });
  for (const event of events) apply(run, event);
  for (const observer of world.observers) observer.onEvents?.(run, events);
  if (run.events - driver.savedAt >= snapshotEvery || facts.some((fact) => finalEvents.has(fact.type))) {
    driver.savedAt = run.events;
    world.snapshots?.save(run, journal.position());
  }
}

/** Limits the events that a reader must replay to some milliseconds' worth. */
const snapshotEvery = 1000;
const finalEvents: ReadonlySet<FactType> = new Set(['run-ended', 'driver-left']);

/** The run's own time: it follows the clock, but never goes back. */
function timeOf(driver: Driver): number {
  const now = driver.world.clock.now();
  if (now >= driver.run.now) driver.lagMs = 0;
  else driver.lagMs = Math.max(driver.lagMs, driver.run.now - now);
  return now + driver.lagMs;
}

async function begin(driver: Driver, step: Step): Promise<void> {
  driver.world.wakeEntry?.remove();
  await record(driver, [{ type: 'step-started', step }]);
  const { mailbox, world, run } = driver;
  watch(
    driver,
    step,
    perform(step, run, world, (facts) => mailbox.post(facts)),
  );
  // Starts a session host ahead of time if a session can be next.
  if (canSessionFollow(run, step)) world.sessions.warm();
}

function canSessionFollow({ config, ledger, budget }: Run, { deed }: Step): boolean {
  if (deed.kind !== 'check' || deed.purpose === 'acceptance' || config.dryRun === true) return false;
  return !('spentOut' in reserveSession(ledger, budget));
}

function watch({ performing, mailbox }: Driver, step: Step, performance: Performance): void {
  performing.set(step.stepId, performance);
  const end = (facts: readonly Fact[]) => {
    performing.delete(step.stepId);
    mailbox.post(facts);
  };
  performance.ended.then(end, (error: unknown) => mailbox.fail(error));
}

/** Announces this driver, then settles each running step of an earlier one: adopts it or records its end. */
async function takeOver(driver: Driver, isAgain = false): Promise<void> {
  const { run, world } = driver;
  if (isAgain) driver.hasAnnounced = false;
  await announce(driver);
  for (const step of run.running.values()) {
    const found = await adopt(step, world);
    if ('ended' in found) watch(driver, step, found);
    else await record(driver, found);
  }
  const swept = await world.sweep();
  if (swept > 0) note(world, `ended ${swept} process(es) that an earlier driver had left behind`);
}

/** The first write of a driver: from here on, older drivers are refused. */
async function announce(driver: Driver): Promise<void> {
  const { run, world } = driver;
  if (driver.hasAnnounced) return;
  driver.hasAnnounced = true;
  await record(driver, [{ type: 'driver-started', epoch: run.epoch + 1, driver: world.driver }]);
}

/** Exactly once: a control is recorded and synced before the inbox forgets it. */
async function takeControls(driver: Driver): Promise<void> {
  const { run, world } = driver;
  for (const arrival of await world.inbox.take()) {
    await announce(driver);
    const facts = factsOfArrival(run, arrival);
    if (facts.length > 0) await record(driver, facts);
    await world.inbox.settle(arrival.id);
  }
}

/** Waits for the first of: a fact or a control, the decided time, a condition that the lookout watches. */
async function waitForWorld(driver: Driver, decision: Decision): Promise<void> {
  const { world, mailbox, run } = driver;
  const { wakeAt, until } = decision;
  const over = new AbortController();
  const waits: Promise<unknown>[] = [mailbox.arrival()];
  if (wakeAt !== null)
    waits.push(world.clock.waitUntil(wakeAt - (timeOf(driver) - world.clock.now()), over.signal));
  const sighting = until.length === 0 ? null : world.lookout.wait(until, over.signal);
  if (sighting !== null) waits.push(sighting);
  await Promise.race(waits);
  over.abort(null);
  const seenCondition = await sighting;
  if (seenCondition !== null) await record(driver, factsOfSighting(run, seenCondition));
  else if (wakeAt !== null && timeOf(driver) >= wakeAt && !mailbox.hasSome())
    await record(driver, [{ type: 'clock-reached', due: wakeAt }]);
}

async function leaveParked(driver: Driver, { until, waitingFor }: Decision): Promise<DriveEnd> {
  // If the run only waits for conditions, they stay the reason.
  const waits = until.length > 0 && driver.run.running.size === 0 ? waitingFor : null;
  await endPerformances(driver, 'the driver was told to leave');
  const reason = waits ?? 'told to leave';
  await record(driver, [...driver.mailbox.drain(), { type: 'driver-left', reason }]);
  return { kind: 'parked', waitingFor: waits ?? 'a driver', run: driver.run };
}

/** The fault that kept the session unsettled may also refuse these facts: controls then stay in the inbox. */
async function leaveUnsettled(driver: Driver, waitingFor: string): Promise<DriveEnd> {
  await answerControls(driver).catch(() => {});
  await record(driver, [{ type: 'driver-left', reason: waitingFor }]).catch(() => {});
  return { kind: 'parked', waitingFor, run: driver.run };
}

/** The next driver would obey a pause left in the inbox, after the person said resume. */
async function answerControls(driver: Driver): Promise<void> {
  const { run } = driver;
  await takeControls(driver);
  while (run.pending.length > 0) {
    const facts = settleNext(run);
    assertSound(run, facts);
    await record(driver, facts);
  }
}
