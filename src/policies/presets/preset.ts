// The type of a preset: roles with prompts, limits, tasks from a goal, and a pure policy.
import type { Criterion } from '#kernel/model/criterion.ts';
import type { LoopSettings, PlanningSettings } from '#kernel/model/config.ts';
import type { Policy } from '#kernel/decide/policy.ts';
import type { SignalWords } from '#kernel/model/signal.ts';
import type { Task } from '#kernel/model/task.ts';

export interface Preset {
  readonly name: string;
  readonly roles: { readonly [role: string]: PresetRole };
  /** Without `attemptsMax`, a task gets `durableSteps.defaultMaxAttempts`. */
  readonly limits: { readonly attemptsMax?: number; readonly cooldownMs: number };
  /** Settings of the loop over criteria. If present, criteria are also read from the goal's text. */
  readonly loops?: LoopSettings;
  /** An architect plans the tasks; `tasks` gives only the criteria of the whole. */
  readonly planning?: Omit<PlanningSettings, 'criteria' | 'everyTask' | 'constraints'>;
  /** Takes a task file instead of a goal, and searches for one if none is named. */
  readonly takes?: 'task-file';
  /** Works in one conversation, action by action, with its own settings. */
  readonly actions?: true;
  readonly policy: Policy;
  tasks(input: PresetInput): Task[];
}

export interface PresetRole {
  readonly prompt: string;
  readonly words: SignalWords;
  readonly readOnly: boolean;
}

export interface PresetInput {
  readonly goal: string;
  readonly checks: readonly Criterion[];
  /** Criteria with their own texts, in the given order. */
  readonly criteria?: readonly Criterion[];
  /** The fields of a task file. */
  readonly task?: Pick<Task, 'id' | 'title'> &
    Partial<Pick<Task, 'files' | 'dependsOn' | 'domain' | 'securityCritical' | 'rank'>>;
  readonly mayChange: readonly string[];
}
