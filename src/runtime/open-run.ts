// Opens a run under the lock of this process.
import { replay } from '#kernel/fold/apply.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Holder, Journal, Store } from '#ports/store.ts';

export interface OpenedRun {
  readonly journal: Journal;
  /** As in the journal when the lock was taken. */
  readonly run: Run;
}

/** Contract: the caller closes the journal, which frees the lock; `driveOpened` does so for it. */
export async function openRun(
  store: Pick<Store, 'open'>,
  runId: string,
): Promise<OpenedRun | { readonly heldBy: Holder }> {
  const journal = await store.open(runId);
  if ('heldBy' in journal) return journal;
  try {
    return { journal, run: replay(journal.events) };
  } catch (error) {
    await journal.close();
    throw error;
  }
}
