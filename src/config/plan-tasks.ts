// What is wanted and what must be true of it: the goal or the task file, and criteria from all their sources.
import type { PolicyConfig } from '#kernel/config.ts';
import type { Criterion } from '#kernel/criterion.ts';
import type { LoopSettings } from '#kernel/loop.ts';
import type { Task } from '#kernel/task.ts';
import type { Preset } from '#policies/presets/index.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { Layer } from './layers.ts';
import { setting } from './layers.ts';
import { loopsFrom, unusedLoops } from './loops.ts';
import { criteriaOfMarkdown } from './markdown-criteria.ts';
import type { Plan } from './plan.ts';
import { findPlan } from './plan.ts';
import { readTaskFile, writtenOf } from './task-file.ts';
import type { Infer, MakeInfer, WrittenCriterion } from './written-criteria.ts';
import { criteriaNotes, toCriteria } from './written-criteria.ts';

export interface PlanRequest {
  readonly goal: string | undefined;
  readonly checks: readonly Criterion[];
  readonly mayChange: readonly string[];
  readonly timeoutMs: number;
  /** Finds checks for criteria that were written without one; absent where nobody can look. */
  readonly infer?: MakeInfer;
  /** The checks are all that there is: for a sanity check. */
  readonly isPlain: boolean;
}

export interface PlannedTasks extends Plan {
  readonly tasks: readonly Task[];
  readonly policy: Pick<PolicyConfig, 'loops' | 'proposals'>;
  readonly notes: readonly string[];
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
  const { checks, mayChange, timeoutMs } = request;
  const loops = loopsFrom(settings, preset);
  const { goal, file, written, notes, task } = await sourceOf(place, settings, request, loops);
  const configured = request.isPlain ? [] : (setting(settings, 'criteria') ?? []);
  const from = settings.get('criteria')?.origin.where ?? 'the configuration';
  const criteria = await toCriteria([...written, ...configured.map((entry) => writtenOf(entry, from))], {
    timeoutMs,
    taken: [...checks.map(({ id }) => id), 'verifier'],
    loops: loops ?? { autoInferVerification: true, suggestBrowserTests: true },
    infer: request.infer?.(timeoutMs) ?? askAPerson,
  });
  const tasks = preset.tasks({ goal, checks, criteria, mayChange, ...(task === undefined ? {} : { task }) });
  const unused = unusedLoops(settings, preset);
  return {
    goal,
    file,
    tasks,
    policy: {
      ...(loops === undefined ? {} : { loops }),
      proposals: setting(settings, 'proposals') ?? 'person',
    },
    notes: [...notes, ...criteriaNotes(criteria), ...(unused === null ? [] : [unused])],
  };
}

interface Source extends Plan {
  readonly written: readonly WrittenCriterion[];
  readonly notes: readonly string[];
  readonly task?: { readonly id: string; readonly title: string };
}

async function sourceOf(
  place: Place,
  settings: Layer,
  { goal, isPlain }: PlanRequest,
  loops: LoopSettings | undefined,
): Promise<Source> {
  const taskFile = isPlain ? undefined : setting(settings, 'taskFile');
  if (taskFile !== undefined) {
    if (goal !== undefined)
      throw new OperatorError(
        'two-goals',
        'There is a goal on the command line and a task file.',
        'Give one of them; the task file says what is wanted.',
      );
    const { criteria, id, title, ...read } = await readTaskFile(place.cwd, taskFile);
    return { ...read, written: criteria, task: { id, title } };
  }
  const plan = await findPlan(place.root, settings, goal);
  // A preset that takes the whole at once leaves the lists of a goal as they are: text for the builder.
  if (loops === undefined || isPlain) return { ...plan, written: [], notes: [] };
  const { criteria } = criteriaOfMarkdown(plan.goal, plan.file ?? 'the goal');
  return { ...plan, written: criteria, notes: [] };
}

const askAPerson: Infer = async () => ({
  checks: null,
  why: 'no check could be found from the text',
  suggestion: null,
});
