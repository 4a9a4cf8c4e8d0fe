// Reads a task file (markdown, JSON or JSONL) once; later ticks or changes in the file have no effect.
import { readFile, stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { errorCode } from '#base/error-code.ts';
import { OperatorError } from '#base/operator-error.ts';
import { orderTasks } from './task-graph.ts';
import { type ReadTasks, tasksOfMarkdown } from './task-markdown.ts';
import { soleId, type WrittenTask } from './written-task.ts';
import { badTaskFile } from './task-problem.ts';

export interface TaskFile {
  readonly file: string;
  /** In the order in which they start. */
  readonly tasks: readonly WrittenTask[];
  readonly notes: readonly string[];
}

export type TaskFormat = 'markdown' | 'json' | 'jsonl';

/** Far above any file written by hand; a wrong file should not be read for minutes. */
const bytesMax = 5_000_000;
const tasksMax = 5000;

/** `known` and `freeId` are for a run that has tasks already: a single task without an id gets `freeId`. */
export async function readTaskFile(
  cwd: string,
  name: string,
  {
    command,
    ...among
  }: { readonly known?: readonly string[]; readonly freeId?: string; readonly command?: string } = {},
): Promise<TaskFile> {
  const file = resolve(cwd, name);
  const text = await readText(file, name, command);
  const { tasks, notes } = await parseTasks(text, {
    name,
    format: formatOf(file),
    fallback: basename(file, extname(file)),
    ...among,
  });
  return { file, tasks, notes };
}

export interface TaskSource {
  /** As messages call it. */
  readonly name: string;
  readonly format: TaskFormat;
  /** The title of a single task that has none. */
  readonly fallback: string;
  /** Ids of existing tasks. */
  readonly known?: readonly string[];
  /** The id of a single task that has none. */
  readonly freeId?: string;
}

/** Contract: throws all problems at once. */
export async function parseTasks(
  text: string,
  source: TaskSource,
): Promise<Pick<TaskFile, 'tasks' | 'notes'>> {
  const { name } = source;
  const read = await readTasks(text, source);
  const named = read.tasks.map((task) =>
    task.id === soleId ? { ...task, id: source.freeId ?? soleId } : task,
  );
  const { tasks, problems } = orderTasks(named, source.known);
  const all = [...read.problems, ...problems];
  if (all.length > 0) throw badTaskFile(name, all);
  if (tasks.length > tasksMax)
    throw new OperatorError(
      'bad-task-file',
      `${name} has ${tasks.length} tasks; the limit is ${tasksMax}.`,
      'Split it into several files.',
    );
  return { tasks, notes: ticks(tasks, name) };
}

/** Reads the tasks with all problems; throws only for a file without tasks. */
export async function readTasks(text: string, { name, format, fallback }: TaskSource): Promise<ReadTasks> {
  if (text.replace(/^\uFEFF/, '').trim() === '')
    throw new OperatorError(
      'bad-task-file',
      `${name} is empty.`,
      'Write a task: ## Task 1: Title, then **Acceptance Criteria** with checkboxes.',
    );
  if (format === 'markdown') return tasksOfMarkdown(text, name, fallback);
  const { tasksOfJson, tasksOfJsonLines } = await import('./task-json.ts');
  const read =
    format === 'jsonl'
      ? await tasksOfJsonLines(text, name)
      : await tasksOfJson(text.replace(/^\uFEFF/, ''), name, fallback);
  if (read.tasks.length > 0 || read.problems.length > 0) return read;
  throw new OperatorError(
    'bad-task-file',
    `${name} has no tasks.`,
    'List them: [{ "title": "…", "criteria": ["…"] }]',
  );
}

export function formatOf(file: string): TaskFormat {
  const end = extname(file).toLowerCase();
  if (end === '.json' || end === '.jsonc') return 'json';
  return end === '.jsonl' || end === '.ndjson' ? 'jsonl' : 'markdown';
}

function whyUnreadable(error: unknown): string {
  const code = errorCode(error) ?? String(error);
  return code === 'ENOENT' ? ': there is no such file' : ` (${code})`;
}

/** `command`: the command that the file was given to. */
export async function readText(
  file: string,
  name: string,
  command = 'untildone run --task-file',
): Promise<string> {
  const unreadable = (error: unknown): OperatorError =>
    new OperatorError(
      'no-task-file',
      `The task file ${name} cannot be read${whyUnreadable(error)}.`,
      `Give the path of a markdown, JSON or JSONL file: ${command} tasks/login.md`,
    );
  const { size } = await stat(file).catch((error: unknown) => {
    throw unreadable(error);
  });
  if (size > bytesMax)
    throw new OperatorError(
      'bad-task-file',
      `${name} has ${size} bytes; the limit is ${bytesMax}.`,
      'Is it the right file? Split it into several.',
    );
  const bytes = await readFile(file).catch((error: unknown) => {
    throw unreadable(error);
  });
  return decode(bytes, name);
}

export function decode(bytes: Uint8Array, name: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Not UTF-8; reported below.
  }
  throw new OperatorError('bad-task-file', `${name} is not text in UTF-8.`, 'Save it as UTF-8.');
}

function ticks(tasks: readonly WrittenTask[], name: string): string[] {
  const ticked = tasks.reduce((sum, task) => sum + task.ticked, 0);
  return ticked === 0
    ? []
    : [`${name} has ticked boxes (${ticked}); a tick proves nothing, so these are checked too.`];
}
