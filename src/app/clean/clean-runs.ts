// `clean`: removes leftovers of finished runs, run by run, each under its own lock.
import { errorText } from '#base/error-text.ts';
import type { Git } from '#adapters/git/repo/git.ts';
import { whoAsks } from '#app/controls/controls.ts';
import { gitOf } from '#app/git-of.ts';
import { withLockedRun } from '#app/lock-run.ts';
import { loadRun, openStore, type Site } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { OpenedRun } from '#runtime/open-run.ts';
import { asOperatorError, OperatorError } from '#base/operator-error.ts';
import { cleanCaches, type CleanedCache } from './clean-caches.ts';
import { removeRun } from './remove-run.ts';
import { keptParts, type Remains, remainsOf, removeRemains } from './what-remains.ts';
import { whereWorkIs } from './where-work-is.ts';

export interface CleanOrder {
  /** Null: all runs. */
  readonly runId: string | null;
  /** Only runs unchanged for this long; null for any age. */
  readonly olderMs: number | null;
  readonly onlyLanded: boolean;
  /** Also removes work that is on no branch of the user. */
  readonly withUnlanded: boolean;
  readonly isDryRun: boolean;
}

export interface CleanedRun {
  readonly runId: string;
  readonly outcome: string;
  readonly parts: readonly Remains[];
  readonly bytes: number;
  /** What stays anyway, or could not be removed. */
  readonly notes: readonly string[];
  readonly isFailed: boolean;
}

export interface KeptRun {
  readonly runId: string;
  readonly why: string;
  /** The command that changes this; '' if there is none. */
  readonly next: string;
}

export interface CleanReport {
  readonly removed: readonly CleanedRun[];
  readonly kept: readonly KeptRun[];
  readonly caches: readonly CleanedCache[];
  readonly bytes: number;
}

/** Contract: if it is killed at any moment, a second call ends as if the first had not been killed. */
export async function cleanRuns(site: Site, order: CleanOrder): Promise<CleanReport> {
  const git = await gitOf(site);
  const removed: CleanedRun[] = [];
  const kept: KeptRun[] = [];
  let isIdle = true;
  const store = openStore(site);
  for (const runId of await store.list()) {
    const found = await loadRun(site, runId).catch(asOperatorError);
    if (found instanceof OperatorError) {
      kept.push({ runId, why: `it cannot be read (${found.message})`, next: `untildone show ${runId}` });
      isIdle = false;
      continue;
    }
    const isKilled = found.run.config.dryRun === true && (await store.holder(runId)) === null;
    if (found.run.outcome === null && !isKilled) isIdle = false;
    if (order.runId !== null && order.runId !== runId) continue;
    const clean = isKilled ? cleanKilledDryRun : cleanOne;
    const one = await clean({ site, git, order }, found.run);
    if (one === null) continue;
    if ('why' in one) kept.push(one);
    else removed.push(one);
  }
  const caches = order.runId === null ? await cleanCaches(site, { ...order, isIdle }) : [];
  const bytes = [...removed, ...caches].reduce((all, one) => all + one.bytes, 0);
  return { removed, kept, caches, bytes };
}

interface Scene {
  readonly site: Site;
  readonly git: Git;
  readonly order: CleanOrder;
}

/** A killed dry run could not remove itself and holds no work, so it is always removed. */
async function cleanKilledDryRun({ site, git, order }: Scene, run: Run): Promise<CleanedRun> {
  const parts = await remainsOf(site, git, run);
  const what = { runId: run.id, outcome: 'killed dry run', parts, bytes: sum(parts) };
  if (!order.isDryRun) await removeRun(site, run.id);
  return { ...what, notes: [], isFailed: false };
}

/** Null if there is nothing to remove, or the run is too young. */
async function cleanOne(scene: Scene, run: Run): Promise<CleanedRun | KeptRun | null> {
  const { site, git, order } = scene;
  const kept = await whyKept(scene, run);
  if (kept !== undefined) return kept;
  const found = planned(run, await remainsOf(site, git, run));
  if (found.parts.length === 0) return null;
  if (order.isDryRun) return { ...found, notes: [], isFailed: false };
  const cleaned = await withLockedRun(site, run.id, (opened) => cleanLocked(scene, opened));
  return cleaned === 'held' ? driven(run.id) : cleaned;
}

async function cleanLocked(scene: Scene, { run, journal }: OpenedRun): Promise<CleanedRun | KeptRun | null> {
  // Another process may have resumed or cleaned the run before the lock was taken.
  const late = await whyKept(scene, run, true);
  if (late !== undefined) return late;
  const what = planned(run, await remainsOf(scene.site, scene.git, run));
  if (what.parts.length === 0) return null;
  if (run.cleaned === null) {
    const at = Math.max(run.now, Date.now());
    const fact = { by: whoAsks(), kept: keptParts(run), removedBytes: what.bytes };
    // Recorded before anything is removed, so that a later command knows why files are missing after a kill.
    await journal.append([{ at, type: 'run-cleaned', ...fact }], { sync: true });
  }
  return tryRemove(scene, run, what);
}

type Planned = Omit<CleanedRun, 'notes' | 'isFailed'>;

function planned({ id, outcome }: Run, parts: readonly Remains[]): Planned {
  return { runId: id, outcome: outcome?.outcome ?? '', parts, bytes: sum(parts) };
}

async function tryRemove({ site, git }: Scene, run: Run, what: Planned): Promise<CleanedRun | KeptRun> {
  try {
    const stays = await removeRemains(site, git, run);
    if (stays === null) return { ...what, notes: [], isFailed: false };
    const why = `its branch untildone/${run.id} stays because ${stays}`;
    const parts = what.parts.filter((part) => part.what !== 'branch');
    if (parts.length === 0) return { runId: run.id, why, next: '' };
    return { ...what, parts, notes: [why], isFailed: false };
  } catch (error) {
    const why = errorText(error);
    return { ...what, notes: [`not everything could be removed: ${why}. Clean it again`], isFailed: true };
  }
}

/** Undefined: remove it. Null: keep it without a message. */
async function whyKept(
  { site, git, order }: Scene,
  run: Run,
  isHeldHere = false,
): Promise<KeptRun | null | undefined> {
  const runId = run.id;
  if (run.outcome === null) return notOver(site, runId, isHeldHere);
  // A `clean` that was killed is always finished, whatever this order asks for.
  if (run.cleaned !== null) return undefined;
  if (order.olderMs !== null && run.now > Date.now() - order.olderMs) return null;
  const where = await whereWorkIs(site, git, run);
  if (where.kind === 'unlanded' && !order.withUnlanded)
    return { runId, why: where.why, next: landOrDrop(runId, where.isLandable) };
  if (order.onlyLanded && where.kind !== 'landed')
    return { runId, why: 'it has landed nothing (--landed)', next: '' };
  return undefined;
}

async function notOver(site: Site, runId: string, isHeldHere: boolean): Promise<KeptRun> {
  const isRunning = !isHeldHere && (await openStore(site).holder(runId)) !== null;
  const stop = `untildone stop ${runId}`;
  return !isRunning
    ? { runId, why: 'it has not ended', next: `untildone resume ${runId}, or ${stop}` }
    : { runId, why: 'it is running', next: `wait until it ends, or ${stop}` };
}

function landOrDrop(runId: string, isLandable: boolean): string {
  const drop = `untildone clean ${runId} --unlanded`;
  return isLandable ? `untildone land ${runId}, or ${drop}` : drop;
}

function driven(runId: string): KeptRun {
  return { runId, why: 'another process holds it', next: `untildone status ${runId}` };
}

function sum(parts: readonly Remains[]): number {
  return parts.reduce((all, { bytes }) => all + bytes, 0);
}
