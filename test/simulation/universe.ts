// Everything outside of the simulated drivers: the disk, the repository, the hosts, the people.
import type { Event } from '#kernel/events/events.ts';
import type { ControlRequest } from '#kernel/events/control.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { SimulatedClock } from '../../src/testing/simulated-clock.ts';
import { simulatedClock } from '../../src/testing/simulated-clock.ts';
import type { Ledger } from './ledger.ts';
import { createLedger } from './ledger.ts';
import type { Plan } from './plan.ts';
import type { Random } from './random.ts';
import type { Schedule } from './schedule.ts';
import { createSchedule } from './schedule.ts';
import type { WaitCounts } from './waiting/counts.ts';
import { noWaitCounts } from './waiting/counts.ts';
import type { Waits } from './waiting/waits.ts';
import { createWaits } from './waiting/waits.ts';

/** What can be wrong with a world, one at a time, to see that it is noticed. */
export interface Faults {
  readonly commitIsNotIdempotent?: boolean;
  readonly receiptIsIgnored?: boolean;
  readonly lowerEpochIsAccepted?: boolean;
  readonly takeForgets?: boolean;
  readonly syncLies?: boolean;
  readonly restoreDoesNothing?: boolean;
  readonly hostsOverlap?: boolean;
}

/** One process that drives the run, from its start to its end or death. */
export interface Incarnation {
  readonly number: number;
  isDead: boolean;
  /** Crash points until it dies. */
  pointsLeft: number;
  /** The run as this driver folded it, from how many journal lines. */
  run: Run | null;
  folded: number;
  /** How many journal lines it was told to be written. */
  acknowledged: number;
  holdsJournal: boolean;
  /** The worktree of the operation that runs now. */
  worktree: string;
  /** Whether its journal was refused, so that it must leave. */
  mustLeave: boolean;
  /** Calls of its own that have not come back yet, sessions and checks aside. */
  pending: number;
  readonly wakers: Set<() => void>;
}

export interface Line {
  readonly events: readonly Event[];
  readonly by: number;
}

export interface Commit {
  readonly id: string;
  readonly tree: string;
  readonly parent: string | null;
  readonly stepId: string;
}

export interface Universe {
  readonly seed: number;
  readonly random: Random;
  readonly plan: Plan;
  readonly faults: Faults;
  readonly clock: SimulatedClock;
  readonly schedule: Schedule;
  readonly ledger: Ledger;
  readonly journal: { lines: Line[]; synced: number };
  readonly inbox: Map<string, ControlRequest>;
  readonly taken: Map<string, ControlRequest>;
  readonly files: Map<string, string>;
  readonly commits: Commit[];
  readonly incarnations: Incarnation[];
  readonly counts: Counts;
  /** Null in a life without suspensions. */
  readonly waits: Waits | null;
  isCalm: boolean;
  diskHasFilled: boolean;
  /** What people and fate do at any moment. */
  meddle: () => void;
  crash: (incarnation: Incarnation) => void;
  /** The first thing that must never be. */
  violation: string | null;
  trace: (say: () => string) => void;
}

export interface Counts {
  crashes: number;
  powerLosses: number;
  sessions: number;
  checks: number;
  commits: number;
  controls: number;
  drivers: number;
  points: number;
  refusedDrivers: number;
  /** Of action loops: sessions of a turn, those that resume a conversation, results, and choices of a person. */
  turns: number;
  resumed: number;
  actions: number;
  choices: number;
  /** Of waiting: see `waiting/counts.ts`. */
  readonly waiting: WaitCounts;
}

export function createUniverse(
  seed: number,
  random: Random,
  plan: Plan,
  options: { readonly faults: Faults; readonly trace: (say: () => string) => void },
): Universe {
  const clock = simulatedClock(1_800_000_000_000);
  return {
    seed,
    random,
    plan,
    faults: options.faults,
    clock,
    schedule: createSchedule(clock, () => random.chance(plan.temper.clockJumpRate)),
    ledger: createLedger(plan),
    journal: { lines: [], synced: 0 },
    inbox: new Map(),
    taken: new Map(),
    files: new Map(),
    commits: [{ id: 'c0', tree: plan.baseTree, parent: null, stepId: 'base' }],
    incarnations: [],
    counts: {
      crashes: 0,
      powerLosses: 0,
      sessions: 0,
      checks: 0,
      commits: 0,
      controls: 0,
      drivers: 0,
      points: 0,
      refusedDrivers: 0,
      turns: 0,
      resumed: 0,
      actions: 0,
      choices: 0,
      waiting: noWaitCounts(),
    },
    waits: createWaits(plan.waits),
    isCalm: false,
    diskHasFilled: false,
    meddle: () => {},
    crash: () => {},
    violation: null,
    trace: options.trace,
  };
}

export function forbid(universe: Universe, isTrue: boolean, what: string): void {
  if (!isTrue || universe.violation !== null) return;
  universe.violation = what;
  universe.trace(() => `VIOLATION ${what}`);
}

export function never<T>(): Promise<T> {
  return new Promise<T>(() => {});
}

/** Whether the process is still there after this moment. */
export function survives(universe: Universe, incarnation: Incarnation): boolean {
  // Nothing is done after something that must never be: a driver may do that for ever.
  if (incarnation.isDead || universe.violation !== null) return false;
  universe.counts.points += 1;
  universe.meddle();
  incarnation.pointsLeft -= 1;
  if (incarnation.pointsLeft > 0 || universe.isCalm) return true;
  universe.crash(incarnation);
  return false;
}

/** One call of a driver into the world: it may die before the effect and after it. */
export async function call<T>(
  universe: Universe,
  incarnation: Incarnation,
  effect: () => T,
  options: { readonly mayFail?: boolean; readonly worktree?: string; readonly isQuick?: boolean } = {},
): Promise<T> {
  if (!survives(universe, incarnation)) return never();
  if (options.mayFail === true) fillDisk(universe);
  const value = effect();
  if (!survives(universe, incarnation)) return never();
  const { worktree } = options;
  const isSlow =
    universe.random.chance(universe.plan.temper.slowCallRate) ||
    (worktree !== undefined && universe.plan.config.policy.parallel > 1);
  if (isSlow && options.isQuick !== true) await pass(universe, incarnation, 1 + universe.random.int(40));
  if (worktree !== undefined) incarnation.worktree = worktree;
  return value;
}

/** Lets simulated time go by; a process that dies meanwhile never comes back. */
export async function pass(universe: Universe, incarnation: Incarnation, ms: number): Promise<void> {
  incarnation.pending += 1;
  await new Promise<void>((resolve) => {
    universe.schedule.after(ms, () => {
      if (!incarnation.isDead) resolve();
    });
  });
  incarnation.pending -= 1;
}

export function diskFills(universe: Universe): boolean {
  if (!universe.plan.temper.diskFillsOnce || universe.diskHasFilled || universe.isCalm) return false;
  universe.diskHasFilled = universe.random.chance(0.02);
  return universe.diskHasFilled;
}

function fillDisk(universe: Universe): void {
  if (!diskFills(universe)) return;
  universe.trace(() => 'the disk is full');
  throw new OperatorError('disk-full', 'the disk is full', 'Free some space.');
}

/** Where a reviewer, architect or reflector works: by task and role. */
export function reviewWorktree(universe: Universe, incarnation: Incarnation, name: string): string {
  return `${universe.plan.temper.lockIsBroken ? incarnation.number : ''}/review/${name}`;
}

export function worktreeOf(universe: Universe, incarnation: Incarnation, stepId: string): string {
  const { temper, config } = universe.plan;
  const step = universe.ledger.view.steps.get(stepId)?.step;
  if (step?.deed.kind === 'session' && step.deed.readOnly)
    return reviewWorktree(universe, incarnation, `${step.taskId ?? 'run'}/${step.deed.role}`);
  const task = config.policy.parallel > 1 ? (step?.taskId ?? '') : '';
  return `${temper.lockIsBroken ? incarnation.number : ''}/${task}`;
}

export function filesIn(universe: Universe, worktree: string): string {
  return universe.files.get(worktree) ?? universe.plan.baseTree;
}

export function tipOf(universe: Universe): Commit {
  const tip = universe.commits.at(-1);
  if (tip === undefined) throw new Error('the repository has a first commit');
  return tip;
}
