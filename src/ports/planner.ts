// The questions of planning about the repository: its outline, and whether a plan fits it.
import type { SettledPlan, Survey } from '#kernel/planning/plan.ts';

export interface Planner {
  /**
   * The outline for an architect: signatures ranked for the goal and cut to `tokens`, and the history in git.
   * Contract: read from the committed `tree`, not from any checkout; no bodies.
   */
  survey(order: SurveyOrder): Promise<Survey>;
  /**
   * Reads a plan and finds checks for its criteria. Contract: problems of the plan are data, in sentences
   * that its author can act on; with problems there are no tasks.
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
  /** Ids of tasks that are done and stay (`done`), and of those that a plan may still change (`open`). */
  readonly done: readonly string[];
  readonly open: readonly string[];
}
