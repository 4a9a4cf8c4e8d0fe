// The fields of a task file: their names, other names, and the meaning of their values. Pure.
import { clipped } from '#base/bounded-text.ts';
import { isInside } from '#tasks/criteria/check-table.ts';
import { suggest } from '#base/suggest.ts';

export type FieldName =
  | 'priority'
  | 'scope'
  | 'description'
  | 'acceptance'
  | 'entry'
  | 'context'
  | 'dependsOn'
  | 'agent'
  | 'domain'
  | 'mayChange'
  | 'securityCritical';

/** The shown name first, then other accepted names. */
const names: { readonly [field in FieldName]: readonly [string, ...string[]] } = {
  priority: ['Priority'],
  scope: ['Scope', 'Files'],
  description: ['Description'],
  acceptance: ['Acceptance Criteria', 'Exit Criteria'],
  entry: ['Entry Criteria', 'Entry Conditions'],
  context: ['Context'],
  dependsOn: ['Depends on', 'Dependencies'],
  agent: ['Agent'],
  domain: ['Domain'],
  mayChange: ['May change'],
  securityCritical: ['Security critical'],
};

const fields = Object.keys(names) as FieldName[];
const shown = fields.map((field) => names[field][0]);
const byName = new Map(fields.flatMap((field) => names[field].map((name) => [folded(name), field] as const)));

export function fieldNamed(name: string): FieldName | null {
  return byName.get(folded(name)) ?? null;
}

export function showField(field: FieldName): string {
  return names[field][0];
}

/** The field that a mistyped name probably means. */
export function nearField(name: string): string | null {
  const word = folded(name);
  const near = word.length < 4 ? null : suggest(word, byName.keys());
  const field = near === null ? null : byName.get(near);
  return field === null || field === undefined ? null : showField(field);
}

export function allFields(): string {
  return shown.join(', ');
}

/** `Security-critical`, `MAY CHANGE` and `depends_on` are accepted too. */
function folded(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}

export type Value<T> = { readonly value: T } | { readonly problem: string };

const ranks: { readonly [word: string]: number } = {
  critical: 0,
  urgent: 0,
  p0: 0,
  high: 1,
  p1: 1,
  medium: 2,
  normal: 2,
  p2: 2,
  low: 3,
  p3: 3,
};

export const normalRank = 2;

/** A number to sort by: 0 comes first. */
export function rankOf(text: string): Value<number> {
  const word = plain(text).toLowerCase();
  const rank = Object.hasOwn(ranks, word) ? ranks[word] : undefined;
  if (rank !== undefined) return { value: rank };
  const near = suggest(word, Object.keys(ranks));
  return {
    problem: `Priority is "${clip(text)}"; ${near === null ? 'it can be critical, high, medium or low' : `did you mean "${near}"?`}`,
  };
}

export function showRank(rank: number): string {
  return ['Critical', 'High', 'Medium', 'Low'][rank] ?? 'Medium';
}

export function truthOf(field: FieldName, text: string): Value<boolean> {
  const word = plain(text).toLowerCase();
  if (['yes', 'true', 'y'].includes(word)) return { value: true };
  if (['no', 'false', 'n', ''].includes(word)) return { value: false };
  return { problem: `${showField(field)} is "${clip(text)}"; write yes or no` };
}

/** Splits lines or lists at commas and semicolons outside braces; backticks are removed. */
export function listOf(lines: readonly string[]): string[] {
  return lines
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, ''))
    .flatMap(atCommas)
    .map(plain)
    .filter((part) => part !== '' && !isNothing(part));
}

function atCommas(line: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of line) {
    depth += char === '{' ? 1 : char === '}' ? -1 : 0;
    if (depth <= 0 && (char === ',' || char === ';')) parts.push('');
    else parts.push((parts.pop() ?? '') + char);
  }
  return parts;
}

export function pathProblem(field: FieldName, paths: readonly string[]): string | null {
  const outside = paths.find((path) => !isInside(path));
  return outside === undefined
    ? null
    : `${showField(field)} has "${clip(outside)}", which is not inside the repository; give paths or globs below the folder where the run is started`;
}

/** `codex:gpt-5` is the builder's; `builder=claude, verifier=codex` names roles. */
export function agentsOf(text: string): Value<{ readonly [role: string]: string }> {
  const agents: { [role: string]: string } = {};
  for (const part of listOf([text])) {
    const [, role = 'builder', agent = ''] = /^(?:([A-Za-z][\w-]*)\s*=\s*)?(.*)$/s.exec(part) ?? [];
    if (agent === '') return { problem: `Agent names no agent for the ${role}` };
    if (Object.hasOwn(agents, role)) return { problem: `Agent names two agents for the ${role}` };
    agents[role] = agent;
  }
  return { value: agents };
}

/** Why an id may not be part of file names, refs and commit messages; null if it may. */
export function idProblem(id: string): string | null {
  if (id.length > 64) return `the id "${clip(id)}" is longer than 64 characters`;
  const isFine = /^[A-Za-z0-9](?:[\w-]|\.(?!\.))*$/.test(id) && !/(?:\.|\.lock)$/.test(id);
  return isFine
    ? null
    : `the id "${clip(id)}" cannot be used; letters, digits, ".", "_" and "-" are fine, a letter or digit comes first`;
}

function clip(text: string): string {
  return clipped(text, 60);
}

function plain(text: string): string {
  return text
    .trim()
    .replace(/^(`+)(.*)\1$/s, '$2')
    .trim();
}

function isNothing(text: string): boolean {
  return /^(?:none|nothing|n\/a|-|–|—)$/i.test(text);
}
