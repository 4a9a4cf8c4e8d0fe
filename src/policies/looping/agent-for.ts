import { present } from '#kernel/assert.ts';
import type { Run, TaskState } from '#kernel/run.ts';
import type { AgentChoice } from '#kernel/step.ts';

/** Who plays a role for a task: the task's own choice, else the run's. */
export function agentFor(run: Run, task: TaskState, role: string): AgentChoice {
  return task.spec.agents?.[role] ?? present(run.config.roles[role], `role ${role} is configured`).agent;
}
