// Simulated controls as files: dropped, taken, removed. The driver may die at each of these moments.
import type { ControlRequest } from '#kernel/events/control.ts';
import type { Inbox } from '#ports/inbox.ts';
import type { Incarnation, Universe } from './universe.ts';
import { call, never, survives } from './universe.ts';

export function simulatedInbox(universe: Universe, incarnation: Incarnation): Inbox {
  const { inbox, taken } = universe;
  return {
    drop: async (request) => drop(universe, request),
    async take() {
      for (const [id, request] of inbox) {
        if (!survives(universe, incarnation)) return never();
        inbox.delete(id);
        taken.set(id, request);
      }
      const found = [...taken.values()];
      if (universe.faults.takeForgets === true) taken.clear();
      return call(universe, incarnation, () => found);
    },
    settle: async (id) =>
      call(universe, incarnation, () => {
        taken.delete(id);
      }),
    watch(onArrival) {
      incarnation.wakers.add(onArrival);
      return () => incarnation.wakers.delete(onArrival);
    },
  };
}

export function drop(universe: Universe, request: ControlRequest): void {
  universe.trace(() => `a person drops ${request.id} ${JSON.stringify(request.control).slice(0, 160)}`);
  universe.counts.controls += 1;
  universe.inbox.set(request.id, request);
  for (const one of universe.incarnations) if (!one.isDead) for (const wake of one.wakers) wake();
}
