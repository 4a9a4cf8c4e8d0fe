// Presets: data plus a pure policy. The seeds are presets of one engine, never engines of their own.
import type { Criterion } from '#kernel/criterion.ts';
import type { PlanningSettings } from '#kernel/config.ts';
import type { LoopSettings } from '#kernel/loop.ts';
import type { Policy } from '#kernel/policy.ts';
import type { SignalWords } from '#kernel/signal.ts';
import type { Task } from '#kernel/task.ts';
import { actions } from './actions.ts';
import { builderVerifier } from './builder-verifier.ts';
import { campaign } from './campaign.ts';
import { criteria } from './criteria.ts';
import { queue } from './queue.ts';

export interface Preset {
  readonly name: string;
  readonly roles: { readonly [role: string]: PresetRole };
  readonly limits: { readonly attemptsMax: number; readonly cooldownMs: number };
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

export const presets: { readonly [name: string]: Preset } = {
  'builder-verifier': builderVerifier,
  criteria,
  campaign,
  queue,
  actions,
};
