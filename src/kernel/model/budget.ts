// Limits of money and time. A step reserves budget before it starts and settles it after; `spent` only grows.

export interface BudgetLimits {
  readonly sessions: number;
  readonly attemptsPerTask: number;
  readonly activeMs: number;
  readonly usd: number;
  readonly tokens: number;
  readonly sessionUsd: number;
  readonly sessionTokens: number;
}

export interface Reserve {
  readonly sessions: number;
  readonly usd: number;
  readonly tokens: number;
}

/** The usage that a client reported for a session; null for a value that it did not report. */
export interface Usage {
  readonly usd: number | null;
  readonly tokens: number | null;
}

export const noReserve: Reserve = { sessions: 0, usd: 0, tokens: 0 };
export const unknownUsage: Usage = { usd: null, tokens: null };

export interface Ledger {
  spent: { sessions: number; usd: number; tokens: number };
  reserved: { sessions: number; usd: number; tokens: number };
  /** The part of `spent` that no client reported: whole reserves of lost sessions. */
  lost: { sessions: number; usd: number; tokens: number };
  /** False once a session ended without a reported cost: `spent.usd` is then a lower bound. */
  usdIsComplete: boolean;
}

export function emptyLedger(): Ledger {
  return {
    spent: { sessions: 0, usd: 0, tokens: 0 },
    reserved: { sessions: 0, usd: 0, tokens: 0 },
    lost: { sessions: 0, usd: 0, tokens: 0 },
    usdIsComplete: true,
  };
}

/** What one more session may use, or the name of the limit that forbids it. */
export function reserveSession(
  ledger: Ledger,
  limits: BudgetLimits,
): Reserve | { readonly spentOut: string } {
  const left = {
    sessions: limits.sessions - ledger.spent.sessions - ledger.reserved.sessions,
    usd: limits.usd - ledger.spent.usd - ledger.reserved.usd,
    tokens: limits.tokens - ledger.spent.tokens - ledger.reserved.tokens,
  };
  if (left.sessions < 1) return { spentOut: `${limits.sessions} session${limits.sessions === 1 ? '' : 's'}` };
  if (left.usd <= 0) return { spentOut: `${limits.usd} USD` };
  if (left.tokens <= 0) return { spentOut: `${limits.tokens} tokens` };
  return {
    sessions: 1,
    usd: Math.min(limits.sessionUsd, left.usd),
    tokens: Math.min(limits.sessionTokens, left.tokens),
  };
}

export function takeReserve(ledger: Ledger, reserve: Reserve): void {
  ledger.reserved.sessions += reserve.sessions;
  ledger.reserved.usd += reserve.usd;
  ledger.reserved.tokens += reserve.tokens;
}

/** For an operation that never began: its whole reserve is free again. */
export function releaseReserve(ledger: Ledger, reserve: Reserve): void {
  ledger.reserved.sessions -= reserve.sessions;
  ledger.reserved.usd -= reserve.usd;
  ledger.reserved.tokens -= reserve.tokens;
}

/** A lost operation (`usage` null) costs its whole reserve, because a crash must never be free. */
export function settleReserve(ledger: Ledger, reserve: Reserve, usage: Usage | null): void {
  releaseReserve(ledger, reserve);
  ledger.spent.sessions += reserve.sessions;
  if (usage === null) {
    for (const sum of [ledger.spent, ledger.lost]) {
      sum.usd += reserve.usd;
      sum.tokens += reserve.tokens;
    }
    ledger.lost.sessions += reserve.sessions;
    return;
  }
  ledger.spent.usd += usage.usd ?? 0;
  ledger.spent.tokens += usage.tokens ?? 0;
  if (reserve.sessions > 0 && usage.usd === null) ledger.usdIsComplete = false;
}

/** The spending that counts against the budget; null if no session reported its cost; 0 without sessions. */
export function knownUsd({ spent, lost, usdIsComplete }: Omit<Ledger, 'reserved'>): number | null {
  const isComplete = usdIsComplete && lost.sessions === 0;
  return isComplete || spent.usd > lost.usd ? spent.usd : null;
}

/** A limit can only be raised. */
export function raised(limits: BudgetLimits, more: Partial<BudgetLimits>): BudgetLimits {
  const result: { -readonly [key in keyof BudgetLimits]: number } = { ...limits };
  for (const key of Object.keys(limits) as (keyof BudgetLimits)[]) {
    result[key] = Math.max(limits[key], more[key] ?? 0);
  }
  return result;
}

export interface SessionLimits {
  readonly wallMs: number;
  /** Silence that ends a session; not counted while a tool call is open. */
  readonly idleMs: number;
  /** Time for a session to wrap up before its process tree is killed. */
  readonly graceMs: number;
  /**
   * For a conversation that later sessions continue: the request sent to the agent at `wallMs` instead of the
   * usual one, and the notice for the user. After half of the grace a running turn is interrupted, so that
   * the conversation can be resumed; the session then ends as `timed-out`.
   */
  readonly wrapUp?: {
    readonly text: string;
    readonly notice: string;
    /** The setting that the limit comes from, if it is not `session.timeout`. */
    readonly setting?: string;
  };
}
