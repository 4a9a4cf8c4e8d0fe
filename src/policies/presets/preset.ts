// What a preset is: roles with prompts, limits, tasks from a goal, and a pure policy.
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
  /** Where criteria are taken one by one: the settings of that loop. Then they are also read from the goal's own text. */
  readonly loops?: LoopSettings;
  /** Its tasks come from an architect; what must hold of the whole comes from `tasks`. */
  readonly planning?: Omit<PlanningSettings, 'criteria' | 'everyTask' | 'constraints'>;
  /** A file of tasks instead of a goal; it is looked for where none is named. */
  readonly takes?: 'task-file';
  /** One conversation, action by action: it has settings of its own. */
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
  /** Those with words of their own, in the order in which they were given. */
  readonly criteria?: readonly Criterion[];
  /** As a task file names it. */
  readonly task?: Pick<Task, 'id' | 'title'> &
    Partial<Pick<Task, 'files' | 'dependsOn' | 'domain' | 'securityCritical' | 'rank'>>;
  readonly mayChange: readonly string[];
}
