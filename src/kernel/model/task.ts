import type { Criterion } from './criterion.ts';
import type { AgentChoice } from './step.ts';

/** A node of the plan. */
export interface Task {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly files: readonly string[];
  /** Those of its files that it makes. Absent where nobody said so. */
  readonly creates?: readonly string[];
  readonly hints: readonly string[];
  readonly dependsOn: readonly string[];
  readonly domain: string | null;
  readonly criteria: readonly Criterion[];
  /** Globs of pinned files that a person allowed this task to change. */
  readonly mayChange: readonly string[];
  /** Its failure stops the whole run at once; absent means that it does not. */
  readonly securityCritical?: boolean;
  /** How urgent it is: 0 comes first, 2 is usual. Absent means 2. */
  readonly rank?: number;
  /** Who works on it, by role, where that is not the run's own choice. Absent in tasks that came before this could be said. */
  readonly agents?: { readonly [role: string]: AgentChoice };
}

export type TaskStatus =
  | 'waiting'
  | 'ready'
  | 'active'
  | 'needs-input'
  | 'proven'
  | 'landed'
  | 'failed'
  | 'skipped'
  /** A later plan does without it. */
  | 'dropped';
