// The tasks of a run, each with its state and cost.
import type { Run } from '#kernel/fold/run.ts';
import { count, shortened, usd } from '#views/words.ts';
import { endReasonOf, type StatusName } from '#kernel/model/task.ts';

type TaskView = ReturnType<typeof tasksOf>[number];

export function tasksOf(run: Run) {
  const costs = costsOf(run);
  return [...run.tasks.values()].map((task) => {
    const { spec, status, attempt, commit } = task;
    const { sessions, usd: costUsd, isComplete } = costs.get(spec.id) ?? nothing;
    return {
      id: spec.id,
      title: spec.title,
      status: status.is,
      attempts: attempt,
      sessions,
      /** Null if no session reported a cost; a lower bound if `costIsComplete` is false. */
      costUsd,
      costIsComplete: isComplete,
      commit,
      dependsOn: spec.dependsOn,
      /** Why it failed or was skipped. */
      reason: endReasonOf(task),
    };
  });
}

interface Cost {
  sessions: number;
  usd: number | null;
  isComplete: boolean;
}

const nothing: Readonly<Cost> = { sessions: 0, usd: null, isComplete: true };

function costsOf(run: Run): Map<string, Cost> {
  const costs = new Map<string, Cost>();
  for (const { taskId, usage } of run.sessions) {
    const cost = costs.get(taskId) ?? { ...nothing };
    costs.set(taskId, cost);
    cost.sessions += 1;
    if (usage === undefined || usage.usd === null) cost.isComplete = false;
    else cost.usd = (cost.usd ?? 0) + usage.usd;
  }
  return costs;
}

const marks: { readonly [status in StatusName]: string } = {
  waiting: '⏳',
  ready: '⏳',
  active: '▶️ ',
  'needs-input': '❓',
  proven: '▶️ ',
  landed: '✅',
  failed: '❌',
  skipped: '⏭️ ',
  dropped: '🗑️ ',
};

/** More than a screenful does not help: finished and distant tasks are counted. */
const shownMax = 30;

/** Empty for a run of one task. */
export function taskLines(run: Run): string[] {
  if (run.tasks.size < 2) return [];
  const tasks = tasksOf(run);
  const shown = chosen(tasks);
  const left = tasks.length - shown.length;
  return [
    'Tasks:',
    ...shown.map(
      (task) => `  ${marks[task.status]} ${task.id} - ${shortened(task.title, 70)}${remark(run, task)}`,
    ),
    ...(left === 0 ? [] : [`  … and ${left} more; all of them: untildone status ${run.id} --json`]),
  ];
}

function chosen(tasks: readonly TaskView[]): TaskView[] {
  if (tasks.length <= shownMax) return [...tasks];
  const isQuiet = ({ status }: TaskView): boolean =>
    ['landed', 'waiting', 'ready', 'dropped'].includes(status);
  const telling = tasks.filter((task) => !isQuiet(task)).slice(0, shownMax - 10);
  const landed = tasks.filter(({ status }) => status === 'landed').slice(-5);
  const next = tasks.filter(({ status }) => status === 'ready' || status === 'waiting').slice(0, 5);
  const all = new Set([...telling, ...landed, ...next]);
  return tasks.filter((task) => all.has(task));
}

function remark(run: Run, task: TaskView): string {
  const unmet = task.dependsOn.filter((id) => run.tasks.get(id)?.status.is !== 'landed');
  const words = [
    ...(task.attempts === 0 ? [] : [count(task.attempts, 'attempt')]),
    ...(task.sessions === 0 ? [] : [count(task.sessions, 'session')]),
    ...costWords(task),
    ...(task.commit === null ? [] : [`commit ${task.commit.slice(0, 10)}`]),
    ...(task.status === 'waiting' && unmet.length > 0 ? [`waits for ${unmet.join(', ')}`] : []),
  ];
  const why = task.reason === null ? '' : `: ${shortened(task.reason, 140)}`;
  return `${words.length === 0 ? '' : ` (${words.join(', ')})`}${why}`;
}

function costWords({ costUsd, costIsComplete }: TaskView): string[] {
  if (costUsd === null || (costUsd < 0.005 && !costIsComplete)) return [];
  return [`${costIsComplete ? '' : 'at least '}${usd(costUsd)}`];
}
