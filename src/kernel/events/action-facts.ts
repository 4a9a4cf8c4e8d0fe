// The events of the action loop.
import type { ActionName, ActionState, ActionStatus, ActionWish } from '#kernel/actions/action.ts';

export type ActionFact =
  /** One action of the loop is done: a turn of the agent, or our checks. `state` is the loop's new state. */
  | {
      readonly type: 'action-taken';
      readonly taskId: string;
      readonly stepId: string;
      readonly iteration: number;
      readonly action: ActionName;
      readonly status: ActionStatus;
      readonly message: string;
      readonly next: ActionWish;
      readonly state: ActionState;
      /** The files as the action left or checked them. */
      readonly tree: string | null;
      readonly filesUpdated?: readonly string[];
      readonly menuOptions?: string;
      readonly problems?: readonly string[];
    }
  /** The agent's answer is unusable; it is asked once more, with the problems. */
  | {
      readonly type: 'action-unreadable';
      readonly taskId: string;
      readonly stepId: string;
      readonly problems: readonly string[];
    }
  | {
      readonly type: 'action-chosen';
      readonly taskId: string;
      readonly turn: number;
      readonly action: ActionName;
      readonly text?: string;
      readonly data?: unknown;
      readonly by: string;
    };
