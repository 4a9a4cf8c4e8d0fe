// How the repository looks to an architect, and whether a plan fits it.
import { join } from 'node:path';
import { readTree } from '#adapters/gates/read-tree.ts';
import { createGit } from '#adapters/workspaces/git/git.ts';
import { defaultCheckTimeoutMs } from '#config/defaults.ts';
import type { WrittenCriterion } from '#config/written-criteria.ts';
import { toCriteria } from '#config/written-criteria.ts';
import { isMachineCheck } from '#kernel/check.ts';
import type { RunConfig } from '#kernel/config.ts';
import type { Criterion } from '#kernel/criterion.ts';
import type { SettledPlan } from '#kernel/plan.ts';
import type { Task } from '#kernel/task.ts';
import type { PlanLimits } from '#policies/planning/check-plan.ts';
import { architectLimits, problemsOfPlan } from '#policies/planning/check-plan.ts';
import type { WrittenPlan, WrittenPlanCriterion, WrittenTask } from '#policies/planning/written-plan.ts';
import { readPlan } from '#policies/planning/written-plan.ts';
import { memoryShown } from '#policies/prompts/recalled.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { Planner, SettleOrder } from '#ports/planner.ts';
import type { Workspace } from '#ports/workspace.ts';
import { createInfer } from './infer-checks.ts';
import { mapRepository } from './map.ts';
import type { Site } from './site.ts';

/** Problems that are told at once: more would only be read in part. */
const problemsMax = 20;

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
        // As plans name files, and workers are shown them: from the folder where the run was started.
        base: site.prefix,
      });
      const commits = await workspace.recentCommits(10);
      const last = await lastChange(site, tree, config.repo.branch);
      return { map: markdown, memory: memoryShown(commits, last, 'commit') };
    },
    settle: (order) => settlePlan(site, config, order, { by: 'architect', limits: architectLimits }),
  };
}

async function lastChange(
  site: Site,
  tree: string,
  branch: string,
): Promise<{ stat: string; patch: string }> {
  const { readTreeDiff } = await import('./site.ts');
  const git = createGit(site.commonDir, site.ownEnv);
  const parent = await git.ask(['rev-parse', '--verify', '--quiet', `${branch}~1^{tree}`], {
    gitDir: site.commonDir,
  });
  return parent.code === 0 ? readTreeDiff(site, parent.stdout.trim(), tree) : { stat: '', patch: '' };
}

export interface PlanAuthor {
  /** A person's plan may ask people and allow changes of pinned files; an agent's may not. */
  readonly by: 'architect' | 'person';
  readonly limits: PlanLimits;
}

export async function settlePlan(
  site: Site,
  config: Pick<RunConfig, 'policy' | 'mayChange'>,
  order: SettleOrder,
  author: PlanAuthor,
): Promise<SettledPlan> {
  const refused = (problems: readonly string[]): SettledPlan => ({
    problems: bounded(problems),
    tasks: [],
    dropped: [],
    notes: [],
  });
  const { plan, problems } = readPlan(order.text);
  if (plan === null) return refused(problems);
  const files = await readTree(createGit(site.root, site.ownEnv), order.tree, site.prefix);
  const known = new Set(files.files);
  const wrong = problemsOfPlan(plan, {
    // A person knows what is to be made; an architect has to say so.
    hasFile: (path) => author.by === 'person' || known.has(path),
    done: order.done,
    open: order.open,
    limits: author.limits,
  });
  if (wrong.length > 0) return refused(wrong);
  // One after the other: what a sentence means is asked of git, and a plan may have a thousand of them.
  const made: Awaited<ReturnType<typeof toTask>>[] = [];
  for (const task of plan.tasks) made.push(await toTask({ site, config, order, author }, task));
  const faults = made.flatMap((one) => one.problems);
  if (faults.length > 0) return refused(faults);
  return { problems: [], tasks: made.flatMap(({ task }) => task ?? []), ...rest(plan) };
}

function rest({ summary, dropped }: WrittenPlan): Pick<SettledPlan, 'dropped' | 'notes'> {
  return {
    dropped: dropped.map(({ id, why }) => ({ taskId: id, why })),
    notes: summary === '' ? [] : [summary],
  };
}

interface Settling {
  readonly site: Site;
  readonly config: Pick<RunConfig, 'policy' | 'mayChange'>;
  readonly order: SettleOrder;
  readonly author: PlanAuthor;
}

async function toTask(
  { site, config, order: { tree }, author: { by } }: Settling,
  written: WrittenTask,
): Promise<{ readonly task: Task | null; readonly problems: readonly string[] }> {
  const { id, title, description, files, creates, hints, dependsOn, domain } = written;
  const everyTask = config.policy.planning?.everyTask ?? [];
  try {
    const criteria = await toCriteria(await writtenCriteria(written), {
      timeoutMs: defaultCheckTimeoutMs,
      taken: everyTask.map((one) => one.id),
      loops: { autoInferVerification: true, suggestBrowserTests: false },
      infer: createInfer({ ...site, head: { ...site.head, commit: tree } }, defaultCheckTimeoutMs),
    });
    const problems = by === 'architect' ? criteriaProblems(id, criteria) : [];
    const mayChange = by === 'person' ? [...config.mayChange, ...written.mayChange] : config.mayChange;
    const task: Task = {
      id,
      title,
      description,
      files: [...new Set([...files, ...creates])],
      hints,
      dependsOn,
      domain,
      criteria: [...criteria, ...everyTask],
      mayChange,
    };
    return { task, problems };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { task: null, problems: [`${id}: ${error.message}`] };
  }
}

async function writtenCriteria({
  id,
  entryCriteria,
  exitCriteria,
}: WrittenTask): Promise<WrittenCriterion[]> {
  const { planCheckSchema } = await import('#config/schema.ts');
  const read =
    (kind: 'entry' | 'exit') =>
    ({ text, check }: WrittenPlanCriterion): WrittenCriterion => {
      const parsed = planCheckSchema.safeParse(check);
      if (!parsed.success)
        throw new OperatorError(
          'bad-check',
          `the check of "${text}" cannot be read: ${parsed.error.issues[0]?.message ?? ''}`,
          'Write a command, or a table as in the configuration.',
        );
      return { text, kind, required: true, when: 'attempt', check: parsed.data, from: `task ${id}` };
    };
  return [...entryCriteria.map(read('entry')), ...exitCriteria.map(read('exit'))];
}

/** An agent's plan must be provable without a person, unless it asks for one in so many words. */
function criteriaProblems(id: string, criteria: readonly Criterion[]): string[] {
  const unclear = criteria.filter(({ origin }) => origin?.check === 'none');
  const problems = unclear.map(
    ({ text }) => `${id}: no check could be found for "${text}"; write one under "check"`,
  );
  const isCheckable = criteria.some(({ check, kind }) => kind === 'exit' && isMachineCheck(check));
  if (!isCheckable && problems.length === 0)
    problems.push(`${id}: none of its exit criteria can be checked by a machine; add one that can`);
  return problems;
}

function bounded(problems: readonly string[]): readonly string[] {
  if (problems.length <= problemsMax) return problems;
  return [...problems.slice(0, problemsMax), `and ${problems.length - problemsMax} more problems`];
}
