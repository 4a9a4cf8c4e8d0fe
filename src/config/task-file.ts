// A task with its acceptance criteria, from a file: markdown with checkboxes, or JSON. Read once; a later tick changes nothing.
import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { OperatorError } from '#ports/operator-error.ts';
import { readJsonc } from './config-file.ts';
import { criteriaOfMarkdown } from './markdown-criteria.ts';
import type { WrittenCriterion } from './written-criteria.ts';

export interface TaskFile {
  readonly file: string;
  readonly id: string;
  readonly title: string;
  readonly goal: string;
  readonly criteria: readonly WrittenCriterion[];
  readonly notes: readonly string[];
}

export async function readTaskFile(cwd: string, name: string): Promise<TaskFile> {
  const file = resolve(cwd, name);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new OperatorError(
      'no-task-file',
      `The task file ${name} cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : String(error)}).`,
      'Give the path of a markdown or JSON file: untildone run --task-file tasks/login.md',
    );
  });
  const isJson = ['.json', '.jsonc'].includes(extname(file).toLowerCase());
  const task = isJson ? await fromJson(text, name, file) : fromMarkdown(text, name, file);
  if (task.criteria.length > 0) return task;
  throw new OperatorError(
    'no-criteria',
    `${name} has no acceptance criteria.`,
    'Write them as checkboxes below a heading "Acceptance Criteria": - [ ] the server answers /health (check: npm test)',
  );
}

function fromMarkdown(text: string, name: string, file: string): TaskFile {
  const { title, criteria, rest, ticked } = criteriaOfMarkdown(text.replace(/^\uFEFF/, ''), name);
  const heading = title ?? basename(file, extname(file));
  const named = /^([A-Z][A-Za-z0-9]*-\d+)\b[\s:.-]*(.*)$/.exec(heading);
  const ticks =
    ticked === 0
      ? []
      : [`${name} has ticked boxes (${ticked}); a tick proves nothing, so they are checked like the others.`];
  return {
    file,
    id: named?.[1] ?? 'main',
    title: (named?.[2] ?? '') === '' ? heading : (named?.[2] ?? heading),
    goal: rest === '' ? heading : rest,
    criteria,
    notes: ticks,
  };
}

async function fromJson(text: string, name: string, file: string): Promise<TaskFile> {
  const { taskFileSchema } = await import('./schema.ts');
  const { data, whereIs } = readJsonc(text.replace(/^\uFEFF/, ''), name, taskFileSchema);
  const title = data.title ?? basename(file, extname(file));
  return {
    file,
    id: data.id ?? 'main',
    title,
    goal: [data.title, data.description].filter((part) => part !== undefined).join('\n\n') || title,
    criteria: data.criteria.map((entry, index) => writtenOf(entry, whereIs(['criteria', index]))),
    notes: [],
  };
}

export interface CriterionTable {
  readonly id?: string | undefined;
  readonly text: string;
  readonly kind?: 'entry' | 'exit' | undefined;
  readonly required?: boolean | undefined;
  readonly when?: 'attempt' | 'acceptance' | undefined;
  readonly check?: WrittenCriterion['check'] | undefined;
}

/** An entry of a list in JSON: the text alone, or all of it. */
export function writtenOf(entry: string | CriterionTable, from: string): WrittenCriterion {
  const table: CriterionTable = typeof entry === 'string' ? { text: entry } : entry;
  const { id, text, kind = 'exit', required = true, when = 'attempt', check = null } = table;
  return { ...(id === undefined ? {} : { id }), text, kind, required, when, check, from };
}
