// What planning asks of the world: how the repository looks, and whether a plan fits it.
import type { SettledPlan, Survey } from '#kernel/planning/plan.ts';

export interface Planner {
  /**
   * The repository as an architect sees it: signatures ranked for the goal and cut to `tokens`, and what git remembers.
   * Contract: of the committed `tree`, whatever stands in any checkout; no bodies.
   */
  survey(order: SurveyOrder): Promise<Survey>;
  /**
   * Reads a plan and finds checks for its criteria.
   * Contract: what is wrong with the plan is data, in sentences that whoever wrote it can act on; with problems there are no tasks.
   */
  settle(order: SettleOrder): Promise<SettledPlan>;
}

export interface SurveyOrder {
  readonly goal: string;
  readonly tokens: number;
  readonly tree: string;
}

export interface SettleOrder {
  readonly text: string;
  readonly tree: string;
  /** Tasks that are done and stay, and those that a plan may still change; by id. */
  readonly done: readonly string[];
  readonly open: readonly string[];
}
