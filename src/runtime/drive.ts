// One driver, one run: record what was concluded, start what may start, wait for the world, again.
import { apply } from '#kernel/fold/apply.ts';
import { assert } from '#base/assert.ts';
import { reserveSession } from '#kernel/model/budget.ts';
import { decide } from '#kernel/decide/decide.ts';
import { settleNext } from '#kernel/decide/decide-controls.ts';
import type { Event, Fact, FactType } from '#kernel/events/events.ts';
import { isOnlyForeign } from '#kernel/decide/foreign.ts';
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
import { lookAndLeave } from './look-and-leave.ts';
import { createMailbox, type Mailbox } from './mailbox.ts';
import { perform } from '#runtime/steps/perform.ts';
import { type OpenedRun, openRun } from './open-run.ts';
import type { Performance } from '#runtime/steps/performance.ts';
import { UnsettledSession } from '#runtime/steps/perform-ended.ts';
import type { Decision } from '#kernel/decide/decision.ts';
import type { DriveEnd, DriveOptions } from './drive-options.ts';

interface Driver {
  readonly run: Run;
  readonly world: World;
  readonly journal: Journal;
  readonly mailbox: Mailbox<Fact>;
  readonly performing: Map<string, Performance>;
  /** How far the clock is behind the run, after it was set back. */
  lagMs: number;
  hasAnnounced: boolean;
  /** How many events the newest snapshot holds. */
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
    for (const note of journal.notes) for (const observer of world.observers) observer.onNote?.(note);
    if (run.outcome === null) await takeOver(driver);
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

async function loop(driver: Driver, policy: Policy, options: DriveOptions): Promise<DriveEnd> {
  const { run, mailbox } = driver;
  for (;;) {
    // Emptied before the inbox is read: what is dropped from here on wakes the next wait.
    const arrived = mailbox.drain();
    if (arrived.length > 0) await record(driver, arrived);
    await takeControls(driver);
    if (run.outcome !== null && run.pending.length === 0) return { kind: 'ended', run };
    const decision = decide(run, policy);
    for (const steer of decision.steer) driver.performing.get(steer.stepId)?.steer(steer);
    if (decision.record.length > 0) {
      assertSound(run, decision.record);
      await record(driver, decision.record);
      // Its end was taken back in our hands: whoever goes on with a run takes it over.
      if (decision.record.some(({ type }) => type === 'run-reopened')) await takeOver(driver, true);
      continue;
    }
    if (options.signal.aborted) return leaveParked(driver, decision);
    for (const step of decision.start) await begin(driver, step);
    // Of another's session nobody will ever tell us: what follows from it is decided at once.
    if (decision.start.length > 0 && isOnlyForeign(run)) continue;
    const isQuiet = isOnlyForeign(run) && !decision.isTimed;
    const isWaiting = decision.waitingFor !== null || run.running.size > 0;
    assert(!isQuiet || isWaiting, 'a run ends or waits for something');
    // A session that cannot be interrupted may work on for hours in a suspended run.
    if (isQuiet || suspensionFor(run, null) !== null) noteWait(driver, decision);
    const { waitingFor, until } = decision;
    const step =
      isQuiet && waitingFor !== null
        ? await lookAndLeave({ until, mailbox, lookout: driver.world.lookout, options })
        : 'stay';
    if (step === 'leave') {
      await record(driver, [{ type: 'driver-left', reason: waitingFor ?? '' }]);
      return { kind: 'parked', waitingFor: waitingFor ?? '', run };
    }
    if (step === 'stay') await waitForWorld(driver, decision);
    else await record(driver, factsOfSighting(run, step));
  }
}

/** Before the wait, not when it is left: a driver that is killed in its wait is to be woken too. */
function noteWait({ world }: Driver, { until, waitingFor }: Decision): void {
  if (until.length > 0) world.wakeEntry?.save({ awaited: until, waitingFor: waitingFor ?? '' });
  else world.wakeEntry?.remove();
}

/** Writes facts down, and only then lets them count. */
async function record(driver: Driver, facts: readonly Fact[]): Promise<void> {
  const { run, world, journal } = driver;
  const at = timeOf(driver);
  const lag = driver.lagMs > 0 ? { lagMs: driver.lagMs } : {};
  const events = facts.map((fact): Event => ({ at, ...lag, ...fact }));
  await journal.append(events, { sync: facts.some((fact) => boundaries.has(fact.type)) });
  for (const event of events) apply(run, event);
  for (const observer of world.observers) observer.onEvents?.(run, events);
  if (run.events - driver.savedAt >= snapshotEvery || facts.some((fact) => lastWords.has(fact.type))) {
    driver.savedAt = run.events;
    world.snapshots?.save(run, journal.position());
  }
}

/** A reader folds at most so many events, which takes it some milliseconds. */
const snapshotEvery = 1000;
const lastWords: ReadonlySet<FactType> = new Set(['run-ended', 'driver-left']);

/** The run's own time: it passes at the clock's pace, and is not set back with it. */
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
  if (canSessionFollow(run, step)) world.sessions.warm();
}

/** After the acceptance comes the end of the run; if it fails, a host is started when it is needed. */
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
  if (swept > 0)
    for (const observer of world.observers)
      observer.onNote?.(`ended ${swept} process(es) that an earlier driver had left behind`);
}

/** Who writes says so first, on the disk: from here on older drivers are refused, and what was read is there to stay. */
async function announce(driver: Driver): Promise<void> {
  const { run, world } = driver;
  if (driver.hasAnnounced) return;
  driver.hasAnnounced = true;
  await record(driver, [{ type: 'driver-started', epoch: run.epoch + 1, driver: world.driver }]);
}

/** Exactly once: taken aside, written down and synced, and only then forgotten by the inbox. */
async function takeControls(driver: Driver): Promise<void> {
  const { run, world } = driver;
  for (const arrival of await world.inbox.take()) {
    await announce(driver);
    const facts = factsOfArrival(run, arrival);
    if (facts.length > 0) await record(driver, facts);
    await world.inbox.settle(arrival.id);
  }
}

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
  const seen = await sighting;
  if (seen !== null) await record(driver, factsOfSighting(run, seen));
  else if (wakeAt !== null && timeOf(driver) >= wakeAt && !mailbox.hasSome())
    await record(driver, [{ type: 'clock-reached', due: wakeAt }]);
}

async function leaveParked(driver: Driver, { until, waitingFor }: Decision): Promise<DriveEnd> {
  // A run that only waits is left as it is: what it waits for stays the reason.
  const waits = until.length > 0 && driver.run.running.size === 0 ? waitingFor : null;
  await endPerformances(driver, 'the driver was asked to leave');
  const reason = waits ?? 'told to leave';
  await record(driver, [...driver.mailbox.drain(), { type: 'driver-left', reason }]);
  return { kind: 'parked', waitingFor: waits ?? 'a driver', run: driver.run };
}

/** What refused the session may refuse these facts too: the controls then wait in the inbox, and the last fact is only for people to read. */
async function leaveUnsettled(driver: Driver, waitingFor: string): Promise<DriveEnd> {
  await answerControls(driver).catch(() => {});
  await record(driver, [{ type: 'driver-left', reason: waitingFor }]).catch(() => {});
  return { kind: 'parked', waitingFor, run: driver.run };
}

/** A pause that was left in the inbox would be obeyed by the next driver, after the person said resume. */
async function answerControls(driver: Driver): Promise<void> {
  const { run } = driver;
  await takeControls(driver);
  while (run.pending.length > 0) {
    const facts = settleNext(run);
    assertSound(run, facts);
    await record(driver, facts);
  }
}

async function leave(driver: Driver): Promise<void> {
  await endPerformances(driver, 'the driver is leaving');
  await driver.world.sessions.close();
  await driver.world.lookout.close();
  if (driver.run.outcome !== null) driver.world.wakeEntry?.remove();
  await driver.world.wakeEntry?.close();
  await driver.world.snapshots?.close();
  await driver.journal.close();
}

async function endPerformances(driver: Driver, reason: string): Promise<void> {
  const running = [...driver.performing];
  for (const [stepId, performance] of running) {
    if (performance.leave === undefined) performance.steer({ stepId, kind: 'kill', reason });
    else performance.leave();
  }
  await Promise.allSettled(running.map(([, performance]) => performance.ended));
}
