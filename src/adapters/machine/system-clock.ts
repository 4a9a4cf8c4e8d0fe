import type { Clock } from '#ports/clock.ts';

/** Timers stop while a machine sleeps and overflow after 24 days: read the time at least this often. */
const pollMs = 30_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  async waitUntil(time, signal) {
    while (!signal.aborted && Date.now() < time) {
      await sleep(Math.min(time - Date.now(), pollMs), signal);
    }
  },
};

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(1, ms));
    signal.addEventListener('abort', done);
  });
}
