// Shows the chosen agents, from the frozen settings, and those that really ran, from the sessions.
import { attachedDriver } from '#kernel/decide/attached.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { type PastSession, sessionName } from '#kernel/model/session-name.ts';

/** `state.json` has the others. */
const shownMax = 6;
/** The name of an agent may be its whole command. */
const nameMax = 60;

/** `builder claude (opus), verifier codex, main/builder codex` */
export function agentsLine(run: Run): string {
  const roles = Object.entries(run.config.roles).map(([role, { agent }]) => `${role} ${choiceWords(agent)}`);
  const own = ownChoices([...run.tasks.values()].map((task) => task.spec));
  const tasks = own.map(({ taskId, role, agent }) => `${taskId}/${role} ${choiceWords(agent)}`);
  return [...roles, ...bounded(tasks)].join(', ');
}

export interface OwnChoice {
  readonly taskId: string;
  readonly role: string;
  readonly agent: AgentChoice;
}

/** Agents that tasks choose for themselves. */
export function ownChoices(tasks: readonly Task[]): OwnChoice[] {
  return tasks.flatMap((task) =>
    Object.entries(task.agents ?? {}).map(([role, agent]) => ({ taskId: task.id, role, agent })),
  );
}

/** `builder_001-003 claude, model claude-opus-4-6 · verifier_001 codex (under way)` */
export function ranLine(run: Run, isCutOff = false): string {
  const open = openSessions(run, isCutOff ? 'cut off' : 'under way');
  if (run.sessions.length === 0 && open.length === 0) return 'no session yet';
  const groups = new Map<string, { who: string; role: string; ordinals: number[] }>();
  for (const session of run.sessions) {
    const { role, ordinal } = session;
    const who = ranWords(session);
    const key = `${role} ${session.agent.name} ${who}`;
    const group = groups.get(key) ?? { who, role, ordinals: [] };
    group.ordinals.push(ordinal);
    groups.set(key, group);
  }
  const parts = [...groups.values()].map(
    ({ who, role, ordinals }) => `${role}_${bounded(ranges(ordinals)).join(', ')} ${who}`,
  );
  return [...bounded(parts), ...open].join(' · ');
}

function openSessions(run: Run, how: string): string[] {
  return [...run.running.values()].flatMap(({ deed }) =>
    deed.kind === 'session' ? [`${sessionName(deed)} ${choiceWords(deed.agent)} (${how})`] : [],
  );
}

export function sessionsJson(run: Run) {
  return run.sessions.map(({ role, ordinal, taskId, attempt, agent, ran }) => ({
    session: sessionName({ role, ordinal }),
    taskId,
    attempt,
    agent: agent.name,
    ran,
  }));
}

/** Which agent has each role, and which one really ran last. */
export function agentsJson(run: Run) {
  const tasks = ownChoices([...run.tasks.values()].map((task) => task.spec));
  return Object.entries(run.config.roles).map(([role, { agent }]) => ({
    role,
    name: agent.name,
    model: agent.model,
    driver: run.config.agents[agent.name]?.driver ?? null,
    payer: run.config.agents[agent.name]?.payer ?? null,
    tasks: Object.fromEntries(tasks.filter((own) => own.role === role).map((own) => [own.taskId, own.agent])),
    ran: run.sessions.findLast((session) => session.role === role)?.ran ?? null,
    sessions: run.ordinals.get(role) ?? 0,
  }));
}

/** If a client reports no model, shows the requested one, if any. */
function modelWords(reported: string | null, asked: string | null): string {
  if (reported !== null) return `model ${reported}`;
  return asked === null ? 'model not reported' : `model ${asked} (asked for)`;
}

/** Commands often begin alike, so both ends are kept. */
function shortName(name: string): string {
  const line = name.replaceAll(/\s+/g, ' ').trim();
  const half = nameMax / 2;
  return line.length <= nameMax ? line : `${line.slice(0, half - 1)}…${line.slice(-half)}`;
}

function choiceWords({ name, model }: AgentChoice): string {
  return `${shortName(name)}${model === null ? '' : ` (${model})`}`;
}

/** `claude`, `fast (claude)`; only the name if it begins with its driver, or for an attached session. */
export function withDriver(name: string, driver: string): string {
  const isNamed = driver === attachedDriver || name === driver || name.startsWith(`${driver}:`);
  return `${shortName(name)}${isNamed ? '' : ` (${driver})`}`;
}

function ranWords({ agent, ran }: PastSession): string {
  if (ran === null) return `${shortName(agent.name)}, may not have run`;
  return `${withDriver(agent.name, ran.driver)}, ${modelWords(ran.model, agent.model)}`;
}

/** `001-003`, `005` */
function ranges(ordinals: readonly number[]): string[] {
  const found: { from: number; to: number }[] = [];
  for (const ordinal of ordinals.toSorted((one, other) => one - other)) {
    const last = found.at(-1);
    if (last !== undefined && ordinal <= last.to + 1) last.to = ordinal;
    else found.push({ from: ordinal, to: ordinal });
  }
  return found.map(({ from, to }) => (from === to ? padded(from) : `${padded(from)}-${padded(to)}`));
}

function padded(ordinal: number): string {
  return String(ordinal).padStart(3, '0');
}

function bounded(parts: readonly string[]): string[] {
  if (parts.length <= shownMax) return [...parts];
  return [...parts.slice(0, shownMax), `and ${parts.length - shownMax} more`];
}
