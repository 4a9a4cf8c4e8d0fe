// A session request for the tests of agents, and the events that it received.
import type { AgentEvent, AgentSession, SessionRequest } from '#ports/agent.ts';

type Own = Pick<SessionRequest, 'cwd' | 'mark' | 'processes'> & Partial<SessionRequest>;

export function sessionRequest(own: Own): SessionRequest {
  return {
    role: 'builder',
    model: null,
    prompt: 'do it',
    readOnly: false,
    resume: null,
    wallMs: 600_000,
    graceMs: 300,
    knowledge: { prices: {}, usageLimitWordings: [] },
    usdMax: 1,
    tokensMax: 1,
    env: plainEnv,
    ...own,
  };
}

export const plainEnv = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
};

/** To the end of the session; `act` is called once the agent has said something. */
export async function listenTo(session: AgentSession, act?: (session: AgentSession) => Promise<void>) {
  const events: AgentEvent[] = [];
  let acted: Promise<void> | undefined;
  for await (const event of session.events) {
    events.push(event);
    if (event.type === 'text') acted ??= act?.(session);
  }
  await acted;
  return { events, ...said(events), result: await session.result };
}

export function said(events: readonly AgentEvent[]) {
  const of = (type: 'text' | 'notice'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  return { text: of('text'), notices: of('notice') };
}
