// An order → the world of its session host. Apart from `compose.ts`, so that a host loads only the driver that the order names.
import { dirname } from 'node:path';
import { sessionLogCap } from '#adapters/logs/log-cap.ts';
import { createLogFile } from '#adapters/sessions/log-file.ts';
import { reserveReceipt, saveReceipt } from '#adapters/sessions/receipt-file.ts';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import type { SnapshotRecord, Snapshots } from '#adapters/workspaces/git/snapshot.ts';
import { createRedactor } from '#config/redact.ts';
import type { Agent, AgentSpec } from '#ports/agent.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { HostFrame, HostOrder } from '#ports/session-host.ts';
import { markOf } from '#runtime/session-host/host-world.ts';
import { hostSession } from '#runtime/session-host/host-session.ts';
import type { HostedSession } from '#runtime/session-host/host-session.ts';
import { openHostSandbox } from './host-sandbox.ts';

export interface HostSurroundings {
  /** Contract: never throws and never waits. */
  tell(frame: HostFrame): void;
  /** How this very program plays a script instead. */
  readonly player: readonly [string, ...string[]];
  readonly env: { readonly [name: string]: string | undefined };
}

export function composeHost(order: HostOrder, surroundings: HostSurroundings): HostedSession {
  const snapshots = async (): Promise<Snapshots> => {
    const { openSnapshot } = await import('#adapters/workspaces/git/snapshot.ts');
    const mark = `${markOf(order)}/git`;
    return openSnapshot(order.worktree as SnapshotRecord, surroundings.env, { mark, onNote });
  };
  const log = createLogFile(order.logFile, sessionLogCap(dirname(order.logFile)));
  const onNote = (text: string): void => {
    const event = { type: 'notice', text } as const;
    surroundings.tell({ type: 'chatter', event });
    log.write({ at: Date.now(), ...event });
  };
  reserveReceipt(order.receiptFile);
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
    tell: (frame) => surroundings.tell(frame),
    now: Date.now,
  });
}

type Player = HostSurroundings['player'];
type Options = AgentSpec['options'];

/** By the name in `agents.<name>.driver`; each is loaded when it is used. */
const drivers: { readonly [driver: string]: (options: Options, player: Player) => Promise<Agent> } = {
  acp: async (options) => (await import('#adapters/agents/acp/acp-agent.ts')).createAcpAgent(options),
  claude: async (options) =>
    (await import('#adapters/agents/claude/claude-agent.ts')).createClaudeAgent(options),
  codex: async (options) => (await import('#adapters/agents/codex/codex-agent.ts')).createCodexAgent(options),
  command: async (options) =>
    (await import('#adapters/agents/command/command-agent.ts')).createCommandAgent(options),
  openai: async (options) =>
    (await import('#adapters/agents/openai/openai-agent.ts')).createOpenaiAgent(options),
  scripted: async (options, player) =>
    (await import('#adapters/agents/scripted/scripted-agent.ts')).createScriptedAgent(options, player),
};

export async function createAgent({ driver, options }: AgentSpec, player: Player): Promise<Agent> {
  const create = Object.hasOwn(drivers, driver) ? drivers[driver] : undefined;
  if (create !== undefined) return create(options, player);
  throw new OperatorError(
    'unknown-driver',
    `There is no agent driver "${driver}".`,
    `The drivers are ${Object.keys(drivers).join(', ')}; a newer untildone may have more.`,
  );
}
