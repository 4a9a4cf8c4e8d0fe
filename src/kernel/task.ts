import type { Criterion } from './criterion.ts';

/** A node of the plan. */
export interface Task {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly files: readonly string[];
  readonly hints: readonly string[];
  readonly dependsOn: readonly string[];
  readonly domain: string | null;
  readonly criteria: readonly Criterion[];
  /** Globs of pinned files that a person allowed this task to change. */
  readonly mayChange: readonly string[];
}
