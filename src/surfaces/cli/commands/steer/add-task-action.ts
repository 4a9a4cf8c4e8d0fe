// `add-task`: adds tasks to an active run, from any terminal.
import { placeFor } from '#kernel/planning/place-task.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Task } from '#kernel/model/task.ts';
import type { WrittenTask } from '#tasks/written-task.ts';
import { OperatorError } from '#base/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { sendQuietly, inWords } from '#surfaces/cli/send-control.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { inferLazily } from '#app/run/infer-lazily.ts';
import { pickTask } from '#surfaces/cli/pick/pick-task.ts';
import { pickUnfinished } from '#surfaces/cli/pick/pick-unfinished.ts';

export interface AddTaskOptions {
  readonly run?: string;
  readonly file?: string;
  readonly id?: string;
  readonly description?: string;
  readonly priority?: string;
  readonly check?: readonly string[];
  readonly criterion?: readonly string[];
  readonly dependsOn?: readonly string[];
  readonly scope?: readonly string[];
  readonly mayChange?: readonly string[];
  readonly json?: boolean;
}

export async function addTaskCommand(title: string | undefined, options: AddTaskOptions): Promise<number> {
  await refuseFromInside('untildone add-task');
  const { site, known } = await pickUnfinished(options.run, { command: 'add-task … --run' });
  const written =
    options.file === undefined
      ? [await fromWords(known.run, title, options)]
      : await fromFile(known.run, site.cwd, title, options);
  const { addedTask } = await import('#tasks/added-task.ts');
  const { defaultCheckTimeoutMs: timeoutMs } = await import('#tasks/criteria/checks.ts');
  const adding = { timeoutMs, infer: inferLazily(site)(timeoutMs) };
  // All tasks are parsed before the first one is submitted.
  const tasks = [];
  for (const one of written) tasks.push(await addedTask(known.run, one, adding));
  const added = [];
  for (const task of tasks) {
    const landed = await sendQuietly(site, known, { kind: 'add-task', task });
    added.push({ taskId: task.id, ...landed });
    if (options.json !== true)
      print(inWords(landed, `Added task ${task.id} - ${task.title}${place(known.run, task)}.`));
  }
  if (options.json === true) printJson(options.file === undefined ? added[0] : added);
  return 0;
}

function place(run: Run, task: Task): string {
  const before = placeFor(run, task);
  const wait = task.dependsOn.length === 0 ? '' : `, after ${task.dependsOn.join(', ')}`;
  return before === null ? wait : `${wait}, before ${before}`;
}

async function fromFile(
  run: Run,
  cwd: string,
  title: string | undefined,
  { file = '', id }: AddTaskOptions,
): Promise<readonly WrittenTask[]> {
  if (title !== undefined || id !== undefined)
    throw new OperatorError('two-tasks', 'Both a file and a title or id are given.', 'Give one of them.');
  const { readTaskFile } = await import('#tasks/task-file.ts');
  const { tasks } = await readTaskFile(cwd, file, {
    known: [...run.tasks.keys()],
    freeId: freeId(run),
    command: 'untildone add-task --file',
  });
  return tasks;
}

async function fromWords(run: Run, title: string | undefined, options: AddTaskOptions): Promise<WrittenTask> {
  const { check = [], criterion = [], dependsOn = [], scope = [], mayChange = [] } = options;
  if (title === undefined)
    throw new OperatorError(
      'no-task',
      'There is no title and no file, so there is nothing to add.',
      'For example: untildone add-task "Log out" --criterion "the button works (check: npm test)"',
    );
  if (check.length + criterion.length === 0)
    throw new OperatorError(
      'no-criteria',
      'The task has no acceptance criteria, so nothing can show when it is done.',
      'Add a criterion: --criterion "…", or a check: --check "npm test"',
    );
  const { taskOfWords } = await import('#tasks/added-task.ts');
  return taskOfWords({
    title,
    id: options.id ?? freeId(run),
    description: options.description ?? '',
    criteria: [...criterion, ...check.map((one) => `(check: ${one})`)],
    scope,
    dependsOn: dependsOn.map((name) => pickTask(run, name).spec.id),
    mayChange,
    priority: options.priority,
  });
}

function freeId(run: Run): string {
  let number = run.tasks.size + 1;
  while (run.tasks.has(`task-${number}`)) number += 1;
  return `task-${number}`;
}
