// Derives a session's ending and usage from the agent's result and our own actions.
import { errorText } from '#base/error-text.ts';
import type { Usage } from '#kernel/model/budget.ts';
import { unknownUsage } from '#kernel/model/budget.ts';
import type { SessionEnding, SessionErrorClass } from '#kernel/model/ending.ts';
import type { AgentResult } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';

export interface Ended {
  readonly result: AgentResult | null;
  /** The ending of an interrupted turn, if its time was over. */
  readonly interruptedAs: SessionEnding | null;
}

export function endingOf({ result, interruptedAs }: Ended, isResumed: boolean): SessionEnding {
  if (result === null) return interruptedAs ?? { kind: 'crashed', detail: 'it left no result' };
  switch (result.kind) {
    case 'finished':
      return { kind: 'finished' };
    case 'interrupted':
      return interruptedAs ?? { kind: 'interrupted', resumeId: result.resumeId };
    case 'crashed':
      // A client that exits when its turn is interrupted has not crashed.
      return interruptedAs ?? { kind: 'crashed', detail: result.detail };
    case 'failed': {
      const { detail, resetAt } = result;
      const errorClass = classOf(result.errorClass, isResumed);
      return { kind: 'failed', errorClass, detail, ...(resetAt === undefined ? {} : { resetAt }) };
    }
  }
}

/** A loop replaces a lost conversation at once: if a new one could be lost too, it would never end. */
function classOf(errorClass: SessionErrorClass, isResumed: boolean): SessionErrorClass {
  return errorClass === 'conversation-gone' && !isResumed ? 'other' : errorClass;
}

export interface SessionFacts {
  readonly isStarted: boolean;
  readonly reportsUsage: boolean;
  /** From the result. */
  readonly last: Usage | null;
  /** From the events. */
  readonly newest: Usage | null;
}

/** Zero only if the session never began; unknown if the client reports no usage. */
export function usageOf({ isStarted, reportsUsage, last, newest }: SessionFacts): Usage {
  if (!isStarted) return { usd: 0, tokens: 0 };
  if (!reportsUsage) return unknownUsage;
  return { usd: last?.usd ?? newest?.usd ?? null, tokens: last?.tokens ?? newest?.tokens ?? null };
}

export function overLimit(usage: Usage, reserve: Usage): 'usd' | 'tokens' | null {
  if ((usage.usd ?? 0) > (reserve.usd ?? Infinity)) return 'usd';
  return (usage.tokens ?? 0) > (reserve.tokens ?? Infinity) ? 'tokens' : null;
}

export function sentenceOf(error: unknown): string {
  if (error instanceof OperatorError) return `${error.message} ${error.hint}`;
  return errorText(error);
}
