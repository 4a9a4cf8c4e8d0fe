// The action loop: one conversation, one action per turn. Defines an agent's report and the recorded result.

/** INIT, DEVELOP and DEBUG are turns of the agent. VALIDATE and COMPLETE are ours: they start no builder. */
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

/** The action that an agent asks for next. It decides nothing: a wish that is not legal now is answered. */
export type ActionWish = (typeof actionWishes)[number];

/** Plain JSON from an agent: bounded in bytes and depth, without the names that this program uses itself. */
export interface ActionState {
  readonly [key: string]: unknown;
}

/** The last ACTION_RESULT of a turn, parsed. */
export interface ActionReport {
  /** MENU only if the agent shows its own list of choices. */
  readonly action: ActionName | 'MENU';
  readonly status: ActionStatus;
  readonly message: string;
  /** Keys that replace those of the recorded state; null removes a key. */
  readonly stateUpdates: ActionState;
  readonly filesUpdated: readonly string[];
  /** The agent's own text for a person who chooses; '' if it wrote none. */
  readonly menuOptions: string;
  readonly next: ActionWish;
}

/** Turns of the agent; this program does the others. */
export function isAgentAction(action: ActionName): boolean {
  return action === 'INIT' || action === 'DEVELOP' || action === 'DEBUG';
}

/** Settings of the preset `actions`; the budget's limit of attempts is the limit of iterations. */
export interface ActionSettings {
  readonly mode: 'auto' | 'interactive';
  readonly turnTimeoutMs: number;
  /** Role text and instructions by action, in lower case: the package's own, or those of the repository. */
  readonly texts: { readonly [name: string]: string };
  /** `project-tech.json` and `project-guidelines.json`, if the repository has them. */
  readonly project: readonly { readonly path: string; readonly text: string }[];
}

/** How a session of a turn begins: its action, the problems of the last answer, or a request to wrap up. */
export type TurnWay = 'asked' | 'again' | 'converge';

export interface Turn {
  readonly action: ActionName;
  readonly way: TurnWay;
}
