// The agent's process and our side of the protocol: its updates become events, its requests get answers.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRequest } from '#ports/agent.ts';
import type { RunningProcess } from '#ports/processes.ts';
import * as clients from '#agents/clients.ts';
import type { ClientFacts } from '#agents/shared/client-facts.ts';
import { startClient } from '#agents/shared/client-process.ts';
import { createBoundedLines } from '#agents/shared/bounded-lines.ts';
import type { AcpOptions } from './acp-options.ts';
import { answerRequests } from './answer-requests.ts';
import { createPeer, type Peer } from '#agents/shared/json-rpc.ts';
import { createAcpUpdates, type AcpUpdates } from './acp-updates.ts';

export interface Client {
  readonly process: RunningProcess;
  readonly peer: Peer;
  readonly telling: AcpUpdates;
  /** Contract: resolves when the agent has been silent for a moment, or after a limit if it never is. */
  readonly quiet: () => Promise<void>;
}

const quietMs = 400;
const quietMsMax = 10_000;
const garbageMax = 1_000;

export function createClient(options: AcpOptions, request: SessionRequest): Client {
  const telling = createAcpUpdates({ knowledge: request.knowledge, model: request.model ?? options.model });
  const { translator, emit } = telling;
  const peer = createPeer({
    write: (text) => running.write(text),
    onRequest: answerRequests({ options, request, translator, emit }),
    onNotification: (method, params) => (method === 'session/update' ? telling.onUpdate(params) : undefined),
    onGarbage: (line) => telling.onAside(`not a message: ${line.text.slice(0, garbageMax)}\n`),
  });
  const lines = createBoundedLines((line) => peer.receive(line));
  const running = startClient(request, {
    command: options.command,
    env: { ...request.env, ...(request.readOnly && envOfReadOnly(options.command)), ...options.env },
    onOutput: (chunk, stream) =>
      stream === 'stdout' ? lines.add(chunk) : telling.onAside(chunk.toString('utf8')),
  });
  const quiet = async (): Promise<void> => {
    const until = performance.now() + quietMsMax;
    while (performance.now() < Math.min(until, telling.lastUpdateAt() + quietMs)) await sleep(quietMs / 4);
  };
  return { process: running, peer, telling, quiet };
}

/** Variables that a known client needs for a read-only session, found by its name in the command. */
function envOfReadOnly(command: AcpOptions['command']): { readonly [name: string]: string } {
  const words = typeof command === 'string' ? command.split(/\s+/) : command;
  const names = words.map((word) => word.replace(/^.*[/\\]/s, '').replace(/\.(?:exe|cmd)$/, ''));
  const named = Object.entries<ClientFacts>(clients).filter(([name]) => names.includes(name));
  return Object.fromEntries(named.flatMap(([, { readOnlyEnv }]) => Object.entries(readOnlyEnv)));
}
