// A fresh checkout of a tree, so that leftovers of earlier work cannot make a check pass.
import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CleanCheckout } from '#ports/checkouts.ts';
import { createReadWatch } from './read-watch.ts';
import { ownIdentity } from '#adapters/git/repo/identity.ts';
import { ensureLinkedCheckout, removeLinkedCheckout } from './linked-checkout.ts';
import { openSnapshot, type SnapshotRecord } from '#adapters/git/trees/snapshot.ts';
import { refuseForged } from '#adapters/git/repo/verify-objects.ts';
import type { Ground } from './context.ts';
import { fillCheckout } from './fill-checkout.ts';

/** Folders of the checkouts that this process made and has not disposed of. */
const living = new Set<string>();

export function makeCleanCheckout(ground: Ground, tree: string): Promise<CleanCheckout> {
  const home = join(ground.cacheDir, 'clean', `${ground.runId}-${randomUUID().slice(0, 8)}`);
  return makeCheckoutAt(ground, home, tree);
}

/** Contract: `home` does not exist. */
export async function makeCheckoutAt(
  ground: Ground,
  home: string,
  tree: string,
): Promise<CleanCheckout & { readonly record: SnapshotRecord }> {
  const indexFile = join(home, 'index');
  const place = placeOf(ground, home);
  living.add(home);
  await sweepCleanCheckouts(ground, 'dead');
  await mkdir(home, { recursive: true });
  const dispose = (): Promise<void> => removeCheckoutAt(ground, home);
  let admin: string;
  try {
    await refuseForged(ground.git, ground.commonDir, tree);
    const commit = await commitOf(ground, tree);
    admin = await ensureLinkedCheckout({
      ...place,
      birthName: `untildone-${basename(home)}`,
      git: ground.git,
      branch: null,
      commit,
      fill: (made) => fillCheckout(ground, { root: place.folder, admin: made, indexFile, tree }),
    });
  } catch (error) {
    await dispose();
    throw error;
  }
  const record = { root: place.folder, indexFile, commonDir: ground.commonDir, runId: ground.runId };
  const { snapshot } = openSnapshot(record, ground.env, { git: ground.git, onNote: ground.note });
  const { folder: root } = place;
  const digests = (paths: readonly string[]) => fileDigests(root, paths);
  const staged = (): Promise<string> => ground.git.tell(['write-tree'], { cwd: root });
  const watched = { root, tree, admin, probeFile: join(home, 'probe'), fileOwner: ground.fileOwner };
  const watchReads = createReadWatch(ground.git, watched);
  return { root, cwd: join(root, ground.prefix), snapshot, staged, digests, watchReads, dispose, record };
}

export async function removeCheckoutAt(ground: Ground, home: string): Promise<void> {
  await removeLinkedCheckout(placeOf(ground, home));
  await rm(home, { recursive: true, force: true });
  living.delete(home);
}

/** Removes checkouts that a killed driver left. Contract: only the driver that holds the run calls it. */
export async function sweepCleanCheckouts(
  ground: Pick<Ground, 'cacheDir' | 'runId' | 'commonDir'>,
  which: 'all' | 'dead',
): Promise<void> {
  const names = await readdir(join(ground.cacheDir, 'clean')).catch(() => []);
  for (const name of names.filter((each) => isCleanCheckoutOf(each, ground.runId))) {
    const home = join(ground.cacheDir, 'clean', name);
    if (which === 'dead' && living.has(home)) continue;
    const place = placeOf(ground, home);
    await removeLinkedCheckout(place);
    await removeLinkedCheckout({ ...place, folder: join(home, `untildone-${name}`) });
    await rm(home, { recursive: true, force: true });
  }
}

/** Another run's id may begin with this one. */
export function isCleanCheckoutOf(name: string, runId: string): boolean {
  return name.startsWith(`${runId}-`) && /^[0-9a-f]{8}$/.test(name.slice(runId.length + 1));
}

function placeOf(
  ground: Pick<Ground, 'commonDir'>,
  home: string,
): { commonDir: string; folder: string; readyFile: string } {
  return { commonDir: ground.commonDir, folder: join(home, 'checkout'), readyFile: join(home, 'ready') };
}

/** Checks may ask git about their commit, so the tree is checked out as one. */
function commitOf(ground: Ground, tree: string): Promise<string> {
  const args = ['commit-tree', tree, '-p', ground.baseCommit, '-m', 'untildone: the tree under check'];
  return ground.git.tell(args, { gitDir: ground.commonDir, env: ownIdentity });
}

/** Contract: skips paths that are absent or neither file nor link. */
async function fileDigests(root: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (const path of paths) {
    const bytes = await bytesOf(join(root, path));
    if (bytes !== null) digests.set(path, createHash('sha256').update(bytes).digest('hex'));
  }
  return digests;
}

async function bytesOf(file: string): Promise<Buffer | string | null> {
  const stat = await lstat(file).catch(() => null);
  if (stat?.isSymbolicLink() === true) return readlink(file);
  return stat?.isFile() === true ? readFile(file) : null;
}
