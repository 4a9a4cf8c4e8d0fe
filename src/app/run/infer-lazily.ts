import type { MakeInfer } from '#tasks/criteria/written-criteria.ts';
import type { Site } from '#app/site.ts';

/** Loaded only if a sentence has to be understood: most runs are given commands. */
export function inferLazily(site: Site): MakeInfer {
  return (timeoutMs) => async (text) => {
    const { createInfer } = await import('./infer-checks.ts');
    return createInfer(site, timeoutMs)(text);
  };
}
