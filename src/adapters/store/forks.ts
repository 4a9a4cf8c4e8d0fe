// Which runs were forked from a run: read from the first line of each journal, so that nothing is written into the old run.
import { firstEvent, listRuns } from '#adapters/store/journal/list.ts';
import type { StorePaths } from './paths.ts';
import type { ForkOrigin } from '#kernel/events/after-end-facts.ts';

/** Oldest first. */
export async function listForks(paths: StorePaths, runId: string): Promise<ForkOrigin[]> {
  const found: ForkOrigin[] = [];
  for (const id of await listRuns(paths)) {
    const origin = originOf(await firstEvent(paths, id));
    if (origin?.runId === runId) found.push({ runId: id, event: origin.event });
  }
  return found;
}

/** Null for a run that is no fork, and for a first line that cannot be read. */
function originOf(event: unknown): ForkOrigin | null {
  const { forkedFrom } = (event ?? {}) as { readonly forkedFrom?: Partial<ForkOrigin> };
  const { runId, event: number } = forkedFrom ?? {};
  return typeof runId === 'string' && typeof number === 'number' ? { runId, event: number } : null;
}
