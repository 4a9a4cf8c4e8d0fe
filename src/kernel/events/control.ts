// The controls that a person can send to a run. They are recorded as events; `decide` settles them.
import type { BudgetLimits } from '#kernel/model/budget.ts';
import type { DroppedTask, TaskReason } from '#kernel/planning/plan.ts';
import type { Task } from '#kernel/model/task.ts';
import type { Condition } from '#kernel/waiting/condition.ts';
import type { ActionName } from '#kernel/actions/action.ts';
import type { CriteriaChange } from '#kernel/model/criterion.ts';

export type Control =
  /** `now`: ends a session that cannot be interrupted instead of waiting for it. */
  | { readonly kind: 'pause'; readonly why: string; readonly now?: true }
  /** Parks the run, or one task, until the condition holds. All times are absolute. */
  | {
      readonly kind: 'suspend';
      readonly taskId?: string;
      readonly condition: Condition;
      readonly why: string;
      readonly since: number;
      readonly remindAt?: number;
      /** Ends the running sessions instead of interrupting them. */
      readonly now?: true;
    }
  | {
      readonly kind: 'resume';
      readonly budget?: Partial<BudgetLimits>;
      /** The command that installs dependencies from now on; false installs nothing. */
      readonly setup?: string | false;
      /** In the action loop: who chooses the next action from now on. */
      readonly mode?: 'auto' | 'interactive';
      /** Lets agents work as root from now on. */
      readonly allowRoot?: true;
      /** Ends a suspension whatever its condition says. */
      readonly force?: true;
      /** A person's answer to a suspension; the next builder gets the reason of a rejection. */
      readonly approve?: true;
      readonly reject?: string;
      /** The task whose suspension is meant; absent: the run's, else the only one. */
      readonly taskId?: string;
    }
  | { readonly kind: 'stop'; readonly now: boolean; readonly why: string }
  | { readonly kind: 'tell'; readonly text: string }
  | { readonly kind: 'skip'; readonly taskId: string; readonly why: string }
  | { readonly kind: 'retry'; readonly taskId: string }
  | { readonly kind: 'answer'; readonly questionId: string; readonly text: string }
  /** The next action of the loop; `turn` is the choice that the person saw. */
  | {
      readonly kind: 'choose';
      readonly taskId: string;
      readonly turn: number;
      readonly action: ActionName;
      readonly text?: string;
      readonly data?: unknown;
    }
  | { readonly kind: 'approve'; readonly taskId: string; readonly criterionId: string; readonly tree: string }
  | {
      readonly kind: 'reject';
      readonly taskId: string;
      readonly criterionId: string;
      readonly tree: string;
      readonly why: string;
    }
  /** For an unverified run: accepts the work, if its acceptance passes again. */
  | { readonly kind: 'approve-run'; readonly tree: string }
  /** From now on, a reviewer's pass alone completes this run. */
  | { readonly kind: 'accept-review' }
  /** Accepts a change of a pinned file, for this content only. */
  | { readonly kind: 'accept'; readonly path: string; readonly content: string; readonly why: string }
  | { readonly kind: 'add-task'; readonly task: Task }
  | {
      readonly kind: 'change-criteria';
      readonly taskId: string;
      readonly change: CriteriaChange;
      readonly why: string;
    }
  /** This one and the next four may come from inside a run: they decide nothing. */
  | {
      readonly kind: 'propose-criterion';
      readonly taskId: string;
      readonly change: CriteriaChange;
      readonly why: string;
    }
  /** An agent asks to suspend its task until a time, or for a person; within limits. */
  | {
      readonly kind: 'ask-suspension';
      readonly taskId: string;
      readonly condition: Condition;
      readonly why: string;
      readonly since: number;
    }
  /** Asks for a preview: run the checks now, beside the session. */
  | { readonly kind: 'look'; readonly taskId: string }
  | { readonly kind: 'ask'; readonly taskId: string; readonly question: string }
  | { readonly kind: 'report'; readonly taskId: string; readonly text: string }
  | { readonly kind: 'accept-criterion'; readonly proposalId: string; readonly why: string }
  | { readonly kind: 'reject-criterion'; readonly proposalId: string; readonly why: string }
  | { readonly kind: 'approve-plan'; readonly version: number }
  | { readonly kind: 'reject-plan'; readonly version: number; readonly why: string }
  /** A person's own plan for everything that is not done yet. */
  | {
      readonly kind: 'change-plan';
      readonly tasks: readonly Task[];
      readonly dropped: readonly DroppedTask[];
      readonly reasons?: readonly TaskReason[];
      readonly why: string;
    }
  /** The architect is asked for a new plan. */
  | { readonly kind: 'replan'; readonly why: string };

export interface ControlRequest {
  readonly id: string;
  /** Who asked, as far as the surface knows: user name and terminal. */
  readonly by: string;
  readonly control: Control;
}

/** A person-only control; its receiver verifies where it comes from. All others are harmless from anyone. */
export function isDecision({ kind }: Control): boolean {
  switch (kind) {
    case 'pause':
    case 'stop':
    case 'tell':
    case 'propose-criterion':
    case 'ask-suspension':
    case 'look':
    case 'ask':
    case 'report':
      return false;
    // A poll command is code.
    case 'suspend':
    case 'resume':
    case 'skip':
    case 'retry':
    case 'answer':
    case 'choose':
    case 'approve':
    case 'approve-run':
    case 'accept-review':
    case 'reject':
    case 'accept':
    case 'add-task':
    case 'change-criteria':
    case 'accept-criterion':
    case 'reject-criterion':
    case 'approve-plan':
    case 'reject-plan':
    case 'change-plan':
    case 'replan':
      return true;
  }
}

/** Prefix of the id of a person-only control whose origin could not be proven. */
export const unprovenPrefix = 'unproven-';
