// Checks of very many files, each less often: 250 a second in all cost half a percent of a core.
import type { FileCondition } from '#kernel/waiting/condition.ts';

const perFileMs = 4;

/** Contract: as `look`; a file that was checked a moment ago is not there. */
export function sparingLook(
  look: (file: FileCondition) => Promise<boolean>,
  now: () => number = () => performance.now(),
): (file: FileCondition) => Promise<boolean> {
  const next = new Map<string, number>();
  return async (file) => {
    const key = JSON.stringify([file.path, file.contains]);
    const at = now();
    if (at < (next.get(key) ?? -Infinity)) return false;
    next.delete(key);
    // Those that are no longer waited for were not asked for since.
    for (const [old, due] of next) {
      if (due > at - forgottenMs) break;
      next.delete(old);
    }
    next.set(key, at + next.size * perFileMs);
    return look(file);
  };
}

const forgottenMs = 60_000;
