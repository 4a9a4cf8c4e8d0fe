// Runs poll commands at their intervals: a few at a time, and each condition only once at a time.
import type { AwaitedCondition, ConditionState, PollCondition } from '#kernel/waiting/condition.ts';
import type { Clock } from '#ports/clock.ts';
import { type AwaitedSuspension, pollKey, pollsIn } from './awaited.ts';

/** Contract: never rejects. Null if another process is polling: that does not count. */
export type ProbePoll = (
  awaited: AwaitedSuspension,
  condition: PollCondition,
  signal: AbortSignal,
) => Promise<PollResult | null>;

export interface PollResult {
  readonly isMet: boolean;
  /** How the command ended, and its last line. */
  readonly words: string;
  /** How often this condition was polled, by this and earlier processes. */
  readonly looks: number;
}

interface PollState {
  last: PollResult | null;
  /** When the last poll that counted began, and when the last one ended. */
  startedAt: number;
  endedAt: number | null;
  /** Another process was polling the last time. */
  isRefused: boolean;
  running: Promise<void> | null;
}

export interface WatchedPolls {
  startDue(awaited: readonly AwaitedCondition[]): void;
  /** Polls each due condition once; resolves when these and the running ones have ended. */
  pollDue(awaited: readonly AwaitedCondition[]): Promise<void>;
  stateOf(awaited: AwaitedSuspension, condition: PollCondition): ConditionState;
  /** The next poll of conditions that are not running. */
  nextAt(awaited: readonly AwaitedCondition[]): number;
  lastPoll(awaited: AwaitedSuspension): PollResult | null;
  forgetAllBut(awaited: readonly AwaitedCondition[]): void;
  close(): Promise<void>;
}

export interface WatchedPollsOptions {
  readonly clock: Clock;
  readonly probe: ProbePoll;
  /** Limit of concurrent commands. */
  readonly atOnceMax: number;
  /** Called when a poll has ended. */
  readonly onPoll: () => void;
}

export function createWatchedPolls({ clock, probe, atOnceMax, onPoll }: WatchedPollsOptions): WatchedPolls {
  const states = new Map<string, PollState>();
  const closing = new AbortController();
  const stateFor = (key: string): PollState => {
    const state = states.get(key) ?? newState();
    states.set(key, state);
    return state;
  };
  const startDue = (awaited: readonly AwaitedCondition[]): void => {
    let running = [...states.values()].filter((state) => state.running !== null).length;
    for (const { awaited: one, condition, key } of pollsIn(awaited)) {
      const state = stateFor(key);
      if (running >= atOnceMax || closing.signal.aborted) return;
      if (state.running !== null || nextPollAt(condition, state, clock.now()) > clock.now()) continue;
      running += 1;
      state.running = notePoll(state, () => probe(one, condition, closing.signal), clock).then(onPoll);
    }
  };
  return {
    startDue,
    async pollDue(awaited) {
      for (;;) {
        startDue(awaited);
        const running = pollsIn(awaited).flatMap(({ key }) => stateFor(key).running ?? []);
        if (running.length === 0) return;
        await Promise.race(running);
      }
    },
    stateOf(awaited, condition) {
      const state = stateFor(pollKey(awaited, condition));
      if (state.last?.isMet === true) return 'met';
      return isExpired(condition, state) ? 'never' : 'pending';
    },
    nextAt: (awaited) =>
      Math.min(
        ...pollsIn(awaited)
          .filter(({ key }) => stateFor(key).running === null)
          .map(({ condition, key }) => nextPollAt(condition, stateFor(key), clock.now())),
      ),
    lastPoll: (awaited) =>
      pollsIn([awaited])
        .map(({ key }) => stateFor(key).last)
        .findLast((last) => last !== null) ?? null,
    forgetAllBut(awaited) {
      const keys = new Set(pollsIn(awaited).map(({ key }) => key));
      for (const [key, { running }] of states) if (!keys.has(key) && running === null) states.delete(key);
    },
    async close() {
      closing.abort();
      await Promise.all([...states.values()].flatMap(({ running }) => running ?? []));
    },
  };
}

/** A result of null means that another process was polling. */
async function notePoll(
  state: PollState,
  poll: () => Promise<PollResult | null>,
  clock: Clock,
): Promise<void> {
  const startedAt = clock.now();
  const result = await poll();
  if (result !== null) {
    state.last = result;
    state.startedAt = startedAt;
  }
  state.isRefused = result === null;
  state.endedAt = clock.now();
  state.running = null;
}

/** If another process is polling, the next try comes soon, whatever the interval. */
const refusedMs = 5_000;

function newState(): PollState {
  return { last: null, startedAt: -Infinity, endedAt: null, isRefused: false, running: null };
}

/** One interval after the last poll ended, and once more when the limit is reached; never after that. */
function nextPollAt(condition: PollCondition, state: PollState, now: number): number {
  const { everyMs, until } = condition;
  if (state.endedAt === null) return now;
  if (isExpired(condition, state)) return Infinity;
  // After the clock was set back, the interval starts again.
  const ended = Math.min(state.endedAt, now);
  const next = ended + (state.isRefused ? Math.min(everyMs, refusedMs) : everyMs);
  return ended < until ? Math.min(next, until) : next;
}

/** A failed poll that began after the limit is final. */
function isExpired({ until }: PollCondition, { last, startedAt }: PollState): boolean {
  return last !== null && !last.isMet && startedAt >= until;
}
