// Starts a client program in the session's folder, with its mark, and ends it with the session.
import type { AgentSession, SessionRequest } from '#ports/agent.ts';
import type { ProcessSpec, RunningProcess } from '#ports/processes.ts';
import type { EventQueue } from './event-queue.ts';

/** The host enforces the wall limit; ours is only a backup. */
const wallMarginMs = 60_000;

export function startClient(
  { processes, cwd, mark, wallMs, graceMs }: SessionRequest,
  client: Pick<ProcessSpec, 'command' | 'env' | 'input' | 'onOutput'> & Partial<Pick<ProcessSpec, 'cwd'>>,
): RunningProcess {
  const limits = { wallMs: wallMs + graceMs + wallMarginMs, idleMs: null, graceMs };
  return processes.start({ cwd, mark, ...limits, ...client });
}

/** Ends the client; from then on nothing waits for a reader of its events. */
export function closeClient(
  client: Pick<RunningProcess, 'kill' | 'ended'>,
  queue: EventQueue,
): AgentSession['close'] {
  return async (reason) => {
    client.kill(reason);
    queue.letGo();
    await client.ended;
    queue.dismiss();
  };
}
