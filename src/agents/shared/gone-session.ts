// The session of a client that does not know the conversation to continue: nothing began, nothing was spent.
import type { AgentEvent, AgentSession } from '#ports/agent.ts';

export function goneSession(detail: string, model: string | null): AgentSession {
  return {
    events: nothing(),
    result: Promise.resolve({
      kind: 'failed',
      errorClass: 'conversation-gone',
      detail,
      usage: { usd: 0, tokens: 0 },
      model,
    }),
    close: async () => {},
  };
}

async function* nothing(): AsyncGenerator<AgentEvent> {}
