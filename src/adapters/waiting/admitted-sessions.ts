// Starts sessions only if no usage limit is known, and records the limits that they hit.
import type { AgentChoice, SessionResult } from '#kernel/model/step.ts';
import type { Admission, KnownLimit } from '#ports/admission.ts';
import type { RunningSession, Sessions, SessionStep } from '#ports/sessions.ts';

export interface AdmittedSessionsOptions {
  readonly own: Sessions;
  readonly admission: Admission;
  readonly runId: string;
  /** Driver by name of an agent. */
  readonly driverOf: (agentName: string) => string;
  /** The agents of the run: while one of them is limited, no host is started ahead of time. */
  readonly agents: readonly AgentChoice[];
  readonly now: () => number;
}

export function createAdmittedSessions(options: AdmittedSessionsOptions): Sessions {
  const { own, admission, agents, now } = options;
  return {
    warm: () => {
      if (agents.every((agent) => admission.limitOf(agent) === null)) own.warm();
    },
    start: (step, order) => {
      const { agent } = step.deed;
      const limit = admission.limitOf(agent);
      if (limit !== null) return refused(options, step, limit);
      const startedAt = now();
      const session = own.start(step, order);
      return { ...session, ended: session.ended.then((end) => noted(admission, agent, end, startedAt)) };
    },
    adopt: async (step) => noted(admission, step.deed.agent, await own.adopt(step), null),
    close: () => own.close(),
  };
}

/** Contract: returns `end` unchanged. `startedAt` is null if unknown: then no limit is removed. */
function noted<E extends { readonly kind: string }>(
  admission: Admission,
  agent: AgentChoice,
  end: E | SessionResult,
  startedAt: number | null,
): E | SessionResult {
  if (!isResult(end)) return end;
  const { ending } = end;
  if (ending.kind === 'failed' && ending.errorClass === 'usage-limit')
    admission.noteLimit(agent, { until: ending.resetAt ?? null, reason: ending.detail });
  if (ending.kind === 'finished' && startedAt !== null) admission.noteSuccess(agent, startedAt);
  return end;
}

function isResult(end: { readonly kind: string }): end is SessionResult {
  return end.kind === 'session';
}

/** Starts no host and logs nothing: the step ends as if the provider had reported the limit again. */
function refused(
  { runId, driverOf }: AdmittedSessionsOptions,
  { deed }: SessionStep,
  { until, reason, runId: metBy }: KnownLimit,
): RunningSession {
  const who = metBy === runId ? 'this run' : `another run (${metBy})`;
  const result: SessionResult = {
    kind: 'session',
    ending: {
      kind: 'failed',
      errorClass: 'usage-limit',
      detail: `${who} met the usage limit of ${deed.agent.name}, which ends at ${new Date(until).toISOString()}: ${reason}`,
      resetAt: until,
    },
    signal: null,
    usage: { usd: 0, tokens: 0 },
    endTree: null,
    log: '',
    ran: { driver: driverOf(deed.agent.name), model: deed.agent.model },
    notAdmitted: true,
  };
  return { ended: Promise.resolve(result), steer: () => {} };
}
