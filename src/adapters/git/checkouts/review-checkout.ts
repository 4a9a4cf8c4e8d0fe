// A checkout of its own for each reviewer, in which the builder cannot instruct it.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import type { ReviewCheckout } from '#ports/checkouts.ts';
import { makeCheckoutAt, removeCheckoutAt } from './clean-checkout.ts';
import type { Ground } from './context.ts';
import { withBaseInstructions } from './instructions.ts';
import { openSnapshot, type SnapshotRecord } from '#adapters/git/trees/snapshot.ts';

export async function makeReviewCheckout(
  ground: Ground,
  tree: string,
  name: string,
): Promise<ReviewCheckout> {
  const home = homeOf(ground, name);
  await removeCheckoutAt(ground, home);
  const shown = await shownTo(ground, tree);
  const checkout = await makeCheckoutAt(ground, home, shown.tree);
  const record: SnapshotRecord = { ...checkout.record, standsFor: { shown: shown.tree, tree } };
  await writeFile(recordFile(home), JSON.stringify(record));
  return {
    root: checkout.root,
    cwd: checkout.cwd,
    dispose: () => checkout.dispose(),
    record,
    asOnBase: shown.paths.map((path) => posix.relative(ground.prefix, path)),
    snapshot: openSnapshot(record, ground.env, { onNote: ground.note }).snapshot,
  };
}

/** The files as a reviewer left them whose host could not say; null when its checkout is gone. */
export async function readReviewTree(ground: Ground, name: string): Promise<string | null> {
  const text = await readFile(recordFile(homeOf(ground, name)), 'utf8').catch(() => null);
  if (text === null) return null;
  // Written by us alone, beside the checkout.
  const record = JSON.parse(text) as SnapshotRecord;
  return openSnapshot(record, ground.env, { onNote: ground.note }).snapshot();
}

async function shownTo(ground: Ground, tree: string) {
  const { git, commonDir: gitDir, baseCommit: base } = ground;
  const folder = await mkdtemp(join(tmpdir(), 'untildone-'));
  try {
    return await withBaseInstructions({ git, gitDir, base }, tree, join(folder, 'index'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same folder for the same reviewer: a client finds an interrupted session again by where it was. */
function homeOf({ cacheDir, runId }: Ground, name: string): string {
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return join(cacheDir, 'clean', `${runId}-${mark}`);
}

function recordFile(home: string): string {
  return join(home, 'record.json');
}
