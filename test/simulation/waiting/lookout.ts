// The real lookout in simulated time: its polls are slow, may be the last act of their process, and never overlap.
import { createLookout } from '#adapters/waiting/lookout.ts';
import type { AwaitedCondition, FileCondition, PollCondition } from '#kernel/waiting/condition.ts';
import type { Lookout } from '#ports/lookout.ts';
import type { WakeEntry } from '#ports/wake-list.ts';
import type { Incarnation, Universe } from '../universe.ts';
import { call, forbid, never, pass, survives } from '../universe.ts';
import { judgeSighting, keyOf } from './wait-oracle.ts';
import type { Probe, Waiting, Waits } from './waits.ts';
import { isTrueNow } from './waits.ts';

export function simulatedLookout(universe: Universe, incarnation: Incarnation): Lookout {
  const { clock, waits } = universe;
  if (waits === null)
    return createLookout({ clock, probes: { poll: async () => null, file: async () => false } });
  const turn = Promise.withResolvers<void>();
  turn.resolve();
  const memory: Memory = { seen: new Map(), endedAt: new Map(), underWay: new Set(), turn };
  const place: Place = { universe, incarnation, waits, memory };
  const inner = createLookout({
    clock,
    whyLate: () => 'nothing was running',
    probes: {
      poll: ({ suspensionId }, condition) => runPoll(place, suspensionId, condition),
      file: (condition) => probeFile(place, condition),
    },
  });
  return {
    async wait(awaited, signal) {
      const waiting = { awaited, ...memory };
      waits.waiting.set(incarnation, waiting);
      const sighting = await inner.wait(awaited, signal);
      waits.waiting.delete(incarnation);
      if (incarnation.isDead) return never();
      if (sighting !== null) judgeSighting(universe, incarnation, waiting, sighting);
      return sighting;
    },
    async probe(awaited) {
      const sighting = await inner.probe(awaited);
      if (incarnation.isDead) return never();
      if (sighting !== null) judgeSighting(universe, incarnation, { awaited, ...memory }, sighting);
      return sighting;
    },
    close: () => inner.close(),
  };
}

interface Memory extends Omit<Waiting, 'awaited'> {
  readonly underWay: Set<string>;
  /** Of the newest look: resolved when the next one may begin. */
  turn: { readonly promise: Promise<void> };
}

interface Place {
  readonly universe: Universe;
  readonly incarnation: Incarnation;
  readonly waits: Waits;
  readonly memory: Memory;
}

async function runPoll(place: Place, suspensionId: string, condition: PollCondition) {
  const { universe, incarnation, memory } = place;
  const key = keyOf(suspensionId, condition);
  const startedAt = universe.clock.now();
  if (!survives(universe, incarnation)) return never<null>();
  forbid(universe, memory.underWay.has(key), `two looks at ${key} overlap`);
  memory.underWay.add(key);
  // The commands of one process take turns; those of another are not waited for.
  const before = memory.turn.promise;
  const turn = Promise.withResolvers<void>();
  memory.turn = turn;
  await before;
  try {
    return await pollLocked(place, { key, startedAt }, condition);
  } finally {
    memory.underWay.delete(key);
    turn.resolve();
  }
}

async function pollLocked(
  place: Place,
  { key, startedAt }: { readonly key: string; readonly startedAt: number },
  condition: PollCondition,
) {
  const { universe, incarnation, waits, memory } = place;
  const { counts, clock } = universe;
  const ended = (): void => void memory.endedAt.set(key, clock.now());
  const other = waits.looking;
  if (other !== null && other.by !== incarnation && !other.by.isDead) {
    counts.waiting.looksRefused += 1;
    ended();
    return null;
  }
  waits.looking = { by: incarnation, key };
  counts.waiting.looks += 1;
  const isSlow = waits.random.chance(0.1);
  if (isSlow) counts.waiting.slowLooks += 1;
  await pass(universe, incarnation, 1 + waits.random.int(isSlow ? condition.timeoutMs : 500));
  const isMet = isTrueNow(universe, condition.command);
  if (!survives(universe, incarnation)) {
    counts.waiting.looksCut += 1;
    return never<null>();
  }
  waits.looking = null;
  ended();
  memory.seen.set(key, { by: incarnation, key, startedAt, isMet });
  return { isMet, words: isMet ? 'exit 0' : 'exit 1', looks: counts.waiting.looks };
}

async function probeFile({ universe, incarnation, memory }: Place, condition: FileCondition) {
  if (incarnation.isDead) return never<boolean>();
  // A sweep a second: not each of them is a moment to die at.
  const isMet = isTrueNow(universe, condition.path);
  if (isMet && !survives(universe, incarnation)) return never<boolean>();
  const look: Probe = { by: incarnation, key: condition.path, startedAt: universe.clock.now(), isMet };
  memory.seen.set(condition.path, look);
  return isMet;
}

/** What the driver saves for `watch`: a file that can be lost. */
export function simulatedWakeEntry(universe: Universe, incarnation: Incarnation): WakeEntry | undefined {
  const { waits } = universe;
  if (waits === null) return undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = (entry: readonly AwaitedCondition[] | null): void => {
    const isLost = entry !== null && !universe.isCalm && waits.random.chance(waits.entryLossRate);
    writing = writing.then(() =>
      call(
        universe,
        incarnation,
        () => {
          if (isLost) universe.counts.waiting.entriesLost += 1;
          else waits.entry = entry;
        },
        { isQuick: true },
      ),
    );
  };
  let last: string | null = null;
  const once = (entry: readonly AwaitedCondition[] | null): void => {
    const text = JSON.stringify(entry);
    if (text !== last) write(entry);
    last = text;
  };
  return {
    save: ({ awaited }) => once(awaited),
    remove: () => once(null),
    close: () => writing,
  };
}
