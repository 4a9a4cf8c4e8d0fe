// Watches all conditions of a run: one timer, one sweep of the files, and poll commands at their intervals.
import {
  type AwaitedCondition,
  type ConditionState,
  type SimpleCondition,
  stateOfCondition,
} from '#kernel/waiting/condition.ts';
import { minuteOf } from '#kernel/waiting/condition-words.ts';
import type { Clock } from '#ports/clock.ts';
import type { Lookout, Sighting } from '#ports/lookout.ts';
import { type AwaitedSuspension, dueOf, idOf, metWords, timesIn } from './awaited.ts';
import { createWatchedFiles, type ProbeFile, type WatchedFiles } from './watched-files.ts';
import { createWatchedPolls, type ProbePoll, type WatchedPolls } from './watched-polls.ts';

export interface LookoutOptions {
  readonly clock: Clock;
  readonly probes: Probes;
  /** Limit of concurrent poll commands. */
  readonly pollsMax?: number;
  /** Explains a late detection; `isResident`: this process was waiting when it was due. */
  readonly whyLate?: (lateMs: number, isResident: boolean) => string;
}

export interface Probes {
  readonly poll: ProbePoll;
  readonly file: ProbeFile;
}

/** A detection that is later than this is explained. */
const lateMsMin = 90_000;
/** The longest sleep; the clock itself notices when it is set forward. */
const sleepMsMax = 86_400_000;

interface Watched {
  readonly clock: Clock;
  readonly polls: WatchedPolls;
  readonly files: WatchedFiles;
  /** Since when this process waits for each condition. */
  readonly since: Map<string, number>;
  readonly whyLate: LookoutOptions['whyLate'];
}

export function createLookout({ clock, probes, pollsMax = 4, whyLate }: LookoutOptions): Lookout {
  const closing = new AbortController();
  let pulse = Promise.withResolvers<void>();
  const onProbe = (): void => {
    pulse.resolve();
    pulse = Promise.withResolvers<void>();
  };
  const watched: Watched = {
    clock,
    polls: createWatchedPolls({ clock, probe: probes.poll, atOnceMax: pollsMax, onPoll: onProbe }),
    files: createWatchedFiles(clock, probes.file),
    since: new Map(),
    whyLate,
  };
  const firstSighting = (awaited: readonly AwaitedCondition[]): Sighting | null =>
    awaited.flatMap((one) => sightingOf(watched, one) ?? [])[0] ?? null;
  return {
    async probe(awaited) {
      remember(watched, awaited);
      await Promise.all([watched.polls.pollDue(awaited), watched.files.sweepWhenDue(awaited)]);
      return firstSighting(awaited);
    },
    async wait(awaited, signal) {
      remember(watched, awaited);
      const isOver = (): boolean => signal.aborted || closing.signal.aborted;
      while (!isOver()) {
        const nextProbe = pulse.promise;
        watched.polls.startDue(awaited);
        await watched.files.sweepWhenDue(awaited);
        const sighting = firstSighting(awaited);
        if (sighting !== null) return sighting;
        await sleep(nextProbe, clock, nextAt(watched, awaited), AbortSignal.any([signal, closing.signal]));
      }
      return null;
    },
    async close() {
      closing.abort();
      await watched.polls.close();
    },
  };
}

/** Until a poll has ended, a time is reached, or the wait is over. */
async function sleep(
  nextProbe: Promise<void>,
  clock: Clock,
  until: number,
  signal: AbortSignal,
): Promise<void> {
  const timer = new AbortController();
  await Promise.race([nextProbe, clock.waitUntil(until, AbortSignal.any([signal, timer.signal]))]);
  timer.abort();
}

/** Forgets conditions that are no longer awaited. */
function remember({ clock, polls, since }: Watched, awaited: readonly AwaitedCondition[]): void {
  polls.forgetAllBut(awaited);
  const ids = new Set(awaited.map(idOf));
  for (const id of since.keys()) if (!ids.has(id)) since.delete(id);
  for (const id of ids) if (!since.has(id)) since.set(id, clock.now());
}

function nextAt({ clock, polls, files }: Watched, awaited: readonly AwaitedCondition[]): number {
  const now = clock.now();
  // Reached but still pending: another part of the condition is open.
  const times = timesIn(awaited).filter((at) => at > now);
  const next = Math.min(...times, polls.nextAt(awaited), files.nextAt(awaited), now + sleepMsMax);
  return Math.max(next, now + 1);
}

function sightingOf(watched: Watched, awaited: AwaitedCondition): Sighting | null {
  const seenAt = watched.clock.now();
  if (awaited.kind !== 'suspension') {
    if (seenAt < awaited.at) return null;
    const what = `${minuteOf(awaited.at)} is reached`;
    return { awaited, kind: 'met', what, seenAt, ...lateness(watched, awaited, awaited.at) };
  }
  const stateOf = (simple: SimpleCondition): ConditionState => stateIn(watched, awaited, simple);
  const state = stateOfCondition(awaited.condition, stateOf);
  if (state === 'pending') return null;
  if (state === 'never') {
    const last = watched.polls.lastPoll(awaited);
    return { awaited, kind: 'expired', what: last?.words ?? '', looks: last?.looks ?? 0, seenAt };
  }
  const due = dueOf(awaited);
  const what = metWords(awaited, (simple) => stateOf(simple) === 'met');
  return { awaited, kind: 'met', what, seenAt, ...(due === null ? {} : lateness(watched, awaited, due)) };
}

function stateIn(
  { clock, polls, files }: Watched,
  awaited: AwaitedSuspension,
  simple: SimpleCondition,
): ConditionState {
  switch (simple.kind) {
    case 'time':
      return clock.now() >= simple.at ? 'met' : 'pending';
    case 'manual':
      return awaited.isApproved ? 'met' : 'pending';
    case 'file':
      return files.isThere(simple) ? 'met' : 'pending';
    case 'poll':
      return polls.stateOf(awaited, simple);
  }
}

function lateness(
  { clock, since, whyLate }: Watched,
  awaited: AwaitedCondition,
  due: number,
): Pick<Sighting, 'due' | 'late'> {
  const lateMs = clock.now() - due;
  if (lateMs < lateMsMin || whyLate === undefined) return { due };
  const isResident = (since.get(idOf(awaited)) ?? Infinity) <= due;
  return { due, late: whyLate(lateMs, isResident) };
}
