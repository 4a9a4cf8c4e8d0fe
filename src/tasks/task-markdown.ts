// Reads tasks from markdown: one per heading like `## Task 1: Title` or `## T-12: Title`, or one per file.
import { readItem } from './markdown-criteria.ts';
import { type Body, readBody, type Reading } from './task-body.ts';
import type { FieldName, Value } from './task-fields.ts';
import {
  agentsOf,
  idProblem,
  listOf,
  normalRank,
  pathProblem,
  rankOf,
  showField,
  truthOf,
} from './task-fields.ts';
import { linesOf, type TextLine } from './task-lines.ts';
import type { Problem } from './task-problem.ts';
import { nameOf, splitTasks, type TaskName } from './task-headings.ts';
import type { WrittenCriterion } from '#tasks/criteria/written-criteria.ts';
import { soleId, type TaskFields, type WrittenTask } from './written-task.ts';

export interface ReadTasks {
  readonly tasks: readonly WrittenTask[];
  readonly problems: readonly Problem[];
}

/** `name`: how messages call the file; `fallback`: the title of a file that has none. */
export function tasksOfMarkdown(text: string, name: string, fallback: string): ReadTasks {
  const { lines, unclosed } = linesOf(text);
  const problems: Problem[] = [];
  const report = (line: number, problem: string): void => {
    problems.push({ line, where: `${name}:${line}`, text: problem });
  };
  if (unclosed !== null)
    report(unclosed.line, `this ${unclosed.what} is never closed, so the rest of the file cannot be read`);
  const split = splitTasks(lines, report);
  const tasks =
    split === null
      ? [wholeFile(lines, fallback, { name, report })]
      : split.map((part) => taskOf(part.named, part.lines, 'strict', { name, report }));
  return { tasks, problems };
}

interface Reader {
  readonly name: string;
  readonly report: (line: number, problem: string) => void;
}

/** One task: its first heading is the title. */
function wholeFile(lines: readonly TextLine[], fallback: string, reader: Reader): WrittenTask {
  const at = lines.findIndex(({ heading }) => heading !== null && heading.text !== '');
  const title = lines[at];
  const isTitle = title?.heading !== undefined && title.heading !== null && isFirst(lines, at);
  const heading = isTitle ? (title.heading?.text ?? '') : fallback;
  const { id, title: words } = nameOf(heading) ?? { id: null, title: heading };
  const named = { id: id ?? soleId, title: words === '' ? heading : words, line: isTitle ? title.line : 1 };
  const body = isTitle ? [...lines.slice(0, at), ...lines.slice(at + 1)] : lines;
  return taskOf(named, body, 'free', reader);
}

/** A heading that names a field is no title. */
function isFirst(lines: readonly TextLine[], at: number): boolean {
  return readBody(lines.slice(at, at + 1), 'free').fields.size === 0;
}

function taskOf(named: TaskName, lines: readonly TextLine[], reading: Reading, reader: Reader): WrittenTask {
  const { report, name } = reader;
  const body = readBody(lines, reading);
  for (const { line, text } of body.problems) report(line, text);
  const problem = idProblem(named.id);
  if (problem !== null) report(named.line, problem);
  const { criteria, ticked } = criteriaOf(body, reader);
  const fields = fieldsOf(body, reader);
  if (!criteria.some(({ kind }) => kind === 'exit')) {
    const line = body.fields.get('acceptance')?.line ?? named.line;
    report(
      line,
      `task ${named.id} has no acceptance criteria; write them as checkboxes below **Acceptance Criteria**`,
    );
  }
  const placeOf = (field: FieldName) => {
    const line = body.fields.get(field)?.line ?? named.line;
    return { line, where: `${name}:${line}` };
  };
  return {
    id: named.id,
    title: named.title,
    text: body.rest.join('\n').trim(),
    context: (body.fields.get('context')?.lines ?? []).join('\n').trim(),
    ...fields,
    criteria,
    ticked,
    at: {
      line: named.line,
      where: `${name}:${named.line}`,
      dependsOn: placeOf('dependsOn'),
      agent: placeOf('agent'),
    },
  };
}

function criteriaOf(body: Body, { name, report }: Reader): { criteria: WrittenCriterion[]; ticked: number } {
  const criteria: WrittenCriterion[] = [];
  const seen = new Map<string, number>();
  for (const item of body.items) {
    const read = readItem(item, `${name}:${item.line}`);
    if ('problem' in read) {
      report(item.line, read.problem);
      continue;
    }
    const { id } = read.criterion;
    const other = id === undefined ? undefined : seen.get(id);
    if (other !== undefined) report(item.line, `the id ${id ?? ''} is already used in line ${other}`);
    else criteria.push(read.criterion);
    if (id !== undefined) seen.set(id, other ?? item.line);
  }
  return { criteria, ticked: body.items.filter(({ isTicked }) => isTicked).length };
}

function fieldsOf({ fields }: Body, { report }: Reader): TaskFields {
  const read = <T>(field: FieldName, none: T, parse: (lines: readonly string[]) => Value<T>): T => {
    const fieldValue = fields.get(field);
    if (fieldValue === undefined) return none;
    const value: Value<T> =
      fieldValue.lines.length === 0 ? { problem: `${showField(field)} is empty` } : parse(fieldValue.lines);
    if (!('problem' in value)) return value.value;
    report(fieldValue.line, value.problem);
    return none;
  };
  const paths = (field: FieldName) => (lines: readonly string[]) => {
    const value = listOf(lines);
    const problem = pathProblem(field, value);
    return problem === null ? { value } : { problem };
  };
  const words = (lines: readonly string[]): string => listOf(lines).join(', ');
  return {
    rank: read('priority', normalRank, (lines) => rankOf(words(lines))),
    scope: read<readonly string[]>('scope', [], paths('scope')),
    dependsOn: read<readonly string[]>('dependsOn', [], (lines) => ({ value: listOf(lines) })),
    agents: read<WrittenTask['agents']>('agent', {}, (lines) => agentsOf(words(lines))),
    domain: read<string | null>('domain', null, (lines) => ({ value: words(lines) || null })),
    mayChange: read<readonly string[]>('mayChange', [], paths('mayChange')),
    isSecurityCritical: read('securityCritical', false, (lines) => truthOf('securityCritical', words(lines))),
  };
}
