// Runs sessions in separate host processes, which outlive us, enforce limits, and leave a receipt.
import { join } from 'node:path';
import type { AgentKnowledge } from '#kernel/model/config.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import type { AgentSpec } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';
import { triedPrograms } from '#adapters/processes/tried-programs.ts';
import type { Processes } from '#ports/processes.ts';
import type { SandboxOrder } from '#ports/sandbox.ts';
import type { HostOrder } from '#ports/session-host.ts';
import type { LostSession, RunningSession, SessionOrder, Sessions, SessionStep } from '#ports/sessions.ts';
import { identify, outlive, readHostRecord, writeHostRecord } from './host-record.ts';
import { startHost, type HostLink } from './host-link.ts';
import { logName } from './log-file.ts';
import { readLog } from './log-reading.ts';
import { freeReserve, readReceipt, receiptFileOf } from './receipt-file.ts';
import { parseSessionResult } from './session-result.ts';

export interface HostSessionsOptions {
  /** Path of the host program: `main.ts` of the sources or the built `host.js`. */
  readonly hostEntry: string;
  readonly nodePath: string;
  readonly runId: string;
  readonly receiptsDir: string;
  readonly logsDir: string;
  readonly hostsDir: string;
  /** Data that the host needs to take the tree at the end, passed through. */
  readonly worktree: unknown;
  readonly agents: { readonly [name: string]: AgentSpec };
  readonly knowledge: AgentKnowledge;
  /** The whole environment of an agent's client. */
  envFor(agentName: string): { readonly [name: string]: string };
  /** What an agent's client may access; null for everything that the user may. */
  sandboxFor?(agentName: string, role: string): SandboxOrder | null;
  readonly processes: Processes;
  readonly confine: 'auto' | 'marker';
  /**
   * Takes and keeps the tree of a session whose host could not; null if there is nothing to take. Contract:
   * rejects if the disk refuses it, so that the session can still be adopted.
   */
  takeTree?(step: SessionStep): Promise<string | null>;
  /** Time for a host without its driver to end its session, beyond the grace period of the agent. */
  readonly hostEndMs?: number;
}

const usualHostEndMs = 15_000;

export function createHostSessions(options: HostSessionsOptions): Sessions {
  let spare: HostLink | null = null;
  /** With the grace period of each one's agent. */
  const living = new Map<HostLink, number>();
  const { hostEndMs = usualHostEndMs } = options;

  const launch = (): HostLink => {
    const link = startHost(options);
    living.set(link, 0);
    void link.gone.then(() => living.delete(link));
    return link;
  };
  const takeHost = (): HostLink => {
    const ready = spare?.isOpen === true ? spare : launch();
    spare = null;
    return ready;
  };

  return {
    warm: () => {
      if (spare?.isOpen !== true) spare = launch();
    },
    start: (step, order) => {
      const hostOrder = orderOf(step, order, options);
      const link = takeHost();
      if (living.has(link)) living.set(link, step.deed.limits.graceMs);
      return runSession(hostOrder, order, link, options);
    },
    adopt: (step) => adopt(step, options),
    close: async () => {
      const links = [...living];
      for (const [link] of links) link.leave();
      // The next driver reads from the log what a killed host could not send.
      await Promise.all(links.map(([link, graceMs]) => goneWithin(link, graceMs + hostEndMs)));
    },
  };
}

async function goneWithin(link: HostLink, limitMs: number): Promise<void> {
  const tooLong = setTimeout(() => link.kill(), limitMs);
  await link.gone;
  clearTimeout(tooLong);
}

function runSession(
  hostOrder: HostOrder,
  order: SessionOrder,
  link: HostLink,
  options: HostSessionsOptions,
): RunningSession {
  if (link.pid === null) return { ended: Promise.resolve(noHost(options)), steer: () => {} };
  const { step } = hostOrder;
  const log = hostOrder.logFile.slice(options.logsDir.length + 1);
  writeHostRecord(options.hostsDir, { stepId: step.stepId, log, mark: link.mark, ...identify(link.pid) });
  const reported = Promise.withResolvers<SessionResult | null>();
  link.listen((frame) => {
    if (frame.type === 'chatter') order.onChatter(frame.event);
    else reported.resolve(parseSessionResult(frame.result));
  });
  link.send(hostOrder);
  void link.gone.then(() => reported.resolve(null));
  return {
    ended: reported.promise.then((result) =>
      result === null ? adopt(step, options) : withTree(result, options, step),
    ),
    steer: (steer) => {
      link.send({ type: 'steer', steer });
      if (steer.kind !== 'kill') return;
      // A stopped host never answers; its earlier output is adopted, as after its death.
      const tooLong = setTimeout(() => link.kill(), endMsOf(step, options));
      void reported.promise.then(() => clearTimeout(tooLong));
    },
  };
}

function endMsOf({ deed }: SessionStep, { hostEndMs = usualHostEndMs }: HostSessionsOptions): number {
  return deed.limits.graceMs + hostEndMs;
}

/** Uses the receipt, else the terminal message in the log, else reports it lost; ends all its processes. */
async function adopt(step: SessionStep, options: HostSessionsOptions): Promise<SessionResult | LostSession> {
  const { stepId } = step;
  const record = readHostRecord(options.hostsDir, stepId);
  if (record !== null) await outlive(record, endMsOf(step, options));
  // A host killed while it started the agent leaves a child without the mark of the step.
  if (record !== null && record.mark !== null) await options.processes.sweep(record.mark);
  await options.processes.sweep(`${options.runId}/${stepId}`);
  const receiptFile = receiptFileOf(options.receiptsDir, stepId);
  freeReserve(receiptFile);
  const read = readReceipt(receiptFile, stepId);
  if ('receipt' in read) return withTree(read.receipt.result, options, step);
  if (record === null)
    return { kind: 'lost', reason: 'the driver ended before the session began', usage: null };
  const { result, usage } = readLog(join(options.logsDir, record.log), stepId);
  if (result === null) return { kind: 'lost', reason: `its host ended and ${read.none}`, usage };
  return withTree(result, options, step);
}

/** A killed host, or one with a full disk, left the tree for us to take. */
async function withTree(
  result: SessionResult,
  options: HostSessionsOptions,
  step: SessionStep,
): Promise<SessionResult> {
  if (result.endTree !== null) return result;
  return { ...result, endTree: (await options.takeTree?.(step)) ?? null };
}

function orderOf(step: SessionStep, order: SessionOrder, options: HostSessionsOptions): HostOrder {
  const { role, ordinal, agent } = step.deed;
  const spec = options.agents[agent.name];
  if (spec === undefined) {
    throw new OperatorError(
      'unknown-agent',
      `No agent is configured under the name "${agent.name}".`,
      `Configured are: ${Object.keys(options.agents).join(', ') || 'none'}.`,
    );
  }
  const sandbox = options.sandboxFor?.(agent.name, role) ?? null;
  return {
    type: 'order',
    ...(sandbox === null ? {} : { sandbox }),
    runId: options.runId,
    epoch: order.epoch,
    step,
    cwd: order.cwd,
    agent: spec,
    knowledge: options.knowledge,
    env: options.envFor(agent.name),
    confine: options.confine,
    tried: triedPrograms(),
    logFile: join(options.logsDir, logName(role, ordinal, Date.now())),
    receiptFile: receiptFileOf(options.receiptsDir, step.stepId),
    worktree: order.worktree ?? options.worktree,
  };
}

function noHost({ nodePath, hostEntry }: HostSessionsOptions): LostSession {
  return {
    kind: 'lost',
    reason: `the session host could not be started (${nodePath} ${hostEntry})`,
    usage: { usd: 0, tokens: 0 },
  };
}
