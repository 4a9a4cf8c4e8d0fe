// A plan as it is written: by the architect between two tags, or by a person in plan.json. Reading says what is wrong, all of it.
export interface WrittenPlan {
  readonly summary: string;
  readonly tasks: readonly WrittenTask[];
  /** Tasks of the plan before that this one does without. */
  readonly dropped: readonly { readonly id: string; readonly why: string }[];
}

export interface WrittenTask {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** What it reads or changes; `creates` is what is not there yet. */
  readonly files: readonly string[];
  readonly creates: readonly string[];
  readonly hints: readonly string[];
  readonly dependsOn: readonly string[];
  readonly domain: string | null;
  readonly entryCriteria: readonly WrittenPlanCriterion[];
  readonly exitCriteria: readonly WrittenPlanCriterion[];
  /** As a view of a plan tells it: what is over is not planned again. */
  readonly isOver: boolean;
  /** Pinned files that it may change; only a person's plan can say so. */
  readonly mayChange: readonly string[];
}

export interface WrittenPlanCriterion {
  readonly text: string;
  /** As in a configuration: a command, a table, or 'human'; null: to be found from the text. */
  readonly check: unknown;
}

export type PlanReading =
  | { readonly plan: WrittenPlan; readonly problems: readonly [] }
  | { readonly plan: null; readonly problems: readonly [string, ...string[]] };

const taskFields = [
  'id',
  'title',
  'description',
  'files',
  'creates',
  'hints',
  'dependsOn',
  'domain',
  'entryCriteria',
  'exitCriteria',
  'mayChange',
  'status',
];

export function readPlan(text: string): PlanReading {
  const found = jsonIn(text);
  if ('problem' in found) return { plan: null, problems: [found.problem] };
  const problems: string[] = [];
  const root = isRecord(found.value) ? found.value : Array.isArray(found.value) ? { tasks: found.value } : {};
  const entries = root['tasks'];
  if (!Array.isArray(entries)) return { plan: null, problems: ['the plan has no list "tasks"'] };
  const tasks = entries.map((entry: unknown, index) => readTask(entry, index, problems));
  const dropped = listOf(root['dropped']).flatMap((entry) => {
    if (isRecord(entry) && typeof entry['id'] === 'string')
      return [{ id: entry['id'], why: textOf(entry['why']) || 'the new plan does without it' }];
    problems.push('an entry of "dropped" is not {"id": …, "why": …}');
    return [];
  });
  const [first, ...others] = problems;
  if (first !== undefined) return { plan: null, problems: [first, ...others] };
  return { plan: { summary: textOf(root['summary']), tasks, dropped }, problems: [] };
}

/** Around it there may be a code fence or a sentence. */
function jsonIn(text: string): { readonly value: unknown } | { readonly problem: string } {
  const from = text.search(/[[{]/);
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  if (from < 0 || to < from) return { problem: 'there is no JSON in it' };
  try {
    return { value: JSON.parse(text.slice(from, to + 1)) as unknown };
  } catch (error) {
    const cut = /\[… (\d+) characters left out …\]/.exec(text)?.[1];
    if (cut !== undefined)
      return {
        problem: `it is too long: ${cut} characters of it were left out; plan the next part of the way only`,
      };
    return { problem: `its JSON cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function readTask(entry: unknown, index: number, problems: string[]): WrittenTask {
  const table = isRecord(entry) ? entry : {};
  const id = textOf(table['id']);
  const name = id === '' ? `task ${index + 1}` : id;
  const say = (what: string): void => void problems.push(`${name}: ${what}`);
  if (!isRecord(entry)) say('it is no object');
  for (const field of Object.keys(table))
    if (!taskFields.includes(field))
      say(`it has the unknown field "${field}" (known: ${taskFields.join(', ')})`);
  if (id === '') say('it has no "id"');
  const title = textOf(table['title']);
  const description = textOf(table['description']);
  if (title === '' && description === '') say('it has neither "title" nor "description"');
  const texts = (field: string): string[] => readTexts(table[field], field, say);
  return {
    id,
    title: title === '' ? (description.split('\n')[0] ?? '').slice(0, 100) : title,
    description: description === '' ? title : description,
    files: texts('files'),
    creates: texts('creates'),
    hints: texts('hints'),
    dependsOn: texts('dependsOn'),
    domain: textOf(table['domain']) || null,
    entryCriteria: readCriteria(table['entryCriteria'], 'entryCriteria', say),
    exitCriteria: readCriteria(table['exitCriteria'], 'exitCriteria', say),
    mayChange: texts('mayChange'),
    isOver: ['landed', 'skipped', 'dropped'].includes(textOf(table['status'])),
  };
}

function readTexts(value: unknown, field: string, say: (what: string) => void): string[] {
  const list = listOf(value);
  if (value !== undefined && !Array.isArray(value)) say(`"${field}" is no list`);
  const texts = list.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  if (texts.length < list.length) say(`"${field}" holds something that is no text`);
  return texts.map((one) => one.trim());
}

function readCriteria(value: unknown, field: string, say: (what: string) => void): WrittenPlanCriterion[] {
  if (value !== undefined && !Array.isArray(value)) say(`"${field}" is no list`);
  return listOf(value).flatMap((entry) => {
    if (typeof entry === 'string' && entry.trim() !== '') return [{ text: entry.trim(), check: null }];
    if (isRecord(entry) && textOf(entry['text']) !== '')
      return [{ text: textOf(entry['text']), check: entry['check'] ?? null }];
    say(`an entry of "${field}" is neither a sentence nor {"text": …, "check": …}`);
    return [];
  });
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
