// A real embedded store in a folder, and a way to grow a run in it.
import { join } from 'node:path';
import { apply, replay } from '#kernel/fold/apply.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Journal, Store } from '#ports/store.ts';
import type { StorePaths } from '#adapters/store/paths.ts';
import { storePaths } from '#adapters/store/paths.ts';
import { createEmbeddedStore } from '#adapters/store/store.ts';
import { firstEvents, laterEvents } from './sample-run.ts';

export interface GrowingRun {
  readonly run: Run;
  readonly journal: Journal;
  /** Records this many more events, one append each: what a driver does with a fact, without the sync. */
  readonly grow: (count: number) => Promise<void>;
}

export function sampleStore(folder: string): { readonly store: Store; readonly paths: StorePaths } {
  const paths = storePaths({
    stateHome: join(folder, 'state'),
    commonDir: join(folder, 'git'),
    repoId: '0123456789abcdef',
    viewsRoot: join(folder, 'checkout'),
  });
  return { store: createEmbeddedStore(paths), paths };
}

export async function startRun(store: Store, runId: string): Promise<GrowingRun> {
  await store.create(runId, firstEvents(runId));
  const journal = await store.open(runId);
  if ('heldBy' in journal) throw new Error('a new run has no driver yet');
  const run = replay(journal.events);
  const source = laterEvents();
  return {
    run,
    journal,
    grow: async (count) => {
      for (let n = 0; n < count; n += 1) {
        const next = source.next();
        if (next.done === true) throw new Error('the sample has no end');
        await journal.append([next.value], { sync: false });
        apply(run, next.value);
      }
    },
  };
}
