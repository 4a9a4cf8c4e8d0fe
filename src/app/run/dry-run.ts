// Starts a run without sessions: made like any other, driven as far as that is free, then removed.
import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkStart } from '#adapters/git/repo/check-start.ts';
import { removeKilledDryRuns } from '#app/clean/killed-dry-runs.ts';
import { removeRun } from '#app/clean/remove-run.ts';
import type { Site } from '#app/site.ts';
import { isMachineCheck } from '#kernel/model/check.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import { goalTaskId } from '#kernel/proof/goals.ts';
import type { Task } from '#kernel/model/task.ts';

export interface DryRun {
  readonly site: Site;
  readonly config: RunConfig;
  /** Removes everything that was made for it. */
  readonly remove: (runId: string) => Promise<void>;
}

/**
 * Touches nothing of the user: works in a worktree, never in place, and logs only to the run's own folder.
 * Contract: refuses what a run in place would refuse.
 */
export async function prepareDryRun(site: Site, config: RunConfig): Promise<DryRun> {
  if (config.repo.inPlace) await checkStart({ ...site, ...config.repo });
  await removeKilledDryRuns(site);
  const { WIGGUM_LOG_DIR: _, ...env } = site.env;
  const hadViews = existsSync(site.viewsRoot);
  return {
    remove: async (runId) => {
      await removeRun(site, runId);
      if (!hadViews) await removeEmpty(site.viewsRoot);
    },
    site: { ...site, env },
    config: {
      ...config,
      dryRun: true,
      // A different key: the next start of the same goal does not find this run.
      key: `${config.key}-dry-run`,
      repo: { ...config.repo, inPlace: false },
    },
  };
}

/** The goal of a run that plans, as one task with its checks; null if none can run before the plan. */
export function goalAsTask<Wanted extends { readonly config: RunConfig; readonly tasks: readonly Task[] }>(
  wanted: Wanted,
): Wanted | null {
  const { config } = wanted;
  const { planning, ...policy } = config.policy;
  const criteria = planning?.criteria.filter(({ check }) => isMachineCheck(check)) ?? [];
  if (criteria.length === 0) return null;
  const goal: Task = {
    id: goalTaskId,
    title: config.goal,
    description: config.goal,
    files: [],
    hints: [],
    dependsOn: [],
    domain: null,
    criteria,
    mayChange: config.mayChange,
  };
  return { ...wanted, config: { ...config, preset: 'builder-verifier', policy }, tasks: [goal] };
}

async function removeEmpty(folder: string): Promise<void> {
  for (const name of ['runs', 'control', '.']) await rmdir(join(folder, name)).catch(() => undefined);
}
