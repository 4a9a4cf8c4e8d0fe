// The facts of the action loop.
import type { ActionName, ActionState, ActionStatus, ActionWish } from '#kernel/actions/action.ts';

export type ActionFact =
  /** One action of the loop is done: a turn of the agent, or checks of ours. `state` is what the loop keeps from here on. */
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
      /** The files as the action left or saw them. */
      readonly tree: string | null;
      readonly filesUpdated?: readonly string[];
      readonly menuOptions?: string;
      readonly problems?: readonly string[];
    }
  /** The agent's answer cannot be used; the agent is asked once more with the problems. */
  | {
      readonly type: 'action-unreadable';
      readonly taskId: string;
      readonly stepId: string;
      readonly problems: readonly string[];
    }
  /** A person chose the next action. */
  | {
      readonly type: 'action-chosen';
      readonly taskId: string;
      readonly turn: number;
      readonly action: ActionName;
      readonly text?: string;
      readonly data?: unknown;
      readonly by: string;
    };
