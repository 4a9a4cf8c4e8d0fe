// One driver, one run: record what was concluded, start what may start, wait for the world, again.
import { apply, replay } from '#kernel/apply.ts';
import { assert } from '#kernel/assert.ts';
import { reserveSession } from '#kernel/budget.ts';
import { unprovenPrefix } from '#kernel/control.ts';
import type { Decision } from '#kernel/decide.ts';
import { decide } from '#kernel/decide.ts';
import { settleNext } from '#kernel/decide-controls.ts';
import type { Event, Fact, FactType } from '#kernel/events.ts';
import { isOnlyForeign } from '#kernel/foreign.ts';
import type { Policy } from '#kernel/policy.ts';
import type { Run } from '#kernel/run.ts';
import type { Step } from '#kernel/step.ts';
import type { Arrival } from '#ports/inbox.ts';
import type { Holder, Journal } from '#ports/store.ts';
import type { World } from '#ports/world.ts';
import { adopt } from './adopt.ts';
import { assertSound } from './assert-sound.ts';
import { createMailbox } from './mailbox.ts';
import type { Mailbox } from './mailbox.ts';
import type { Performance } from './perform.ts';
import { perform } from './perform.ts';
import { UnsettledSession } from './perform-ended.ts';

export interface DriveOptions {
  /** Give the run up (parked) instead of waiting for a person. */
  readonly leaveWhenParked: () => boolean;
  /** Leave as soon as what runs is ended; nothing is lost. */
  readonly signal: AbortSignal;
}

export type DriveEnd =
  | { readonly kind: 'ended'; readonly run: Run }
  | { readonly kind: 'parked'; readonly waitingFor: string; readonly run: Run }
  | { readonly kind: 'held'; readonly by: Holder };

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
  world: World,
  policy: Policy,
  options: DriveOptions,
): Promise<DriveEnd> {
  const journal = await world.store.open(runId);
  if ('heldBy' in journal) return { kind: 'held', by: journal.heldBy };
  const mailbox = createMailbox<Fact>();
  const run = replay(journal.events);
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
    if (options.signal.aborted) return leaveParked(driver);
    for (const step of decision.start) await begin(driver, step);
    // Of another's session nobody will ever tell us: what follows from it is decided at once.
    if (decision.start.length > 0 && isOnlyForeign(run)) continue;
    const isQuiet = isOnlyForeign(run) && !decision.isTimed;
    const isWaiting = decision.waitingFor !== null || run.running.size > 0;
    assert(!isQuiet || isWaiting, 'a run ends or waits for something');
    if (isQuiet && decision.waitingFor !== null && options.leaveWhenParked() && !mailbox.hasSome()) {
      await record(driver, [{ type: 'driver-left', reason: decision.waitingFor }]);
      return { kind: 'parked', waitingFor: decision.waitingFor, run };
    }
    await waitForWorld(driver, decision);
  }
}

/** Writes facts down, and only then lets them count. */
async function record(driver: Driver, facts: readonly Fact[]): Promise<void> {
  const { run, world, journal } = driver;
  const at = timeOf(driver);
  const events = facts.map((fact): Event => ({ at, ...fact }));
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

/** Facts that the world acts on: they are on the disk before anything follows from them. */
const boundaries: ReadonlySet<FactType> = new Set([
  'driver-started',
  'step-started',
  'step-ended',
  'step-lost',
  'control-received',
  'acceptance-passed',
  'run-ended',
]);

async function begin(driver: Driver, step: Step): Promise<void> {
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
    const facts = factsOf(run, arrival);
    if (facts.length > 0) await record(driver, facts);
    await world.inbox.settle(arrival.id);
  }
}

/** None for what is known already, and when there was enough of what nobody vouches for: an agent cannot fill the journal. */
function factsOf(run: Run, { id, by, control, doubt }: Arrival): Fact[] {
  if (run.controls.has(id)) return [];
  const received: Fact = { type: 'control-received', id, by, control };
  if (doubt === undefined) return [received];
  const unproven = [...run.controls.keys()].filter((known) => known.startsWith(unprovenPrefix));
  if (run.controls.has(doubt.claimedId) || unproven.length >= unprovenMax) return [];
  return [received, { type: 'control-refused', id, reason: doubt.reason }];
}

const unprovenMax = 200;

async function waitForWorld(driver: Driver, decision: Decision): Promise<void> {
  const { world, mailbox } = driver;
  if (decision.wakeAt === null) return mailbox.arrival();
  const timer = new AbortController();
  const dueAt = decision.wakeAt - (timeOf(driver) - world.clock.now());
  await Promise.race([mailbox.arrival(), world.clock.waitUntil(dueAt, timer.signal)]);
  timer.abort(null);
  if (timeOf(driver) >= decision.wakeAt && !mailbox.hasSome())
    await record(driver, [{ type: 'clock-reached', due: decision.wakeAt }]);
}

async function leaveParked(driver: Driver): Promise<DriveEnd> {
  await endPerformances(driver, 'the driver was told to leave');
  await record(driver, [...driver.mailbox.drain(), { type: 'driver-left', reason: 'told to leave' }]);
  return { kind: 'parked', waitingFor: 'a driver', run: driver.run };
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
