// A task of the plan, and the states that it can be in.
import type { Criterion } from './criterion.ts';
import type { AgentChoice } from './step.ts';

export interface Task {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly files: readonly string[];
  /** Those of its files that it creates; absent if unknown. */
  readonly creates?: readonly string[];
  readonly hints: readonly string[];
  readonly dependsOn: readonly string[];
  readonly domain: string | null;
  readonly criteria: readonly Criterion[];
  /** Globs of pinned files that a person allowed this task to change. */
  readonly mayChange: readonly string[];
  /** Its failure stops the whole run at once; absent means that it does not. */
  readonly securityCritical?: boolean;
  /** Urgency: 0 comes first, absent means 2. */
  readonly rank?: number;
  /** The agent of each role, if it is not the run's own choice. Absent in older tasks. */
  readonly agents?: { readonly [role: string]: AgentChoice };
}

/** The state of a task, with the data that only this state has. */
export type TaskStatus =
  /** `unmet`: how many of its dependencies have not landed. */
  | { readonly is: 'waiting'; readonly unmet: number }
  | { readonly is: 'ready' | 'active' | 'proven' | 'landed' }
  | { readonly is: 'needs-input'; readonly question: Question }
  /** `as`: the outcome that this failure gives the run. */
  | { readonly is: 'failed'; readonly as: 'failed' | 'exhausted' | 'blocked'; readonly reason: string }
  /** `dropped`: a later plan omits it. */
  | { readonly is: 'skipped' | 'dropped'; readonly reason: string };

export type StatusName = TaskStatus['is'];

export interface Question {
  readonly id: string;
  readonly text: string;
}

interface WithStatus {
  readonly status: TaskStatus;
}

/** The question that waits for a person's answer. */
export function questionOf({ status }: WithStatus): Question | null {
  return status.is === 'needs-input' ? status.question : null;
}

/** Why a task failed, or was skipped or dropped; null for any other. */
export function endReasonOf({ status }: WithStatus): string | null {
  return 'reason' in status ? status.reason : null;
}
