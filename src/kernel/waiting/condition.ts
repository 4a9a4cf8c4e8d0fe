// The condition of a suspension: plain data with absolute times, because it is judged again after a reboot.

export type Condition =
  | { readonly kind: 'time'; readonly at: number }
  | PollCondition
  | FileCondition
  /** Only a person ends it. */
  | { readonly kind: 'manual' }
  | { readonly kind: 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'all'; readonly of: readonly Condition[] };

/** Holds when the command exits 0. Expires after `until`, but never without one run after that time. */
export interface PollCondition {
  readonly kind: 'poll';
  readonly command: string;
  readonly everyMs: number;
  readonly until: number;
  /** Wall limit of one run of the command. */
  readonly timeoutMs: number;
}

export interface FileCondition {
  readonly kind: 'file';
  /** Absolute: resolved when the suspension was made. */
  readonly path: string;
  /** Text that the file must contain; absent: it must exist. */
  readonly contains?: string;
  /** The path is in the run's own checkout, so an agent can make the file. */
  readonly isByAgent?: true;
}

export type SimpleCondition = Exclude<Condition, { readonly kind: 'any' | 'all' }>;

/** `never`: it can no longer be met. */
export type ConditionState = 'met' | 'pending' | 'never';

export function stateOfCondition(
  condition: Condition,
  stateOf: (simple: SimpleCondition) => ConditionState,
): ConditionState {
  if (condition.kind !== 'any' && condition.kind !== 'all') return stateOf(condition);
  const states = condition.of.map((one) => stateOfCondition(one, stateOf));
  const [settles, otherwise]: readonly ConditionState[] =
    condition.kind === 'any' ? ['met', 'never'] : ['never', 'met'];
  if (settles !== undefined && states.includes(settles)) return settles;
  return states.includes('pending') || otherwise === undefined ? 'pending' : otherwise;
}

export function simpleConditions(condition: Condition): SimpleCondition[] {
  if (condition.kind !== 'any' && condition.kind !== 'all') return [condition];
  return condition.of.flatMap(simpleConditions);
}

/** Whether a person's approval alone would meet it. */
export function isMetByApproval(condition: Condition): boolean {
  return stateOfCondition(condition, ({ kind }) => (kind === 'manual' ? 'met' : 'pending')) === 'met';
}

const partsMax = 20;
const depthMax = 4;
const textMax = 4000;
/** The last day on which the year of a date has four digits. */
const timeMax = Date.UTC(9999, 11, 31);

/** Why a value from outside is no usable condition; null for a good one. */
export function conditionProblem(value: unknown, depth = 0): string | null {
  if (typeof value !== 'object' || value === null || depth > depthMax) return 'the condition cannot be read';
  const condition = value as Partial<Record<string, unknown>>;
  switch (condition['kind']) {
    case 'manual':
      return null;
    case 'time':
      return isTime(condition['at']) ? null : 'the time of the condition cannot be read';
    case 'poll':
      return pollProblem(condition);
    case 'file':
      return isText(condition['path']) &&
        (condition['contains'] === undefined || isText(condition['contains']))
        ? null
        : 'the path of the condition cannot be read';
    case 'any':
    case 'all': {
      const { of } = condition;
      if (!Array.isArray(of) || of.length === 0 || of.length > partsMax)
        return `a combined condition has 1 to ${partsMax} parts`;
      return of.map((one) => conditionProblem(one, depth + 1)).find((problem) => problem !== null) ?? null;
    }
    default:
      return 'the kind of the condition is unknown';
  }
}

function pollProblem({
  command,
  everyMs,
  until,
  timeoutMs,
}: Partial<Record<string, unknown>>): string | null {
  if (!isText(command)) return 'the poll command cannot be read';
  const isBounded = isTime(everyMs) && everyMs >= 1 && isTime(timeoutMs) && timeoutMs >= 1 && isTime(until);
  return isBounded ? null : 'the interval or limit of the poll cannot be read';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= textMax;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= timeMax;
}

/** Judged by the wall clock and the world outside, never by the run's own time. */
export type AwaitedCondition =
  | {
      readonly kind: 'suspension';
      readonly suspensionId: string;
      readonly condition: Condition;
      readonly isApproved: boolean;
      readonly since: number;
    }
  | { readonly kind: 'reminder'; readonly suspensionId: string; readonly at: number }
  /** The end of a provider's usage limit. */
  | { readonly kind: 'limit'; readonly at: number };
