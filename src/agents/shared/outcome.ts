import type { AgentResult } from '#ports/agent.ts';

/** How the conversation ended, without the fields that every result carries. */
export type Outcome = AgentResult extends infer Result
  ? Result extends AgentResult
    ? Omit<Result, 'usage' | 'model'>
    : never
  : never;

/** Null for a turn that ended well: then the next message is sent, or the session is over. */
export function outcomeOfStop(reason: unknown): Outcome | null {
  switch (reason) {
    case 'end_turn':
      return null;
    case 'max_tokens':
      return failed('context-overflow', 'the agent reached its limit of tokens');
    case 'refusal':
      return failed('refusal', 'the agent refused to continue');
    case 'max_turn_requests':
      return failed('other', 'the agent reached its own limit of requests in one turn');
    case 'cancelled':
      return failed('other', 'the agent cancelled the turn by itself');
    default:
      return failed('other', `the agent stopped for a reason that is not known: ${JSON.stringify(reason)}`);
  }
}

function failed(errorClass: Extract<Outcome, { kind: 'failed' }>['errorClass'], detail: string): Outcome {
  return { kind: 'failed', errorClass, detail };
}
