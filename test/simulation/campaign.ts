// Random settings of a simulated campaign, and the plans that people and architects make in it.
import type { PlanningSettings, RoleConfig, RunConfig } from '#kernel/model/config.ts';
import type { DroppedTask } from '#kernel/planning/plan.ts';
import type { AgentChoice } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { goalTaskId } from '#kernel/proof/goals.ts';
import type { Random } from './random.ts';
import { planTask, taskCriterion, taskLetters } from './tasks.ts';
import type { Universe } from './universe.ts';

export function campaignConfig(random: Random, config: RunConfig): RunConfig {
  const role = (prompt: string, reportTag: string): RoleConfig => ({
    agent: { name: 'simulated', model: null },
    prompt,
    words: { done: '===DONE===', reportTag },
    readOnly: true,
    limits: { wallMs: 60_000, idleMs: 30_000, graceMs: 1000 },
  });
  return {
    ...config,
    preset: 'campaign',
    roles: {
      ...config.roles,
      architect: role('{{goal}} {{map}} {{done}} {{failed}} {{problems}} {{told}}', 'plan'),
      reflector: role('{{goal}} {{progress}} {{done}}', 'reflection'),
    },
    policy: {
      ...config.policy,
      stuckMax: random.pick([0, 2, 3]),
      planning: planningOf(random),
      routing: { domains: {}, fallbacks: fallbacks.slice(0, random.int(fallbacks.length + 1)) },
    },
    // Mostly enough to see more than one plan.
    budget: { ...config.budget, sessions: 6 + random.int(40), usd: 200, attemptsPerTask: 1 + random.int(5) },
  };
}

const fallbacks: readonly AgentChoice[] = ['second', 'third'].map((name) => ({ name, model: null }));

function planningOf(random: Random): PlanningSettings {
  const goal = ['guard', 'works'].filter(() => random.chance(0.3));
  return {
    approval: random.pick(['person', 'nobody']),
    replansMax: random.int(4),
    refusalsMax: random.int(3),
    milestones: [25, 50, 75],
    mapTokens: 1000,
    architectSees: random.pick(['map', 'files']),
    deadEnd: random.pick(['ask', 'end']),
    criteria: goal.map((id) => taskCriterion(id, goalTaskId)),
    everyTask: [],
    constraints: '',
  };
}

export interface Draft {
  readonly tasks: readonly Task[];
  readonly dropped: readonly DroppedTask[];
}

/** Some of what is open as it is, some otherwise, some not at all; and something new. */
export function draftPlan({ random, ledger }: Universe): Draft {
  const { tasks, landed, skipped, plan } = ledger.view;
  const isDone = (id: string): boolean => landed.has(id) || skipped.has(id);
  const open = [...tasks.values()].filter(
    ({ id }) => !isDone(id) && !plan.dropped.has(id) && id !== goalTaskId,
  );
  const kept = open.filter(() => random.chance(0.8));
  const unknown = taskLetters.map((_, index) => index).filter((index) => !tasks.has(idAt(index)));
  const added = unknown.slice(0, kept.length === 0 ? 2 + random.int(3) : random.int(3));
  const written = [
    ...kept.map((task) =>
      random.chance(0.2) ? checkable(random, taskLetters.indexOf(task.id.slice(1))) : task,
    ),
    ...added.map((index) => checkable(random, index)),
  ];
  const names = new Set([...written.map(({ id }) => id), ...[...tasks.keys()].filter(isDone)]);
  return {
    tasks: written.map((task) => ({ ...task, dependsOn: task.dependsOn.filter((id) => names.has(id)) })),
    dropped: open
      .filter((task) => !kept.includes(task) && random.chance(0.5))
      .map(({ id }) => ({ taskId: id, why: 'not needed' })),
  };
}

/** The architect is asked for criteria that a machine can check. */
function checkable(random: Random, index: number): Task {
  const task = planTask(random, index);
  const own = task.criteria.filter(({ check }) => check.kind === 'command');
  if (own.length > 0 && random.chance(0.4)) return task;
  return {
    ...task,
    criteria: own.some(({ id }) => id === 'works') ? own : [taskCriterion('works', task.id)],
  };
}

function idAt(index: number): string {
  return `t${taskLetters[index] ?? 'z'}`;
}
