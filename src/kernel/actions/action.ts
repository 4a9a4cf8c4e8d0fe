// The action loop: one conversation, one action a turn. What an agent may report of a turn, and what is kept of it.

/** INIT, DEVELOP and DEBUG are turns of the agent. VALIDATE and COMPLETE are ours: they run checks and start no builder. */
export const actionNames = ['INIT', 'DEVELOP', 'DEBUG', 'VALIDATE', 'COMPLETE'] as const;

export type ActionName = (typeof actionNames)[number];

export const actionStatuses = ['success', 'failed', 'needs_input'] as const;

export type ActionStatus = (typeof actionStatuses)[number];

export const actionWishes = [
  ...actionNames,
  'MENU',
  'WAITING_INPUT',
  'COMPLETED',
  'PAUSED',
  'STOPPED',
  'NONE',
] as const;

/** What an agent wishes to happen next. It decides nothing: a wish that is not legal in the state of the loop is answered. */
export type ActionWish = (typeof actionWishes)[number];

/** Plain JSON from an agent: bounded in bytes and depth, without the names that this program uses itself. */
export interface ActionState {
  readonly [key: string]: unknown;
}

/** The last ACTION_RESULT of a turn, as it was read. */
export interface ActionReport {
  /** MENU only where the agent shows its own list of choices. */
  readonly action: ActionName | 'MENU';
  readonly status: ActionStatus;
  readonly message: string;
  /** Keys that replace those of the state kept so far; null removes a key. */
  readonly stateUpdates: ActionState;
  readonly filesUpdated: readonly string[];
  /** The agent's own words for a person who chooses; '' where it wrote none. */
  readonly menuOptions: string;
  readonly next: ActionWish;
}

/** Turns of the agent; the others are done by this program. */
export function isAgentAction(action: ActionName): boolean {
  return action === 'INIT' || action === 'DEVELOP' || action === 'DEBUG';
}

/** Settings of a run of the preset `actions`; the limit of iterations is the budget's limit of attempts. */
export interface ActionSettings {
  readonly mode: 'auto' | 'interactive';
  readonly turnTimeoutMs: number;
  /** Role text and instructions by action, in lower case: the package's own, or those of the repository. */
  readonly texts: { readonly [name: string]: string };
  /** `project-tech.json` and `project-guidelines.json` where the repository has them. */
  readonly project: readonly { readonly path: string; readonly text: string }[];
}

/** How a session of a turn begins: with its action, with what was wrong with the last answer, or with a request to wrap up. */
export type TurnWay = 'asked' | 'again' | 'converge';

export interface Turn {
  readonly action: ActionName;
  readonly way: TurnWay;
}
