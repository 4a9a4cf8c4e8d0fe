// Surveys the repository for an architect, and checks whether a plan fits it.
import { join } from 'node:path';
import { readTree } from '#adapters/git/trees/read-tree.ts';
import { createGit } from '#adapters/git/repo/git.ts';
import { openTreeDiff } from '#adapters/git/trees/tree-diff.ts';
import { type PlanGround, type PlannedTask, planTask } from '#tasks/plan-task.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { SettledPlan } from '#kernel/planning/plan.ts';
import { architectLimits, type PlanLimits, problemsOfPlan } from '#policies/planning/check-plan.ts';
import { readPlan, type WrittenPlan } from '#policies/planning/written-plan.ts';
import { memoryShown } from '#policies/prompts/recalled.ts';
import type { Planner, SettleOrder } from '#ports/planner.ts';
import type { Workspace } from '#ports/workspace.ts';
import { createInfer } from '#app/run/infer-checks.ts';
import { mapRepository } from './map.ts';
import type { Site } from '#app/site.ts';

/** Problems or notes shown at once: a longer list would only be read in part. */
const linesMax = 20;

export function createPlanner(
  site: Site,
  config: Pick<RunConfig, 'repo' | 'policy' | 'mayChange'>,
  workspace: Pick<Workspace, 'root' | 'recentCommits'>,
): Planner {
  return {
    async survey({ goal, tokens, tree }) {
      const { markdown } = await mapRepository({
        root: workspace.root,
        env: site.ownEnv,
        goal,
        tokens,
        cacheFolder: join(site.stateHome, 'untildone', 'cache', site.repoId),
        // Relative to the folder where the run was started, as plans name files and builders see them.
        base: site.prefix,
      });
      const commits = await workspace.recentCommits(10);
      const last = await lastChange(site, tree, config.repo.branch);
      return { map: markdown, memory: memoryShown(commits, last, 'commit') };
    },
    async settle({ text, ...order }) {
      const { plan, problems } = readPlan(text);
      if (plan === null) return refused(problems);
      return settlePlan(site, config, { ...order, plan }, { by: 'architect', limits: architectLimits });
    },
  };
}

async function lastChange(
  site: Site,
  tree: string,
  branch: string,
): Promise<{ stat: string; patch: string }> {
  const git = createGit(site.commonDir, site.ownEnv);
  const diff = openTreeDiff(site.commonDir, site.ownEnv, site.prefix);
  const parent = await git.ask(['rev-parse', '--verify', '--quiet', `${branch}~1^{tree}`], {
    gitDir: site.commonDir,
  });
  return parent.code === 0 ? diff(parent.stdout.trim(), tree) : { stat: '', patch: '' };
}

export interface PlanAuthor extends Pick<PlanGround, 'by' | 'agentsOf'> {
  readonly limits: PlanLimits;
}

export async function settlePlan(
  site: Site,
  config: Pick<RunConfig, 'policy' | 'mayChange'>,
  order: Omit<SettleOrder, 'text'> & { readonly plan: WrittenPlan },
  author: PlanAuthor,
): Promise<SettledPlan> {
  const { plan, tree } = order;
  const files = await readTree(createGit(site.root, site.ownEnv), tree, site.prefix);
  const known = new Set(files.files);
  const wrong = problemsOfPlan(plan, {
    // A person may name files that do not exist yet; an architect must declare them.
    hasFile: (path) => author.by === 'person' || known.has(path),
    done: order.done,
    open: order.open,
    limits: author.limits,
  });
  if (plan.tasks.length > author.limits.tasks) return refused(wrong);
  const ground: PlanGround = {
    ...author,
    planning: config.policy.planning ?? { everyTask: [] },
    mayChange: config.mayChange,
    infer: (timeoutMs) => createInfer({ ...site, head: { ...site.head, commit: tree } }, timeoutMs),
  };
  // One by one: each criterion in words asks git, and a plan may have a thousand of them.
  const made: PlannedTask[] = [];
  for (const task of plan.tasks) made.push(await planTask(task, ground));
  // All problems at once: every answer of an architect costs money.
  const faults = [...wrong, ...made.flatMap((one) => one.problems)];
  if (faults.length > 0) return refused(faults);
  const notes = bounded(
    made.flatMap((one) => one.notes),
    'notes',
  );
  return { problems: [], tasks: made.flatMap(({ task }) => task ?? []), ...rest(plan, notes) };
}

function refused(problems: readonly string[]): SettledPlan {
  return { problems: bounded(problems, 'problems'), tasks: [], dropped: [], notes: [] };
}

function rest(
  { summary, dropped, tasks }: WrittenPlan,
  notes: readonly string[],
): Pick<SettledPlan, 'dropped' | 'reasons' | 'notes'> {
  return {
    reasons: tasks.flatMap(({ id, why }) => (why === '' ? [] : [{ taskId: id, why }])),
    dropped: dropped.map(({ id, why }) => ({ taskId: id, why })),
    notes: summary === '' ? notes : [summary, ...notes],
  };
}

function bounded(lines: readonly string[], what: string): readonly string[] {
  if (lines.length <= linesMax) return lines;
  return [...lines.slice(0, linesMax), `and ${lines.length - linesMax} more ${what}`];
}
