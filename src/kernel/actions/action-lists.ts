// The two lists in an agent's state that this program reads: tasks of the loop, hypotheses of a DEBUG turn.

export const actionTaskStatuses = ['pending', 'in_progress', 'done'] as const;

export interface ActionTask {
  readonly id: string;
  readonly title: string;
  readonly status: (typeof actionTaskStatuses)[number];
}

export const hypothesisStatuses = ['open', 'confirmed', 'rejected'] as const;

export interface Hypothesis {
  readonly id: string;
  readonly text: string;
  /** '' only while it is open. */
  readonly evidence: string;
  readonly status: (typeof hypothesisStatuses)[number];
}

/** An agent corrects a few problems at a time; more sentences do not help it. */
const problemsMax = 5;

export function taskProblems(value: unknown): readonly string[] {
  return listProblems('tasks', value, (item, name) => [
    ...textProblems(item, name, 'title'),
    ...choiceProblems(item, name, actionTaskStatuses),
  ]);
}

/** An open hypothesis needs no evidence yet; a decided one does. */
export function hypothesisProblems(value: unknown): readonly string[] {
  return listProblems('hypotheses', value, (item, name) => {
    const isOpen = item['status'] === 'open' && (item['evidence'] ?? '') === '';
    return [
      ...textProblems(item, name, 'text'),
      ...(isOpen ? [] : textProblems(item, name, 'evidence')),
      ...choiceProblems(item, name, hypothesisStatuses),
    ];
  });
}

export function readTasks(value: unknown): readonly ActionTask[] {
  if (value === undefined || taskProblems(value).length > 0) return [];
  return (value as ActionTask[]).map(({ id, title, status }) => ({ id, title, status }));
}

export function readHypotheses(value: unknown): readonly Hypothesis[] {
  if (value === undefined || hypothesisProblems(value).length > 0) return [];
  return (value as Hypothesis[]).map((one) => ({
    id: one.id,
    text: one.text,
    evidence: (one as Partial<Hypothesis>).evidence ?? '',
    status: one.status,
  }));
}

type Item = { readonly [key: string]: unknown };

function listProblems(
  list: string,
  value: unknown,
  problemsOf: (item: Item, name: string) => readonly string[],
): readonly string[] {
  if (!Array.isArray(value)) return [`state_updates.${list} is no list.`];
  const ids = new Set<unknown>();
  const problems: string[] = [];
  for (const [at, item] of (value as readonly unknown[]).entries()) {
    const name = `state_updates.${list}[${at}]`;
    problems.push(...(isItem(item) ? itemProblems(item, name, ids) : [`${name} is no object.`]));
    if (isItem(item)) problems.push(...problemsOf(item, name));
    if (problems.length >= problemsMax) break;
  }
  return problems.slice(0, problemsMax);
}

function itemProblems(item: Item, name: string, ids: Set<unknown>): readonly string[] {
  const problems = textProblems(item, name, 'id');
  if (problems.length > 0) return problems;
  if (ids.has(item['id'])) return [`${name}.id is ${shown(item['id'])}, which an earlier entry has too.`];
  ids.add(item['id']);
  return [];
}

function textProblems(item: Item, name: string, key: string): readonly string[] {
  const value = Object.hasOwn(item, key) ? item[key] : undefined;
  if (typeof value === 'string' && value.trim() !== '') return [];
  return [`${name}.${key} is ${shown(value)}; write a text.`];
}

function choiceProblems(item: Item, name: string, choices: readonly string[]): readonly string[] {
  const value = Object.hasOwn(item, 'status') ? item['status'] : undefined;
  if (typeof value === 'string' && choices.includes(value)) return [];
  return [`${name}.status is ${shown(value)}; use one of ${choices.join(', ')}.`];
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  return value === null ? 'null' : `of the type ${typeof value}`;
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
