// The conditions that simulated runs wait for: files and commands that change at planned times, and what other
// processes know of a wait.
import type { AwaitedCondition, Condition, SimpleCondition } from '#kernel/waiting/condition.ts';
import type { Incarnation, Universe } from '../universe.ts';
import type { WaitPlan } from './plan-waits.ts';

export interface Probe {
  readonly by: Incarnation;
  readonly key: string;
  /** By the wall clock. */
  readonly startedAt: number;
  readonly isMet: boolean;
}

/** What one process is waiting for just now. */
export interface Waiting {
  readonly awaited: readonly AwaitedCondition[];
  /** The newest look at each file, and at each poll, by this process. */
  readonly seen: Map<string, Probe>;
  /** When the newest look at each poll ended, by the wall clock; also of one that another process was making. */
  readonly endedAt: Map<string, number>;
}

export interface Waits extends WaitPlan {
  /** From when on a file is there or a command exits 0, by true time. */
  readonly holdsFrom: Map<string, number>;
  /** Time that passed while the machine slept. */
  sleptMs: number;
  /** The highest that the clock has shown since the last happening. */
  clockPeak: number;
  /** The process that runs a poll now: one at a time. */
  looking: { readonly by: Incarnation; readonly key: string } | null;
  readonly waiting: Map<Incarnation, Waiting>;
  /** What was seen to be met or expired, by process: only that may be written down. */
  readonly sighted: Set<string>;
  /** What the newest driver saved for other processes. */
  entry: readonly AwaitedCondition[] | null;
  /** A driver was requested. */
  isWanted: boolean;
  /** The newest driver left or died, and no other one started. */
  isLeftAlone: boolean;
  /** Happenings since the journal grew, and how long it was. */
  quiet: number;
  linesSeen: number;
  /** Happenings that are left of the end of a parked life; null before it. */
  lastLeft: number | null;
}

export function createWaits(plan: WaitPlan | null): Waits | null {
  if (plan === null) return null;
  return {
    ...plan,
    holdsFrom: new Map(),
    sleptMs: 0,
    clockPeak: 0,
    looking: null,
    waiting: new Map(),
    sighted: new Set(),
    entry: null,
    isWanted: false,
    isLeftAlone: false,
    quiet: 0,
    linesSeen: 0,
    lastLeft: null,
  };
}

/** Advances while the machine sleeps; no clock shows it. */
export function trueTime({ schedule, waits }: Universe): number {
  return schedule.now() + (waits?.sleptMs ?? 0);
}

export function nameOf(simple: SimpleCondition): string {
  switch (simple.kind) {
    case 'poll':
      return simple.command;
    case 'file':
      return simple.path;
    case 'time':
    case 'manual':
      return simple.kind;
  }
}

/** Whether the file is there, or the command exits 0. */
export function isTrueNow(universe: Universe, name: string): boolean {
  return trueTime(universe) >= (universe.waits?.holdsFrom.get(name) ?? Infinity);
}

/** Whether a condition holds, leaf by leaf; by rules of the simulation's own. */
export function holds(condition: Condition, isTrue: (simple: SimpleCondition) => boolean): boolean {
  if (condition.kind === 'any') return condition.of.some((one) => holds(one, isTrue));
  if (condition.kind === 'all') return condition.of.every((one) => holds(one, isTrue));
  return isTrue(condition);
}

/** Whether it can never hold any more, because of leaves that cannot. */
export function isHopeless(condition: Condition, isGone: (simple: SimpleCondition) => boolean): boolean {
  if (condition.kind === 'any') return condition.of.every((one) => isHopeless(one, isGone));
  if (condition.kind === 'all') return condition.of.some((one) => isHopeless(one, isGone));
  return isGone(condition);
}

/** Sets the clock, and remembers its old time: a process that has just read it is right. */
export function setClock(universe: Universe, ms: number): void {
  const { waits, clock } = universe;
  if (waits !== null) waits.clockPeak = Math.max(waits.clockPeak, clock.now(), clock.now() + ms);
  clock.jump(ms);
}

/** No process runs on the machine; the world and the clock advance. */
export function sleep(universe: Universe, ms: number): void {
  const { waits, counts } = universe;
  if (waits === null) return;
  universe.trace(() => `the machine sleeps for ${ms}`);
  counts.waiting.sleeps += 1;
  waits.sleptMs += ms;
  setClock(universe, ms);
}
