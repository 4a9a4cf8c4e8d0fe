import { present } from '#kernel/assert.ts';
import type { Run, TaskState } from '#kernel/run.ts';
import type { AgentChoice } from '#kernel/step.ts';

/** Who plays a role for a task: the task's own choice, else the run's. Builders have a list that failures walk along. */
export function agentFor(run: Run, task: TaskState, role: string): AgentChoice {
  if (role === 'builder') {
    const builders = buildersFor(run, task);
    return present(builders[Math.min(task.rung, builders.length - 1)], 'a task has a builder');
  }
  return task.spec.agents?.[role] ?? agentOf(run, role);
}

/** First the task's own or its domain's, then those that take over; nobody twice. */
export function buildersFor(run: Run, task: TaskState): AgentChoice[] {
  const { routing } = run.config.policy;
  const own = task.spec.agents?.['builder'];
  const domain = new Map(Object.entries(routing?.domains ?? {})).get(task.spec.domain ?? '') ?? [];
  const first = own !== undefined ? [own] : domain.length > 0 ? domain : [agentOf(run, 'builder')];
  const list: AgentChoice[] = [];
  for (const one of [...first, ...(routing?.fallbacks ?? [])])
    if (!list.some(({ name, model }) => name === one.name && model === one.model)) list.push(one);
  return list;
}

function agentOf(run: Run, role: string): AgentChoice {
  return present(run.config.roles[role], `role ${role} is configured`).agent;
}
