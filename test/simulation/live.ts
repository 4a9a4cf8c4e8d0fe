// One simulated run: drivers start and die until it has an outcome or is parked for good.
import { replay } from '#kernel/fold/apply.ts';
import { eventVersion } from '#kernel/events/events.ts';
import type { Outcome } from '#kernel/model/outcome.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Store } from '#ports/store.ts';
import type { World } from '#ports/world.ts';
import { drive } from '#runtime/drive.ts';
import { simulatedPlanner } from './architect.ts';
import { simulatedChecker } from './checker.ts';
import { simulatedInbox } from './inbox.ts';
import { judgeEnd, judgeWaiting } from './last-judgement.ts';
import { approveOnce, dropControl, dropSomething, help } from './people.ts';
import { planLife } from './plan.ts';
import { judgeKept } from './plan-oracle.ts';
import { seeded } from './random.ts';
import { isSame } from './same.ts';
import { settled } from './schedule.ts';
import { killHosts, orphan, simulatedSessions } from './sessions.ts';
import { allEvents, losePower, simulatedStore, writeLine } from './store.ts';
import { withTree } from './tree.ts';
import type { Counts, Faults, Incarnation, Universe } from './universe.ts';
import { createUniverse, filesIn, forbid } from './universe.ts';
import { simulatedWorkspace } from './workspace.ts';
import { beginLastWait, isLeftAlone, leftBy, mayLeaveWaiting, timePasses } from './waiting/days.ts';
import { simulatedLookout, simulatedWakeEntry } from './waiting/lookout.ts';
import { meddleWithWaits } from './waiting/wait-people.ts';
import { judgeLookout, judgeWork } from './waiting/wait-oracle.ts';
import { isWaker, startWakers } from './waiting/waker.ts';
import type { DriveEnd } from '#runtime/drive-options.ts';

export interface Life {
  readonly seed: number;
  readonly end: Outcome | 'parked';
  readonly violation: string | null;
  readonly counts: Counts;
}

export interface LifeOptions {
  readonly faults?: Faults;
  readonly trace?: (text: string) => void;
}

interface Driver {
  readonly incarnation: Incarnation;
  readonly leave: AbortController;
  result: DriveEnd | { readonly kind: 'threw'; readonly error: unknown } | null;
}

/** More than any simulated run needs: a run that needs more makes no progress. */
const driversMax = 90;
const happeningsMax = 20_000;

export async function live(seed: number, options: LifeOptions = {}): Promise<Life> {
  const random = seeded(seed);
  const plan = planLife(random);
  const { trace: tell } = options;
  const trace = tell === undefined ? () => {} : (say: () => string) => tell(say());
  const universe = createUniverse(seed, random, plan, { faults: options.faults ?? {}, trace });
  trace(
    () =>
      `plan ${JSON.stringify({ ...plan.temper, policy: plan.config.policy, budget: plan.config.budget, knownRed: plan.config.knownRed, base: plan.baseTree })}`,
  );
  for (const task of plan.tasks)
    trace(
      () =>
        `task ${task.id} after [${task.dependsOn.join()}]: ${task.criteria.map((one) => one.id).join(' ')}`,
    );
  createRun(universe);
  universe.meddle = () => meddle(universe);
  universe.crash = (incarnation) => crash(universe, incarnation);
  startWakers(universe);
  const end = await liveOn(universe);
  return { seed, end, violation: universe.violation, counts: universe.counts };
}

function createRun(universe: Universe): void {
  const at = universe.clock.now();
  const { config, tasks } = universe.plan;
  writeLine(
    universe,
    [
      { at, type: 'run-created', runId: 'run', version: eventVersion, config },
      ...tasks.map((task) => ({ at, type: 'task-added' as const, task, by: 'plan' })),
    ],
    0,
  );
  universe.journal.synced = 1;
}

async function liveOn(universe: Universe): Promise<Outcome | 'parked'> {
  let drivers: Driver[] = [];
  const { helpsMax } = universe.plan.temper;
  let helps = 0;
  // Before a life ends in the middle of a wait, everything that can happen by itself happens.
  const isForgotten = (): boolean => helps > helpsMax && !beginLastWait(universe);
  for (let happenings = 0; universe.violation === null; happenings += 1) {
    forbid(
      universe,
      happenings > happeningsMax || universe.counts.drivers > driversMax * (universe.waits === null ? 1 : 3),
      'the run gets nowhere',
    );
    drivers = drivers.filter((one) => !one.incarnation.isDead);
    if (drivers.length === 0 && isLeftAlone(universe)) {
      await settled();
      for (const one of universe.incarnations) judgeLookout(universe, one);
      if (timePasses(universe)) continue;
      helps += 1;
      if (isForgotten()) return judgeEnd(universe);
      if (helps <= helpsMax) help(universe);
    }
    if (drivers.length === 0 || (drivers.length === 1 && isTimeForAnother(universe)))
      drivers.push(startDriver(universe));
    await settled();
    for (const driver of drivers.filter((one) => one.result !== null)) {
      finish(universe, driver);
      drivers = drivers.filter((one) => one !== driver);
      if (drivers.length > 0) continue;
      if (isOver(universe, driver) && !approveOnce(universe)) return judgeEnd(universe);
      if (driver.result?.kind !== 'parked' || leftBy(universe, driver.incarnation)) continue;
      helps += 1;
      if (isForgotten()) return judgeEnd(universe);
      if (helps <= helpsMax) help(universe);
    }
    if (drivers.length === 0 || drivers.some((one) => one.incarnation.isDead)) continue;
    for (const { incarnation } of drivers) judgeWaiting(universe, incarnation);
    for (const one of universe.incarnations) judgeLookout(universe, one);
    if (timePasses(universe)) continue;
    // Nothing will ever happen by itself: a person helps, or tells the driver to leave.
    helps += 1;
    if (isForgotten()) for (const one of drivers) one.leave.abort();
    else if (helps <= helpsMax) help(universe);
  }
  return universe.ledger.view.outcome ?? 'parked';
}

function startDriver(universe: Universe): Driver {
  const { plan, random, counts, incarnations } = universe;
  counts.drivers += 1;
  universe.isCalm = universe.isCalm || counts.crashes >= plan.temper.crashesMax;
  const incarnation: Incarnation = {
    number: counts.drivers,
    isDead: false,
    pointsLeft: 1 + Math.floor(-Math.log(1 - random.next()) * plan.temper.pointsPerCrash),
    run: null,
    acknowledged: 0,
    folded: 0,
    holdsJournal: false,
    worktree: '',
    mustLeave: false,
    pending: 0,
    wakers: new Set(),
  };
  incarnations.push(incarnation);
  universe.trace(() => `driver ${incarnation.number} starts${universe.isCalm ? ' in calm weather' : ''}`);
  const leave = new AbortController();
  const driver: Driver = { incarnation, leave, result: null };
  const leaves = plan.temper.leavesWhenParked;
  drive('run', worldOf(universe, incarnation), plan.policy, {
    leaveWhenParked: (awaited) => mayLeaveWaiting(universe, incarnation, awaited) ?? leaves,
    signal: leave.signal,
  }).then(
    (end) => {
      driver.result = end;
    },
    (error: unknown) => {
      driver.result = { kind: 'threw', error };
    },
  );
  return driver;
}

function worldOf(universe: Universe, incarnation: Incarnation): World & { readonly store: Store } {
  const wakeEntry = simulatedWakeEntry(universe, incarnation);
  return {
    ...(wakeEntry === undefined ? {} : { wakeEntry }),
    store: simulatedStore(universe, incarnation),
    inbox: simulatedInbox(universe, incarnation),
    workspace: simulatedWorkspace(universe, incarnation),
    checker: simulatedChecker(universe, incarnation),
    sessions: simulatedSessions(universe, incarnation),
    planner: simulatedPlanner(universe, incarnation),
    clock: universe.clock,
    lookout: simulatedLookout(universe, incarnation),
    sweep: async () => 0,
    driver: `driver ${incarnation.number}`,
    observers: [
      {
        onEvents(run, events) {
          incarnation.run = run;
          incarnation.folded = incarnation.acknowledged;
          if (events.some(({ type }) => type === 'plan-adopted')) judgeKept(universe, incarnation);
          if (universe.waits !== null) judgeWork(universe, incarnation);
        },
      },
    ],
  };
}

function finish(universe: Universe, { incarnation, result }: Driver): void {
  judgeReplay(universe, incarnation);
  incarnation.isDead = true;
  orphan(universe, incarnation);
  universe.trace(() => `driver ${incarnation.number} ${result?.kind ?? ''}`);
  if (result?.kind === 'held') universe.counts.refusedDrivers += 1;
  if (result?.kind === 'parked') forbid(universe, result.waitingFor === '', 'the run is parked on nothing');
  if (result?.kind !== 'threw') return;
  const { error } = result;
  universe.trace(() => String(error instanceof Error ? error.stack : error));
  forbid(universe, !(error instanceof OperatorError), `a driver failed: ${String(error)}`);
}

/** Over when it has an outcome and no control is pending. */
function isOver(universe: Universe, { result }: Driver): boolean {
  return result?.kind === 'ended' && universe.inbox.size === 0 && universe.taken.size === 0;
}

function isTimeForAnother(universe: Universe): boolean {
  return !universe.isCalm && universe.random.chance(universe.plan.temper.secondDriverRate);
}

function crash(universe: Universe, incarnation: Incarnation): void {
  judgeReplay(universe, incarnation);
  universe.counts.crashes += 1;
  if (isWaker(incarnation)) universe.counts.waiting.wakersDied += 1;
  incarnation.isDead = true;
  if (universe.random.chance(0.3)) {
    universe.counts.powerLosses += 1;
    universe.trace(() => 'the power is gone');
    for (const one of universe.incarnations) one.isDead = true;
    killHosts(universe);
    losePower(universe);
  } else {
    universe.trace(() => `driver ${incarnation.number} dies`);
    orphan(universe, incarnation);
  }
  // A person may edit the files before the next driver starts.
  if (universe.random.chance(0.2) && universe.incarnations.every((one) => one.isDead)) {
    for (const worktree of universe.files.keys())
      universe.files.set(worktree, withTree(filesIn(universe, worktree), { salt: 9000 }));
  }
}

/** The run that a driver folded equals the run that its acknowledged lines give. */
function judgeReplay(universe: Universe, { run, folded }: Incarnation): void {
  if (run === null || universe.violation !== null) return;
  const again = replay(allEvents(universe, folded));
  forbid(universe, !isSame(again, run), 'replay gives another run than the driver had');
}

function meddle(universe: Universe): void {
  const { random, plan, clock } = universe;
  if (universe.isCalm) return;
  const word = meddleWithWaits(universe);
  if (word !== null) dropControl(universe, word);
  if (random.chance(plan.temper.controlRate)) dropSomething(universe);
  if (random.chance(plan.temper.clockJumpRate * 0.2)) {
    const ms = random.weighted([
      [5, random.int(5000)],
      [5, -random.int(20_000)],
      [1, random.int(9 * 3_600_000)],
    ]);
    universe.trace(() => `the clock jumps by ${ms}`);
    clock.jump(ms);
  }
}
