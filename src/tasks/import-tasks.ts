// Imports tasks: from our own formats, a to-do list, headings, or GitHub issues. Pure but for the schema.
import { OperatorError } from '#base/operator-error.ts';
import { readItem } from './markdown-criteria.ts';
import { type Item, readBody } from './task-body.ts';
import { normalRank, rankOf } from './task-fields.ts';
import { readTasks } from './task-file.ts';
import { splitTasks } from './task-headings.ts';
import { linesOf, type TextLine } from './task-lines.ts';
import { badTaskFile, type Problem, problemList } from './task-problem.ts';
import type { WrittenCriterion } from '#tasks/criteria/written-criteria.ts';
import { plainTask, type WrittenTask } from './written-task.ts';

export type ImportFormat = 'markdown' | 'json' | 'jsonl' | 'github';

export interface Imported {
  readonly tasks: readonly WrittenTask[];
  readonly notes: readonly string[];
}

export interface ImportSource {
  readonly name: string;
  readonly format: ImportFormat;
  /** The first number for tasks without an id. */
  readonly firstNumber: number;
}

export async function importTasks(
  text: string,
  { name, format, firstNumber }: ImportSource,
): Promise<Imported> {
  if (format === 'github') return fromIssues(text, name);
  const loose = format === 'markdown' ? looseTasks(text, name, firstNumber) : null;
  if (loose !== null) return loose;
  const { tasks, problems } = await readTasks(text, { name, format, fallback: 'The task' });
  // Missing criteria are noted and marked; all other problems must be fixed first.
  const wrong = problems.filter((problem: Problem) => !problem.text.includes('has no acceptance criteria'));
  if (wrong.length > 0) throw badTaskFile(name, wrong);
  return { tasks: tasks.map(numberedId), notes: [] };
}

/** `12` becomes `task-12`, as for a heading "Task 12". */
function numberedId(task: WrittenTask): WrittenTask {
  const fixed = (id: string): string => (/^[\d.]+$/.test(id) ? `task-${id}` : id);
  return { ...task, id: fixed(task.id) };
}

/** Markdown without our task headings: sections or checkboxes. Null if it has them, or is one task. */
function looseTasks(text: string, name: string, firstNumber: number): Imported | null {
  const { lines } = linesOf(text);
  if (splitTasks(lines, () => {}) !== null) return null;
  const whole = readBody(lines, 'free');
  const sections = sectionsOf(lines);
  if (sections.length > 1) {
    const tasks = sections.map(({ title, lines: below }, index) =>
      plainTask(
        { id: `task-${firstNumber + index}`, title: title.text, ...bodyOf(below, name) },
        `${name}:${title.line}`,
        title.line,
      ),
    );
    return { tasks, notes: [] };
  }
  if (whole.fields.has('acceptance') || whole.items.length === 0) return null;
  const { tasks, notes } = fromBoxes(whole.items, name, firstNumber);
  return { tasks, notes: [...notes, ...withoutBox(whole.rest, name)] };
}

/** A to-do list: each open box is a task, the points below it its text. */
function fromBoxes(items: readonly Item[], name: string, firstNumber: number): Imported {
  const open = items.filter(({ isTicked }) => !isTicked);
  const done = items.length - open.length;
  const tasks = open.map((item, index) => {
    const read = readItem({ ...item, details: [] }, `${name}:${item.line}`);
    const criterion = 'criterion' in read ? read.criterion : null;
    const criteria = criterion === null || criterion.check === null ? [] : [criterion];
    const title = criterion?.text ?? item.text;
    const words = item.details.map((detail) => `- ${detail}`).join('\n');
    const id = `task-${firstNumber + index}`;
    return plainTask({ id, title, text: words, criteria }, `${name}:${item.line}`, item.line);
  });
  return {
    tasks,
    notes: done === 0 ? [] : [`${name}: ${done} of ${items.length} boxes are ticked and were left out.`],
  };
}

function withoutBox(rest: readonly string[], name: string): string[] {
  const [first, ...others] = rest.flatMap((line) => /^\s*(?:[-*+]|\d+[.)])\s+(\S.*)$/.exec(line)?.[1] ?? []);
  if (first === undefined) return [];
  const [count, sample] =
    others.length === 0
      ? ['1 point has', `"${first}"`]
      : [`${others.length + 1} points have`, `"${first}", …`];
  const were = others.length === 0 ? 'was' : 'were';
  return [`${name}: ${count} no box and ${were} omitted (${sample}); write - [ ] before each task.`];
}

interface Section {
  readonly title: { readonly text: string; readonly line: number };
  readonly lines: TextLine[];
}

/** By headings of the second level, or of the first if there are several. */
function sectionsOf(lines: readonly TextLine[]): Section[] {
  const firsts = lines.filter(({ heading }) => heading?.level === 1).length;
  const level = firsts > 1 ? 1 : 2;
  const sections: Section[] = [];
  for (const line of lines) {
    if (line.heading?.level === level)
      sections.push({ title: { text: line.heading.text, line: line.line }, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  const isField = ({ title }: Section): boolean =>
    readBody(linesOf(`## ${title.text}`).lines, 'free').fields.size > 0;
  return sections.some(isField) ? [] : sections;
}

/** Boxes and lists of criteria become criteria; the rest is text. */
function bodyOf(lines: readonly TextLine[], name: string): { text: string; criteria: WrittenCriterion[] } {
  const { items, rest } = readBody(lines, 'criteria');
  const criteria = items.flatMap((item) => {
    const read = readItem(item, `${name}:${item.line}`);
    if ('criterion' in read) return [read.criterion];
    const words = item.text.replaceAll(/\(check:/gi, '(check').trim();
    const plain = words === '' ? null : readItem({ ...item, text: words }, `${name}:${item.line}`);
    return plain !== null && 'criterion' in plain ? [plain.criterion] : [];
  });
  return { text: rest.join('\n').trim(), criteria };
}

interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

/** The output of `gh issue list --json number,title,body,labels`. */
function fromIssues(text: string, name: string): Imported {
  const issues = readIssues(text, name).toSorted((one, other) => one.number - other.number);
  const numbers = new Set(issues.map(({ number }) => number));
  const notes: string[] = [];
  const tasks = issues.map(({ number, title, body, labels }) => {
    const wanted = [...body.matchAll(/^\W*(?:depends on|blocked by)\b[\s:*]*((?:#\d+[\s,and]*)+)/gim)]
      .flatMap((found) => [...(found[1] ?? '').matchAll(/#(\d+)/g)].map((one) => Number(one[1])))
      .filter((other) => other !== number);
    const known = wanted.filter((other) => numbers.has(other));
    const gone = wanted.filter((other) => !numbers.has(other));
    if (gone.length > 0)
      notes.push(
        `#${number} depends on ${gone.map((other) => `#${other}`).join(', ')}, which ${gone.length === 1 ? 'is' : 'are'} not among these issues; that was left out.`,
      );
    return plainTask(
      {
        id: `GH-${number}`,
        title: title.trim() === '' ? `Issue ${number}` : title,
        ...bodyOf(linesOf(body).lines, `#${number}`),
        rank: rankOfLabels(labels),
        dependsOn: [...new Set(known)].map((other) => `GH-${other}`),
      },
      `${name}:${number}`,
      number,
    );
  });
  return { tasks, notes: [...notes, ...broughtCommands(tasks)] };
}

/** Anyone can write an issue, so its commands are listed for the person who reviews the file. */
function broughtCommands(tasks: readonly WrittenTask[]): string[] {
  const brought = tasks.flatMap(({ id, criteria }) =>
    criteria.flatMap(({ check }) =>
      typeof check === 'string' && check !== 'human' ? [`${id}: ${check}`] : [],
    ),
  );
  if (brought.length === 0) return [];
  return [
    'These issues contain checks that would run on this machine. Read them first:',
    problemList(brought),
  ];
}

/** `P1`, `high`, `priority: high`, `priority/high`, `high priority`. */
function rankOfLabels(labels: readonly string[]): number {
  for (const label of labels) {
    const word = label
      .toLowerCase()
      .replace(/\bprio(?:rity)?\b/, '')
      .replaceAll(/[^a-z0-9]+/g, '');
    const rank = rankOf(word);
    if ('value' in rank) return rank.value;
  }
  return normalRank;
}

/** Control characters, which an issue must not bring into a file that people view in a terminal. */
const controls = new RegExp(String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]`, 'g');

function readIssues(text: string, name: string): Issue[] {
  let value: unknown = null;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // Reported below.
  }
  if (!Array.isArray(value)) throw notIssues(name);
  return value.map((one: unknown) => {
    if (typeof one !== 'object' || one === null) throw notIssues(name);
    const { number, title, body, labels } = one as { [key: string]: unknown };
    if (typeof number !== 'number' || typeof title !== 'string') throw notIssues(name);
    return {
      number,
      title: title.replaceAll(controls, ''),
      body: typeof body === 'string' ? body.replaceAll(controls, '') : '',
      labels: Array.isArray(labels) ? labels.map(nameOfLabel) : [],
    };
  });
}

function nameOfLabel(label: unknown): string {
  if (typeof label === 'string') return label;
  const name = typeof label === 'object' && label !== null && 'name' in label ? label.name : '';
  return typeof name === 'string' ? name : '';
}

function notIssues(name: string): OperatorError {
  return new OperatorError(
    'bad-import',
    `${name} does not contain a list of issues.`,
    'Give the output of: gh issue list --json number,title,body,labels',
  );
}
