// `fork`: makes a new run from a point of another one. It reads the old run and never writes to it.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { finishFork, makeForkRefs, missingObject, unfinishedForks } from '#adapters/git/refs/fork-refs.ts';
import { readRun } from '#adapters/store/journal/recover.ts';
import { createFilledRun } from '#adapters/store/store.ts';
import { frozenSettingsOf } from '#adapters/git/repo/frozen-settings.ts';
import type { Git } from '#adapters/git/repo/git.ts';
import { branchOf } from '#adapters/git/refs/refs.ts';
import { removeKilledDryRuns } from '#app/clean/killed-dry-runs.ts';
import { removeRun } from '#app/clean/remove-run.ts';
import { whoAsks } from '#app/controls/controls.ts';
import { gitOf } from '#app/git-of.ts';
import { oneStartAtATime } from '#app/run/one-start.ts';
import { newRunId } from '#app/run/start-run.ts';
import { loadRun, openStore, pathsOf, type Site } from '#app/site.ts';
import { replay } from '#kernel/fold/apply.ts';
import { present } from '#base/assert.ts';
import { errorCode } from '#base/error-code.ts';
import type { BudgetLimits } from '#kernel/model/budget.ts';
import type { Event } from '#kernel/events/events.ts';
import { forkedEntries, forkPoints, treesInUse } from '#kernel/fold/fork.ts';
import { OperatorError } from '#base/operator-error.ts';
import { chooseEvent, refuseFork } from './choose-event.ts';
import type { ForkOrigin } from '#kernel/events/after-end-facts.ts';

export interface ForkWish {
  readonly runId: string;
  /** Null: the last event after which a fork can begin. */
  readonly event: number | null;
  readonly budget: Partial<BudgetLimits>;
  onWait?(): void;
}

export interface MadeFork {
  readonly runId: string;
  readonly forkedFrom: ForkOrigin;
  readonly branch: string;
  readonly budget: BudgetLimits;
  /** Tasks that had failed by then: `resume` alone does not retry them. */
  readonly failed: readonly string[];
  /** The last fact that the fork shares with the old run. */
  readonly last: Event;
  readonly events: number;
  /** The old run is over, so the fork begins before its end. */
  readonly isBeforeEnd: boolean;
}

/** Contract: the new run exists completely or not at all; after a kill, `list` shows nothing of it. */
export async function forkRun(site: Site, wish: ForkWish): Promise<MadeFork> {
  const paths = pathsOf(site);
  const { events, ends } = await readRun(paths.run(wish.runId), paths);
  const old = replay(events);
  await refuseFork(site, old);
  const event = chooseEvent(old, events, forkPoints(events, ends), wish.event);
  const from: ForkOrigin = { runId: old.id, event };
  const git = await gitOf(site);
  const begun = replay(events.slice(0, event));
  const commit = begun.tip?.commit ?? begun.config.repo.baseCommit;
  const needed = { commit, trees: treesInUse(begun) };
  const gone = await missingObject(git, site.commonDir, needed);
  if (gone !== null) throw objectGone(from, gone);
  const runId = await oneStartAtATime(
    site,
    async () => {
      await removeKilledDryRuns(site);
      await sweepKilledForks(site, git);
      const made = newRunId(Date.now());
      const order = { from, runId: made, branch: branchOf(made), at: Date.now(), by: whoAsks() };
      const entries = forkedEntries(events, ends, { ...order, budget: wish.budget });
      await makeFork(site, git, { ...needed, from: old.id, to: made, steps: begun.stepsStarted }, entries);
      return made;
    },
    () => wish.onWait?.(),
  );
  const isBeforeEnd = wish.event === null && old.outcome !== null;
  const { run } = await loadRun(site, runId);
  return {
    runId,
    forkedFrom: from,
    branch: branchOf(runId),
    budget: run.budget,
    failed: [...run.tasks.values()].filter(({ status }) => status.is === 'failed').map(({ spec }) => spec.id),
    last: present(events[event - 1], 'a fork begins after an event'),
    events: events.length,
    isBeforeEnd,
  };
}

/** Refs and files first, the journal last: the run exists only once it has a journal. */
async function makeFork(
  site: Site,
  git: Git,
  refs: Parameters<typeof makeForkRefs>[2],
  entries: readonly (readonly Event[])[],
): Promise<void> {
  const { commonDir } = site;
  await makeForkRefs(git, commonDir, refs);
  try {
    const old = pathsOf(site).run(refs.from).folder;
    await createFilledRun(pathsOf(site), refs.to, entries, (folder) => copyKept(old, folder));
  } catch (error) {
    await removeRun(site, refs.to).catch(() => undefined);
    throw error;
  }
  await finishFork(git, commonDir, refs.to);
}

/** What only the old folder has: held-out checks, pinned files, lock files, the user's git settings. */
async function copyKept(from: string, to: string): Promise<void> {
  for (const name of ['held-out', 'pinned', 'setup', frozenSettingsOf('index')])
    await cp(join(from, name), join(to, name), { recursive: true, preserveTimestamps: true }).catch(
      (error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
      },
    );
}

/** Under the lock of all starts, so no fork is being made now. */
async function sweepKilledForks(site: Site, git: Git): Promise<void> {
  const unfinished = await unfinishedForks(git, site.commonDir);
  if (unfinished.length === 0) return;
  const known = await openStore(site).list();
  for (const runId of unfinished)
    if (known.includes(runId)) await finishFork(git, site.commonDir, runId);
    else await removeRun(site, runId);
}

function objectGone({ runId, event }: ForkOrigin, object: string): OperatorError {
  return new OperatorError(
    'fork-refused',
    `The work of run ${runId} at event ${event} is no longer in this repository (${object.slice(0, 12)} is missing).`,
    `Fork it from another event (untildone show ${runId} numbers them), or start a new run.`,
  );
}
