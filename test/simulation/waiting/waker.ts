// A process that wakes parked runs: it reads what the driver saved, watches for it, and asks for a driver. It may die, there
// may be two of it, and what it reads may be gone: then it looks into the journal now and then.
import { simulatedLookout } from './lookout.ts';
import type { Incarnation, Universe } from '../universe.ts';
import { call, pass } from '../universe.ts';
import { openSuspensions } from './wait-view.ts';
import type { Waits } from './waits.ts';

const minuteMs = 60_000;

export function startWakers(universe: Universe): void {
  const { waits } = universe;
  for (let count = 0; count < (waits?.wakers ?? 0); count += 1) startWaker(universe);
}

export function startWaker(universe: Universe): void {
  const { waits } = universe;
  if (waits === null) return;
  const waker: Incarnation = {
    number: -1 - universe.incarnations.length,
    isDead: false,
    pointsLeft: waits.wakersDie ? 1 + waits.random.int(60) : Infinity,
    run: null,
    folded: 0,
    acknowledged: 0,
    holdsJournal: false,
    worktree: '',
    mustLeave: false,
    pending: 0,
    wakers: new Set(),
  };
  universe.incarnations.push(waker);
  void watchOn(universe, waker, waits);
}

export function isWaker({ number }: Incarnation): boolean {
  return number < 0;
}

export function isWatched({ incarnations }: Universe): boolean {
  return incarnations.some((one) => isWaker(one) && !one.isDead);
}

async function watchOn(universe: Universe, waker: Incarnation, waits: Waits): Promise<void> {
  const lookout = simulatedLookout(universe, waker);
  const isDriven = (): boolean => universe.incarnations.some((one) => one.holdsJournal && !one.isDead);
  while (!waker.isDead) {
    const entry = await call(universe, waker, () => waits.entry, { isQuick: true });
    if (isDriven() || universe.ledger.view.outcome !== null) {
      await pass(universe, waker, 5 * minuteMs);
    } else if (entry === null) {
      await pass(universe, waker, 10 * minuteMs);
      if (waits.entry === null && !isDriven() && openSuspensions(universe.ledger.view).length > 0) {
        universe.counts.waiting.rescans += 1;
        waits.isWanted = true;
      }
    } else {
      const over = new AbortController();
      universe.schedule.after(10 * minuteMs, () => over.abort());
      const seen = await lookout.wait(entry, over.signal);
      if (seen !== null) {
        universe.trace(() => `waker ${waker.number} asks for a driver: ${seen.awaited.kind}`);
        universe.counts.waiting.wakeUps += 1;
        waits.isWanted = true;
        await pass(universe, waker, minuteMs);
      }
    }
  }
}
