// The sessions of a run with their cost and duration. The totals are those of `status`.
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { sessionName } from '#kernel/model/session-name.ts';
import type { Usage } from '#kernel/model/budget.ts';
import type { SessionOperation } from '#kernel/model/step.ts';
import { cost, count, payerWords, tokens, usd } from '#views/words.ts';
import { precise } from './timeline.ts';

export interface SessionCost {
  readonly session: string;
  readonly role: string;
  readonly taskId: string;
  readonly attempt: number;
  readonly agent: string;
  readonly model: string;
  readonly tokens: string;
  readonly usd: string;
  readonly payer: string;
  readonly duration: string;
}

export function sessionCosts(run: Run, events: readonly Event[], isCutOff: boolean): readonly SessionCost[] {
  const times = timesOf(events);
  const ended = run.sessions.map(({ stepId, role, ordinal, taskId, attempt, agent, ran, usage }) => ({
    session: sessionName({ role, ordinal }),
    role,
    taskId,
    attempt,
    agent: shownAgent(agent.name, ran),
    model: ran?.model ?? (agent.model === null ? 'not reported' : `${agent.model} (requested)`),
    ...usageWords(usage),
    payer: payerOf(run, agent.name),
    duration: durationOf(times.get(stepId ?? '')),
  }));
  const open = [...run.running.values()].flatMap(({ taskId, deed }) =>
    deed.kind === 'session' ? [openSession(run, taskId, deed, isCutOff)] : [],
  );
  return [...ended, ...open];
}

function openSession(
  run: Run,
  taskId: string | null,
  operation: SessionOperation,
  isCutOff: boolean,
): SessionCost {
  const { role, attempt, agent } = operation;
  return {
    session: sessionName(operation),
    role,
    taskId: taskId ?? '',
    attempt,
    agent: agent.name,
    model: agent.model === null ? 'not reported' : `${agent.model} (requested)`,
    tokens: 'not known yet',
    usd: 'not known yet',
    payer: payerOf(run, agent.name),
    duration: isCutOff ? 'cut off' : 'under way',
  };
}

/** The last row of the table. */
export function costTotals(run: Run): {
  readonly sessions: string;
  readonly tokens: string;
  readonly usd: string;
} {
  const { spent, lost, reserved } = run.ledger;
  return {
    sessions: count(spent.sessions + reserved.sessions, 'session'),
    tokens: tokens(spent.tokens - lost.tokens),
    // The reason is in the line above the table.
    usd: cost(run.ledger).replace(/^cost (.*?)(?: \(.*\))?$/, '$1'),
  };
}

/** `fast (claude)`: the configured name, and the client that really ran. */
function shownAgent(name: string, ran: { readonly driver: string } | null): string {
  if (ran === null) return `${name} (may not have run)`;
  return name === ran.driver || name.startsWith(`${ran.driver}:`) ? name : `${name} (${ran.driver})`;
}

/** A lost session counts with its whole reserve; its real cost is unknown. */
function usageWords(usage: Usage | undefined): Pick<SessionCost, 'tokens' | 'usd'> {
  if (usage === undefined) return { tokens: 'unknown', usd: 'unknown' };
  return {
    tokens: usage.tokens === null ? 'not reported' : tokens(usage.tokens),
    usd: usage.usd === null ? 'not reported' : usd(usage.usd),
  };
}

function payerOf({ config }: Run, agent: string): string {
  return payerWords(config.agents[agent]?.payer);
}

function timesOf(events: readonly Event[]): Map<string, { start: number; end?: number }> {
  const times = new Map<string, { start: number; end?: number }>();
  for (const event of events) {
    if (event.type === 'step-started') times.set(event.step.stepId, { start: event.at });
    if (event.type !== 'step-ended' && event.type !== 'step-lost') continue;
    const time = times.get(event.stepId);
    if (time !== undefined) time.end = event.at;
  }
  return times;
}

function durationOf(time: { readonly start: number; readonly end?: number } | undefined): string {
  return time?.end === undefined ? 'unknown' : precise(time.end - time.start);
}
