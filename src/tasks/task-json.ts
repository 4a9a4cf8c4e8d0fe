// Reads tasks from JSON (one, a list, or { "tasks": [] }, comments allowed) and JSONL. Fields as in markdown.
import type { z } from 'zod';
import { checkJsonc, type JsonPath, type JsonPlace } from '#base/jsonc.ts';
import { readSentence } from './markdown-criteria.ts';
import { type WrittenCriterion, writtenOf } from '#tasks/criteria/written-criteria.ts';
import type { CriterionEntry, taskSchema } from './task-schema.ts';
import { agentsOf, idProblem, listOf, normalRank, pathProblem, rankOf } from './task-fields.ts';
import type { ReadTasks } from './task-markdown.ts';
import type { Problem } from './task-problem.ts';
import { soleId, type TaskFields, type WrittenTask } from './written-task.ts';

type TaskTable = z.infer<typeof taskSchema>;

interface Source {
  /** The position of a part of the task. */
  readonly placeOf: (path: JsonPath) => JsonPlace;
  readonly where: (place: JsonPlace) => string;
  readonly problems: Problem[];
}

export async function tasksOfJson(text: string, name: string, fallback: string): Promise<ReadTasks> {
  const { taskFileSchema, taskListSchema, taskSchema: single } = await import('./task-schema.ts');
  const where = ({ line, column }: JsonPlace): string => `${name}:${line}:${column}`;
  const read = checkJsonc<TaskTable | TaskTable[] | { tasks: TaskTable[] }>(text, (value) => {
    if (Array.isArray(value)) return taskListSchema;
    return typeof value === 'object' && value !== null && 'tasks' in value ? taskFileSchema : single;
  });
  if ('problems' in read) return { tasks: [], problems: read.problems.map((one) => readText(one, where)) };
  const { data, placeOf } = read;
  const problems: Problem[] = [];
  const source = (path: JsonPath): Source => ({
    placeOf: (below) => placeOf([...path, ...below]),
    where,
    problems,
  });
  const tasks = Array.isArray(data)
    ? data.map((table, index) => taskOf(table, { number: index + 1 }, source([index])))
    : 'tasks' in data
      ? data.tasks.map((table, index) => taskOf(table, { number: index + 1 }, source(['tasks', index])))
      : [taskOf(data, { title: fallback }, source([]))];
  return { tasks, problems };
}

export async function tasksOfJsonLines(text: string, name: string): Promise<ReadTasks> {
  const { taskSchema: single } = await import('./task-schema.ts');
  const problems: Problem[] = [];
  const tasks: WrittenTask[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (line.trim() === '') continue;
    const where = ({ column }: JsonPlace): string => `${name}:${index + 1}:${column}`;
    const shifted = (place: JsonPlace): JsonPlace => ({ ...place, line: index + 1 });
    const read = checkJsonc<TaskTable>(line, () => single);
    if ('problems' in read)
      problems.push(...read.problems.map((one) => ({ ...readText(one, where), line: index + 1 })));
    else
      tasks.push(
        taskOf(
          read.data,
          { number: tasks.length + 1 },
          { placeOf: (path) => shifted(read.placeOf(path)), where, problems },
        ),
      );
  }
  return { tasks, problems };
}

function readText(
  { at, problem }: { readonly at: JsonPlace; readonly problem: string },
  where: Source['where'],
): Problem {
  return { line: at.line, where: where(at), text: problem.replace('the configuration: ', 'a task ') };
}

/** A single task without a title takes its file's; one of many without an id takes its number. */
function taskOf(
  table: TaskTable,
  known: { number: number } | { title: string },
  source: Source,
): WrittenTask {
  const report = (path: JsonPath, text: string): void => {
    const place = source.placeOf(path);
    source.problems.push({ line: place.line, where: source.where(place), text });
  };
  const id = table.id ?? ('number' in known ? `task-${known.number}` : soleId);
  const problem = idProblem(id);
  if (problem !== null) report(['id'], problem);
  const title = table.title ?? ('title' in known ? known.title : firstLine(table.description));
  if (title === '') report([], `task ${id} has no title`);
  const criteria = criteriaOf(table, source, report);
  if (!criteria.some(({ kind }) => kind === 'exit'))
    report([], `task ${id} has no acceptance criteria; list them in "criteria"`);
  const place = source.placeOf([]);
  const depends = source.placeOf(['dependsOn']);
  return {
    id,
    title,
    text: table.description ?? '',
    context: table.context ?? '',
    ...fieldsOf(table, report),
    criteria,
    ticked: 0,
    at: {
      line: place.line,
      where: source.where(place),
      dependsOn: { line: depends.line, where: source.where(depends) },
      agent: { where: source.where(source.placeOf([table.agent === undefined ? 'agents' : 'agent'])) },
    },
  };
}

function firstLine(text = ''): string {
  return (
    text
      .split(/\r?\n/)
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}

type Report = (path: JsonPath, text: string) => void;
function fieldsOf(table: TaskTable, report: Report): TaskFields {
  const scope = [...partsOf(table.scope), ...partsOf(table.files)];
  const mayChange = partsOf(table.mayChange);
  for (const [field, problem] of [
    ['scope', pathProblem('scope', scope)],
    ['mayChange', pathProblem('mayChange', mayChange)],
  ] as const) {
    if (problem !== null) report([field], problem);
  }
  const rank = table.priority === undefined ? { value: normalRank } : rankOf(table.priority);
  if ('problem' in rank) report(['priority'], rank.problem);
  const agents = table.agent === undefined ? { value: {} } : agentsOf(table.agent);
  if ('problem' in agents) report(['agent'], agents.problem);
  return {
    rank: 'value' in rank ? rank.value : normalRank,
    scope,
    dependsOn: partsOf(table.dependsOn),
    agents: { ...('value' in agents ? agents.value : {}), ...table.agents },
    domain: table.domain ?? null,
    mayChange,
    isSecurityCritical: table.securityCritical ?? false,
  };
}

function partsOf(value: string | readonly string[] | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? listOf([value]) : [...value];
}

function criteriaOf(table: TaskTable, source: Source, report: Report): WrittenCriterion[] {
  const criteria: WrittenCriterion[] = [];
  for (const key of ['entryCriteria', 'criteria', 'acceptanceCriteria'] as const) {
    for (const [index, entry] of (table[key] ?? []).entries()) {
      const from = source.where(source.placeOf([key, index]));
      const read = criterionOf(entry, key === 'entryCriteria' ? 'entry' : 'exit', from);
      if ('problem' in read) report([key, index], read.problem);
      else criteria.push(read.criterion);
    }
  }
  return criteria;
}

/** A plain text may hold what a markdown line holds: an id, a check, remarks. */
function criterionOf(
  entry: CriterionEntry,
  kind: 'entry' | 'exit',
  from: string,
): { readonly criterion: WrittenCriterion } | { readonly problem: string } {
  if (typeof entry !== 'string') return { criterion: writtenOf({ kind, ...entry }, from) };
  return readSentence(entry, from, kind);
}
