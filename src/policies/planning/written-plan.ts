// Reads a plan as the architect (between tags) or a person (plan.json) wrote it, and reports every problem.
import { isRecord } from '#base/record.ts';
import { errorText } from '#base/error-text.ts';
export interface WrittenPlan {
  readonly summary: string;
  readonly tasks: readonly WrittenPlanTask[];
  /** Tasks of the previous plan that this plan removes. */
  readonly dropped: readonly { readonly id: string; readonly why: string }[];
}

export interface WrittenPlanTask {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** What it reads or changes; `creates` lists the files that do not exist yet. */
  readonly files: readonly string[];
  readonly creates: readonly string[];
  readonly hints: readonly string[];
  readonly dependsOn: readonly string[];
  readonly domain: string | null;
  readonly entryCriteria: readonly WrittenPlanCriterion[];
  readonly exitCriteria: readonly WrittenPlanCriterion[];
  /** Finished, or added by the policy, which adds it again itself. Not planned again. */
  readonly isOver: boolean;
  /** Pinned files it may change, agents by role, whether its failure stops all: only a person sets these. */
  readonly mayChange: readonly string[];
  readonly agents: { readonly [role: string]: string };
  readonly isSecurityCritical: boolean;
  /** 0 comes first; null if no priority is given. */
  readonly rank: number | null;
  /** Why a new plan adds or changes it; '' if no reason is given. */
  readonly why: string;
}

/** Of a plan file, the most urgent first. */
const priorities = ['critical', 'high', 'medium', 'low'];

export interface WrittenPlanCriterion {
  readonly id?: string;
  readonly text: string;
  readonly required: boolean;
  readonly when: 'attempt' | 'acceptance';
  /** As in a configuration: a command, a table, or 'human'; null: derived from the text. */
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
  'agents',
  'securityCritical',
  'priority',
  'why',
  'status',
  'by',
];
const criterionFields = ['id', 'text', 'check', 'required', 'when'];

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
      return [{ id: entry['id'], why: textOf(entry['why']) || 'the new plan drops it' }];
    problems.push('an entry of "dropped" is not {"id": …, "why": …}');
    return [];
  });
  const [first, ...others] = problems;
  if (first !== undefined) return { plan: null, problems: [first, ...others] };
  return { plan: { summary: textOf(root['summary']), tasks, dropped }, problems: [] };
}

/** A code fence or a sentence may surround the JSON. */
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
    return { problem: `its JSON cannot be read: ${errorText(error)}` };
  }
}

function readTask(entry: unknown, index: number, problems: string[]): WrittenPlanTask {
  const table = isRecord(entry) ? entry : {};
  const id = textOf(table['id']);
  const name = id === '' ? `task ${index + 1}` : id;
  const report = (what: string): void => void problems.push(`${name}: ${what}`);
  if (!isRecord(entry)) report('it is not an object');
  for (const field of Object.keys(table))
    if (!taskFields.includes(field))
      report(`it has the unknown field "${field}" (known: ${taskFields.join(', ')})`);
  if (id === '') report('it has no "id"');
  const title = textOf(table['title']);
  const description = textOf(table['description']) === '' ? '' : String(table['description']);
  if (title === '' && description === '') report('it has neither "title" nor "description"');
  const texts = (field: string): string[] => readTexts(table[field], field, report);
  return {
    id,
    title: title === '' ? (description.trim().split('\n')[0] ?? '').trim().slice(0, 100) : title,
    description: description === '' ? title : description,
    files: texts('files'),
    creates: texts('creates'),
    hints: texts('hints'),
    dependsOn: texts('dependsOn'),
    domain: textOf(table['domain']) || null,
    entryCriteria: readCriteria(table['entryCriteria'], 'entryCriteria', report),
    exitCriteria: readCriteria(table['exitCriteria'], 'exitCriteria', report),
    mayChange: texts('mayChange'),
    agents: readAgents(table['agents'], report),
    isSecurityCritical: readFlag(table['securityCritical'], 'securityCritical', report) ?? false,
    rank: readRank(table['priority'], report),
    why: textOf(table['why']),
    isOver:
      ['landed', 'skipped', 'dropped'].includes(textOf(table['status'])) || textOf(table['by']) === 'policy',
  };
}

function readTexts(value: unknown, field: string, report: Report): string[] {
  const list = listOf(value);
  if (value !== undefined && !Array.isArray(value)) report(`"${field}" is no list`);
  const texts = list.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  if (texts.length < list.length) report(`"${field}" holds something that is no text`);
  return texts.map((one) => one.trim());
}

type Report = (what: string) => void;

function readCriteria(value: unknown, field: string, report: Report): WrittenPlanCriterion[] {
  if (value !== undefined && !Array.isArray(value)) report(`"${field}" is no list`);
  return listOf(value).flatMap((entry) => {
    const table = typeof entry === 'string' ? { text: entry } : entry;
    if (isRecord(table) && textOf(table['text']) !== '') return [readCriterion(table, report)];
    report(`an entry of "${field}" is neither a sentence nor {"text": …, "check": …}`);
    return [];
  });
}

function readCriterion(table: Record<string, unknown>, report: Report): WrittenPlanCriterion {
  const text = textOf(table['text']);
  const about: Report = (what) => report(`the criterion "${text.slice(0, 60)}": ${what}`);
  for (const field of Object.keys(table))
    if (!criterionFields.includes(field))
      about(`it has the unknown field "${field}" (known: ${criterionFields.join(', ')})`);
  const { id, when } = table;
  const isId = typeof id === 'string' && /^[\w.-]+$/.test(id);
  if (id !== undefined && !isId) about('its "id" may hold letters, digits, ".", "_" and "-" only');
  if (when !== undefined && when !== 'attempt' && when !== 'acceptance')
    about('its "when" is neither "attempt" nor "acceptance"');
  return {
    ...(isId ? { id } : {}),
    text,
    required: readFlag(table['required'], 'required', about) ?? true,
    when: when === 'acceptance' ? when : 'attempt',
    check: table['check'] ?? null,
  };
}

function readFlag(value: unknown, field: string, report: Report): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  report(`"${field}" is neither true nor false`);
  return undefined;
}

function readRank(value: unknown, report: Report): number | null {
  if (value === undefined) return null;
  const rank = priorities.indexOf(textOf(value).toLowerCase());
  if (rank < 0) report(`"priority" is none of ${priorities.join(', ')}`);
  return rank < 0 ? null : rank;
}

function readAgents(value: unknown, report: Report): WrittenPlanTask['agents'] {
  const entries = isRecord(value) ? Object.entries(value) : [];
  const isFine = entries.every((entry): entry is [string, string] => textOf(entry[1]) !== '');
  if (value !== undefined && (!isRecord(value) || !isFine))
    report('"agents" is no table of roles and agents');
  return Object.fromEntries(entries.map(([role, agent]) => [role, textOf(agent)]));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
