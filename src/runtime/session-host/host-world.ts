// The dependencies of a session host.
import type { SessionRequest, Agent } from '#ports/agent.ts';
import type { Processes } from '#ports/processes.ts';
import type { HostFrame, HostOrder, LogLine } from '#ports/session-host.ts';
import type { Redactor } from '#ports/redactor.ts';
import type { Receipt } from '#ports/sessions.ts';

export interface HostWorld {
  readonly processes: Processes;
  /** Contract: rejects with an OperatorError when the agent is misconfigured. */
  createAgent(): Promise<Agent>;
  readonly redactor: Redactor;
  readonly log: SessionLog;
  snapshot(): Promise<string>;
  keep(tree: string, name: string): Promise<void>;
  /** Contract: on disk, whole or not at all, when it resolves. */
  saveReceipt(receipt: Receipt): Promise<void>;
  /** Contract: never throws and never waits, whatever happened to the driver. */
  send(frame: HostFrame): void;
  now(): number;
}

export interface SessionLog {
  /** Contract: in the file on return, `agent-ended` also synced; throws if the disk refuses it. */
  write(line: LogLine): void;
  close(): void;
}

export function markOf(order: HostOrder): string {
  return `${order.runId}/${order.step.stepId}`;
}

export function requestOf(order: HostOrder, processes: Processes, onOutput: () => void): SessionRequest {
  const { deed, reserve } = order.step;
  return {
    role: deed.role,
    model: deed.agent.model,
    cwd: order.cwd,
    prompt: deed.prompt,
    readOnly: deed.readOnly,
    resume: deed.resume,
    env: { ...order.env, UNTILDONE_ROLE: deed.role, UNTILDONE_ORDINAL: String(deed.ordinal) },
    wallMs: deed.limits.wallMs,
    graceMs: deed.limits.graceMs,
    usdMax: reserve.usd,
    tokensMax: reserve.tokens,
    knowledge: order.knowledge,
    mark: markOf(order),
    processes: withOutputListener(processes, onOutput),
    onOutput,
  };
}

/** The same processes, with `onOutput` called for all output, whatever its reader makes of it. */
export function withOutputListener(processes: Processes, onOutput: () => void): Processes {
  return {
    start: (spec) =>
      processes.start({
        ...spec,
        onOutput: (chunk, stream) => {
          onOutput();
          return spec.onOutput(chunk, stream);
        },
      }),
    sweep: (prefix) => processes.sweep(prefix),
    isRoot: processes.isRoot,
    get confinement() {
      return processes.confinement;
    },
  };
}

export function firstLine(
  order: HostOrder,
  agent: Agent,
  at: number,
): LogLine & { readonly type: 'session-started' } {
  const { deed, stepId } = order.step;
  return {
    at,
    type: 'session-started',
    stepId,
    role: deed.role,
    agent: deed.agent.name,
    driver: agent.driver,
    model: deed.agent.model,
    reportsUsage: agent.reportsUsage,
    prompt: deed.prompt,
  };
}
