// For tests: a session of the driver with a scripted endpoint, in a temporary workspace.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import type { AgentSession, SessionRequest } from '#ports/agent.ts';
import { openEndpoint } from './fake-endpoint.ts';
import type { Answer, Asked } from './fake-endpoint.ts';
import { createOpenaiAgent } from '#agents/openai/openai-agent.ts';
import { listenTo, plainEnv, sessionRequest } from './session-request.ts';

export interface Stage {
  readonly root: string;
  readonly cwd: string;
  /** Starts a session with an endpoint that answers so. */
  start(
    answer: Answer,
    more?: Partial<SessionRequest>,
    options?: { readonly [key: string]: unknown },
  ): Promise<Playing>;
  /** The same, and waits for its end. */
  play(
    answer: Answer,
    more?: Partial<SessionRequest>,
    options?: { readonly [key: string]: unknown },
  ): Promise<Played>;
  dispose(): Promise<void>;
}

interface Playing {
  readonly session: AgentSession;
  readonly asked: Asked[];
  readonly baseUrl: string;
}

type Played = Awaited<ReturnType<typeof hear>> & { readonly asked: Asked[]; readonly baseUrl: string };

export async function openStage(): Promise<Stage> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'untildone-openai-')));
  const cwd = await mkdtemp(join(root, 'work-'));
  const processes = createProcesses({ confine: 'marker' });
  const runId = `openai-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const closing: (() => Promise<void>)[] = [];
  let count = 0;
  const start: Stage['start'] = async (answer, more = {}, options = {}) => {
    count += 1;
    const { baseUrl, asked, close } = await openEndpoint(answer);
    closing.push(close);
    const agent = createOpenaiAgent({ baseUrl, model: 'm', ...options }, [5, 5]);
    const session = await agent.start(
      sessionRequest({
        cwd,
        env: { PATH: plainEnv.PATH, HOME: root },
        graceMs: 200,
        tokensMax: 1_000_000,
        knowledge: { prices: {}, usageLimitWordings: ['usage limit reached'] },
        mark: `${runId}/${count}`,
        processes,
        ...more,
      }),
    );
    closing.push(() => session.close('the test is over'));
    return { session, asked, baseUrl };
  };
  return {
    root,
    cwd,
    start,
    play: async (...given) => {
      const { session, asked, baseUrl } = await start(...given);
      return { ...(await hear(session)), asked, baseUrl };
    },
    dispose: async () => {
      await Promise.all(closing.map((close) => close()));
      await processes.sweep(runId);
      await rm(root, { recursive: true, force: true });
    },
  };
}

export async function hear(session: AgentSession) {
  const { events, text, result } = await listenTo(session);
  return {
    events,
    result,
    text,
    notices: events.flatMap((event) => (event.type === 'notice' ? [event.text] : [])),
    results: events.flatMap((event) => (event.type === 'tool-result' ? [event] : [])),
  };
}

export async function until(isTrue: () => boolean): Promise<void> {
  for (let count = 0; !isTrue(); count += 1) {
    if (count > 30_000) throw new Error('waited in vain');
    await sleep(10);
  }
}
