import { setTimeout as sleep } from 'node:timers/promises';

/** Looks again and again until there is something; every wait has an end. */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false,
  { stepMs = 10, limitMs = 60_000 } = {},
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited ${limitMs} ms in vain for ${what}`);
    await sleep(stepMs);
  }
}
