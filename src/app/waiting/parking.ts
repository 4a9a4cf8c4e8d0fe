// Decides whether this process leaves a run that waits, and what it says about that.
import type { Event } from '#kernel/events/events.ts';
import { parkedBySettings } from '#kernel/fold/loop.ts';
import type { Run } from '#kernel/fold/run.ts';
import { leaveOrStay } from '#policies/waiting/leave-or-stay.ts';
import { stayWords, wakeWords } from '#views/waiting/wake-words.ts';
import type { Site } from '#app/site.ts';
import { whoWakes } from './who-wakes.ts';
import type { AwaitedCondition } from '#kernel/waiting/condition.ts';

export interface Parking {
  onEvents(events: readonly Event[]): void;
  /** Nothing runs, and something other than a person can end the wait. */
  readonly isWaiting: () => boolean;
  mayLeave(awaited: readonly AwaitedCondition[]): Promise<boolean>;
  /** Which process wakes the run; null if none can. */
  wakeWords(run: Run): Promise<string | null>;
}

export interface ParkingOptions {
  readonly site: Site;
  readonly currentRun: () => Run | null;
  readonly print: (text: string) => void;
  readonly isTerminal: boolean;
  /** Another process started this one. A person who resumes a paused run drives it in their own terminal. */
  readonly isWoken: boolean;
}

export function createParking(options: ParkingOptions): Parking {
  const { site, currentRun, print, isTerminal, isWoken } = options;
  let waitsFor: readonly AwaitedCondition[] = [];
  let lastText = '';
  return {
    onEvents(events) {
      if (events.some(({ type }) => type === 'step-started')) waitsFor = [];
    },
    isWaiting: () => waitsFor.length > 0,
    async mayLeave(awaited) {
      waitsFor = awaited;
      const run = currentRun();
      // After a pause from another terminal we stay for the resume; other parked runs need a person first.
      if (awaited.length === 0)
        return isWoken || run?.paused === null || run?.paused?.by === parkedBySettings;
      if (run === null) return false;
      const waker = await whoWakes(site, run.config);
      const isWatched = waker.kind === 'watch';
      const chosen = leaveOrStay({ awaited, now: Date.now(), isTerminal, isWatched });
      if (chosen.kind === 'stay' && chosen.why !== 'terminal') {
        const words = stayWords(chosen.why, waker);
        if (words !== lastText) print(words);
        lastText = words;
      }
      return chosen.kind === 'leave';
    },
    async wakeWords(run) {
      const isForPerson = waitsFor.every(({ kind }) => kind === 'reminder');
      if (isForPerson || run.paused !== null) return null;
      return wakeWords(await whoWakes(site, run.config), run.id);
    },
  };
}
