import * as writable from '#adapters/stores/embedded/writable.ts';
import type { Site } from './site.ts';

/** Why no branch and no commit can be written to this repository, without a full stop; null where they can. */
export async function whyReadOnly({ commonDir }: Site): Promise<string | null> {
  return writable.whyReadOnly(commonDir);
}
