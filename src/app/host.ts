// Builds a session host from its order. Separate from world.ts: a host loads only the driver it needs.
import { dirname } from 'node:path';
import { sessionLogCap } from '#adapters/logs/log-cap.ts';
import { createLogFile } from '#adapters/sessions/log-file.ts';
import { reserveReceipt, saveReceipt } from '#adapters/sessions/receipt-file.ts';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { rememberTried } from '#adapters/processes/tried-programs.ts';
import type { SnapshotRecord, Snapshots } from '#adapters/git/trees/snapshot.ts';
import * as drivers from '#agents/drivers.ts';
import type { DriverFacts } from '#agents/shared/driver-facts.ts';
import { createRedactor } from '#config/redact.ts';
import type { Agent, AgentSpec } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { HostFrame, HostOrder } from '#ports/session-host.ts';
import { markOf } from '#runtime/session-host/host-world.ts';
import { type HostedSession, hostSession } from '#runtime/session-host/host-session.ts';
import { openHostSandbox } from '#app/sandbox/host-sandbox.ts';

export interface HostSurroundings {
  /** Contract: never throws and never waits. */
  send(frame: HostFrame): void;
  /** How this program plays a script instead. */
  readonly player: readonly [string, ...string[]];
  readonly env: { readonly [name: string]: string | undefined };
}

export function composeHost(order: HostOrder, surroundings: HostSurroundings): HostedSession {
  let opened: Promise<Snapshots> | undefined;
  const snapshots = (): Promise<Snapshots> => (opened ??= open());
  const open = async (): Promise<Snapshots> => {
    const { openSnapshot } = await import('#adapters/git/trees/snapshot.ts');
    const mark = `${markOf(order)}/git`;
    return openSnapshot(order.worktree as SnapshotRecord, surroundings.env, { mark, onNote });
  };
  const log = createLogFile(order.logFile, sessionLogCap(dirname(order.logFile)));
  const onNote = (text: string): void => {
    const event = { type: 'notice', text } as const;
    surroundings.send({ type: 'chatter', event });
    log.write({ at: Date.now(), ...event });
  };
  reserveReceipt(order.receiptFile);
  rememberTried(order.tried ?? {});
  return hostSession(order, {
    processes: createProcesses({
      confine: order.confine,
      sandbox: openHostSandbox(order, { hostEntry: surroundings.player[1] ?? '', env: surroundings.env }),
    }),
    createAgent: () => createAgent(order.agent, surroundings.player),
    redactor: createRedactor({ ...surroundings.env, ...order.env }),
    log,
    snapshot: async () => (await snapshots()).snapshot(),
    keep: async (tree, name) => {
      await (await snapshots()).keep(tree, name);
    },
    saveReceipt: (receipt) => saveReceipt(order.receiptFile, receipt),
    send: (frame) => surroundings.send(frame),
    now: Date.now,
  });
}

export async function createAgent(
  { driver, options }: AgentSpec,
  player: HostSurroundings['player'],
): Promise<Agent> {
  const known: { readonly [name: string]: DriverFacts } = drivers;
  const facts = Object.hasOwn(known, driver) ? known[driver] : undefined;
  if (facts !== undefined) return facts.create(options, player);
  throw new OperatorError(
    'unknown-driver',
    `There is no agent driver "${driver}".`,
    `The drivers are ${Object.keys(drivers).join(', ')}; a newer untildone may have more.`,
  );
}
