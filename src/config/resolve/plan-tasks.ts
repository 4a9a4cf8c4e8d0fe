// Makes the tasks of a run: the goal or the task file, with criteria from all their sources.
import type { LoopSettings, PolicyConfig, QueueSettings } from '#kernel/model/config.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import type { Task } from '#kernel/model/task.ts';
import type { Preset, PresetInput } from '#policies/presets/preset.ts';
import type { TaskWish } from '#config/agents/agent-wishes.ts';
import { findTaskFile } from './find-task-file.ts';
import { type Layer, setting } from '#config/layers.ts';
import { loopsFrom, unusedLoops } from './loops.ts';
import { criteriaOfMarkdown } from '#tasks/markdown-criteria.ts';
import { findPlan, type Plan } from './plan.ts';
import { sessionsOf } from './run-limits.ts';
import { normalRank } from '#tasks/task-fields.ts';
import { readTaskFile } from '#tasks/task-file.ts';
import {
  criteriaNotes,
  type Infer,
  type MakeInfer,
  toCriteria,
  type WrittenCriterion,
  writtenOf,
} from '#tasks/criteria/written-criteria.ts';
import { taskText, type WrittenTask } from '#tasks/written-task.ts';

export interface PlanRequest {
  readonly goal: string | undefined;
  readonly checks: readonly Criterion[];
  readonly mayChange: readonly string[];
  readonly timeoutMs: number;
  /** Finds checks for criteria without one; absent if inference is not available. */
  readonly infer?: MakeInfer;
  /** Only the given checks count: for a sanity check. */
  readonly isPlain: boolean;
}

export interface PlannedTasks extends Plan {
  readonly tasks: readonly Task[];
  readonly policy: Pick<PolicyConfig, 'loops' | 'proposals' | 'queue'>;
  readonly notes: readonly string[];
  /** The agents of each task, as its file names them. */
  readonly agents: readonly TaskWish[];
}

interface Place {
  readonly cwd: string;
  readonly root: string;
}

export async function planTasks(
  place: Place,
  settings: Layer,
  preset: Preset,
  request: PlanRequest,
): Promise<PlannedTasks> {
  const loops = loopsFrom(settings, preset);
  const source = await sourceOf(place, settings, preset, request);
  const { goal, file, wanted } = source;
  const tasks: Task[] = [];
  const notes = [...source.notes];
  for (const one of wanted) {
    const criteria = await criteriaFor(one.written, settings, request, loops);
    tasks.push(...preset.tasks(inputOf(one, criteria, request)));
    notes.push(
      ...criteriaNotes(criteria).map((note) => (wanted.length > 1 ? `${one.task?.id ?? ''}: ${note}` : note)),
    );
  }
  const unused = unusedLoops(settings, preset);
  return {
    goal,
    file,
    tasks,
    policy: {
      ...(loops === undefined ? {} : { loops }),
      ...(preset.takes === 'task-file' ? { queue: queueOf(settings) } : {}),
      proposals: setting(settings, 'proposals'),
    },
    notes: [...notes, ...(unused === null ? [] : [unused])],
    agents: agentsOf(wanted),
  };
}

function queueOf(settings: Layer): QueueSettings {
  return {
    onFailure: setting(settings, 'queue.onFailure'),
    crashRetries: setting(settings, 'queue.crashRetries'),
  };
}

/** A run needs at least a builder and its reviewers for each task, even if every task succeeds at once. */
export function fewSessions(settings: Layer, tasks: readonly Task[]): string[] {
  const sessions = sessionsOf(settings, tasks.length);
  const reviews = tasks.flatMap(({ criteria }) => criteria.filter(({ check }) => check.kind === 'reviewer'));
  const needed = tasks.length + reviews.length;
  return tasks.length < 2 || sessions >= needed
    ? []
    : [
        `${tasks.length} tasks need ${needed} sessions at least, and the budget is ${sessions}: raise it with --budget sessions=${needed * 2}, or the run ends early.`,
      ];
}

/** The source of one task: the goal, or an entry of a file. */
interface Wanted {
  readonly goal: string;
  readonly written: readonly WrittenCriterion[];
  readonly task?: WrittenTask;
}

interface Source extends Plan {
  readonly wanted: readonly Wanted[];
  readonly notes: readonly string[];
}

async function criteriaFor(
  written: readonly WrittenCriterion[],
  settings: Layer,
  { checks, infer, isPlain, timeoutMs }: PlanRequest,
  loops: LoopSettings | undefined,
): Promise<Criterion[]> {
  const configured = isPlain ? [] : setting(settings, 'criteria');
  const from = settings.get('criteria')?.origin.where ?? 'the configuration';
  return toCriteria([...written, ...configured.map((entry) => writtenOf(entry, from))], {
    timeoutMs,
    taken: [...checks.map(({ id }) => id), 'verifier'],
    loops: loops ?? { autoInferVerification: true, suggestBrowserTests: true },
    infer: infer?.(timeoutMs) ?? askAPerson,
  });
}

function inputOf(
  { goal, task }: Wanted,
  criteria: readonly Criterion[],
  { checks, mayChange }: PlanRequest,
): PresetInput {
  if (task === undefined) return { goal, checks, criteria, mayChange };
  return { goal, checks, criteria, mayChange: [...mayChange, ...task.mayChange], task: specOf(task) };
}

/** The fields of a written task that a preset copies unchanged. */
export function specOf(task: WrittenTask): NonNullable<PresetInput['task']> {
  const { id, title, scope, dependsOn, domain, isSecurityCritical, rank } = task;
  return {
    id,
    title,
    files: scope,
    dependsOn,
    domain,
    ...(isSecurityCritical ? { securityCritical: true } : {}),
    ...(rank === normalRank ? {} : { rank }),
  };
}

async function sourceOf(
  place: Place,
  settings: Layer,
  preset: Preset,
  request: PlanRequest,
): Promise<Source> {
  const { goal, isPlain } = request;
  const taskFile = isPlain ? undefined : await findTaskFile(place, settings, preset, goal);
  if (taskFile !== undefined) {
    const { file, tasks, notes } = await readTaskFile(place.cwd, taskFile, {
      command: preset.name === 'queue' ? 'untildone queue' : 'untildone run --task-file',
    });
    const wanted = tasks.map((task) => ({ goal: taskText(task), written: task.criteria, task }));
    const [only, ...others] = wanted;
    const isOne = only !== undefined && others.length === 0 && preset.takes !== 'task-file';
    return { file, notes, wanted, goal: isOne ? only.goal : `the tasks of ${taskFile}` };
  }
  const plan = await findPlan(place.root, settings, goal);
  // A preset that takes the whole at once leaves the lists of a goal as text for the builder.
  const isPlainText = preset.loops === undefined || isPlain;
  const written = isPlainText ? [] : criteriaOfMarkdown(plan.goal, plan.file ?? 'the goal');
  return { ...plan, wanted: [{ goal: plan.goal, written }], notes: [] };
}

function agentsOf(wanted: readonly Wanted[]): TaskWish[] {
  return wanted.flatMap(({ task }) =>
    task === undefined
      ? []
      : Object.entries(task.agents).map(([role, text]) => ({
          taskId: task.id,
          role,
          text,
          where: task.at.agent.where,
        })),
  );
}

const askAPerson: Infer = async () => ({
  checks: null,
  why: 'no check could be found from the text',
  suggestion: null,
});
