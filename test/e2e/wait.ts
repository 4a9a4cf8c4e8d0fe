import { setTimeout as sleep } from 'node:timers/promises';
import { onSilence } from '../support/silence.ts';

/** Polls until `look` returns something. Gives up only when `sign` stays the same for minutes. */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false,
  { stepMs = 10, sign = (): unknown => null } = {},
): Promise<T> {
  let isSilent = false;
  const stop = onSilence(sign, () => (isSilent = true));
  try {
    for (;;) {
      const found = look();
      if (found !== null && found !== undefined && found !== false) return found;
      if (isSilent) throw new Error(`waited in vain for ${what}: nothing moved for minutes`);
      await sleep(stepMs);
    }
  } finally {
    stop();
  }
}
