import { present } from '#base/assert.ts';
import { isLimited, isSameAgent } from '#kernel/waiting/usage-limit.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { AgentChoice } from '#kernel/model/step.ts';

/** The agent of a role: the task's choice, else the run's. For builders, failures advance along a list. */
export function agentFor(run: Run, task: TaskState, role: string): AgentChoice {
  if (role === 'builder') {
    const [first] = buildersInOrder(run, task);
    return freeBuilder(run, task) ?? present(first, 'a task has a builder');
  }
  return task.spec.agents?.[role] ?? agentOf(run, role);
}

/** The first builder without a usage limit; null if all are limited or the policy waits for limits. */
export function freeBuilder(run: Run, task: TaskState, limited?: AgentChoice): AgentChoice | null {
  if (run.config.policy.routing?.onUsageLimit === 'wait') return null;
  const isFree = (one: AgentChoice): boolean =>
    !isLimited(run, task, one) && (limited === undefined || !isSameAgent(one, limited));
  return buildersInOrder(run, task).find(isFree) ?? null;
}

/** Starts at the current fallback; builders that failed before come last. */
function buildersInOrder(run: Run, task: TaskState): AgentChoice[] {
  const builders = buildersFor(run, task);
  const turn = Math.min(task.failures.fallbackIndex, builders.length - 1);
  return [...builders.slice(turn), ...builders.slice(0, turn)];
}

/** First the task's own builder or its domain's, then the fallbacks, without duplicates. */
export function buildersFor(run: Run, task: TaskState): AgentChoice[] {
  const { routing } = run.config.policy;
  const own = task.spec.agents?.['builder'];
  const domain = new Map(Object.entries(routing?.domains ?? {})).get(task.spec.domain ?? '') ?? [];
  const first = own !== undefined ? [own] : domain.length > 0 ? domain : [agentOf(run, 'builder')];
  const list: AgentChoice[] = [];
  for (const one of [...first, ...(routing?.fallbacks ?? [])])
    if (!list.some((known) => isSameAgent(known, one))) list.push(one);
  return list;
}

function agentOf(run: Run, role: string): AgentChoice {
  return present(run.config.roles[role], `role ${role} is configured`).agent;
}
