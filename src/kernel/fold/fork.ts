// Makes a fork: a new run that begins at an event of another one. It inherits the knowledge of the work, but
// no spending, controls, acceptances or conversations.
import { apply, replay } from './apply.ts';
import type { BudgetLimits } from '#kernel/model/budget.ts';
import { raised } from '#kernel/model/budget.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Run } from './run.ts';
import type { ForkOrigin } from '#kernel/events/after-end-facts.ts';
import { buildOf } from './work.ts';

/**
 * The numbers of the events after which a fork may begin: the run has not ended and no step runs. `ends` are
 * the last event numbers of each append; between them a conclusion would be cut in half.
 */
export function forkPoints(events: readonly Event[], ends: readonly number[]): number[] {
  const [first, ...later] = events;
  if (first === undefined) return [];
  const boundaries = new Set(ends);
  const run = replay([first]);
  const points = boundaries.has(1) ? [1] : [];
  for (const [index, event] of later.entries()) {
    apply(run, event);
    const isQuiet = run.outcome === null && run.running.size === 0;
    if (isQuiet && boundaries.has(index + 2)) points.push(index + 2);
  }
  return points;
}

/** The closest legal events around one that is not legal. */
export function nearestPoints(
  points: readonly number[],
  wanted: number,
): { readonly before: number | null; readonly after: number | null } {
  return {
    before: points.findLast((point) => point < wanted) ?? null,
    after: points.find((point) => point > wanted) ?? null,
  };
}

export interface ForkOrder {
  readonly from: ForkOrigin;
  readonly runId: string;
  readonly branch: string;
  readonly at: number;
  readonly by: string;
  /** Limits that the fork gets beyond those of the old run; they can only rise. */
  readonly budget: Partial<BudgetLimits>;
}

/** The fork's journal, append by append. Each event keeps its number, and the last one is `run-forked`. */
export function forkedEntries(
  events: readonly Event[],
  ends: readonly number[],
  order: ForkOrder,
): readonly (readonly Event[])[] {
  const { from, at, by } = order;
  const entries: Event[][] = [];
  for (const [index, end] of ends.filter((one) => one <= from.event).entries())
    entries.push(events.slice(ends[index - 1] ?? 0, end).map((event) => renamed(event, order)));
  return [...entries, [{ at, type: 'run-forked', from: from.runId, event: from.event, by }]];
}

/** Names of the old run stay, except for its id, its branch and its refs, which the fork copies. */
function renamed(event: Event, { from, runId, branch, at, budget }: ForkOrder): Event {
  const own = (name: string): string => name.replace(`untildone/${from.runId}`, `untildone/${runId}`);
  switch (event.type) {
    case 'run-created':
      return { ...event, at, runId, config: configOf(event.config, branch, budget), forkedFrom: from };
    case 'step-ended':
      return event.result.kind === 'prepare' ? { ...event, result: { ...event.result, branch } } : event;
    case 'ref-restored':
      return { ...event, ref: own(event.ref), keptAs: own(event.keptAs) };
    case 'workspace-restored':
      return { ...event, keptAs: own(event.keptAs) };
    default:
      return event;
  }
}

function configOf(config: RunConfig, branch: string, budget: Partial<BudgetLimits>): RunConfig {
  return { ...config, repo: { ...config.repo, branch }, budget: raised(config.budget, budget) };
}

/** Trees that the fork continues from. */
export function treesInUse({ tip, tasks }: Run): string[] {
  const trees = new Set<string>(tip === null ? [] : [tip.tree]);
  for (const task of tasks.values()) {
    const { status, workTree, inspection, base } = task;
    if (status.is === 'landed' || status.is === 'skipped' || status.is === 'dropped') continue;
    for (const tree of [workTree, buildOf(task)?.endTree, inspection.checked?.tree, base?.tree])
      if (tree !== null && tree !== undefined) trees.add(tree);
  }
  return [...trees];
}
