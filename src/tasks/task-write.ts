// Writes tasks as our own markdown, which reads back as the same tasks. Pure.
import { isDeepStrictEqual } from 'node:util';
import { tableOf } from '#tasks/criteria/check-shorthand.ts';
import { fieldNamed, nearField, normalRank, showRank } from './task-fields.ts';
import { nameOf } from './task-headings.ts';
import { linesOf } from './task-lines.ts';
import type { WrittenCriterion } from '#tasks/criteria/written-criteria.ts';
import type { WrittenTask } from './written-task.ts';

export function writeTasks(tasks: readonly WrittenTask[]): string {
  return tasks.map(writeTask).join('\n');
}

function writeTask(task: WrittenTask): string {
  const { id, title, text, context, rank, scope, dependsOn, agents, domain, mayChange } = task;
  const listed = (name: string, values: readonly string[]): string[] =>
    values.length === 0 ? [] : [`**${name}**: ${values.join(', ')}`];
  const entry = task.criteria.filter(({ kind }) => kind === 'entry');
  const exit = task.criteria.filter(({ kind }) => kind === 'exit');
  return [
    `## Task ${/^task-[\d.]+$/.test(id) ? id.slice('task-'.length) : id}: ${headline(title)}`,
    '',
    ...(rank === normalRank ? [] : [`**Priority**: ${showRank(rank)}`]),
    ...listed('Scope', scope),
    ...listed('Depends on', dependsOn),
    ...listed(
      'Agent',
      Object.entries(agents).map(([role, name]) => `${role}=${name}`),
    ),
    ...(domain === null ? [] : [`**Domain**: ${domain}`]),
    ...listed('May change', mayChange),
    ...(task.isSecurityCritical ? ['**Security critical**: yes'] : []),
    ...(text.trim() === '' ? [] : ['**Description**:', '', asProse(text), '']),
    ...(entry.length === 0 ? [] : ['**Entry Criteria**:', '', ...entry.map(writeCriterion), '']),
    '**Acceptance Criteria**:',
    '',
    ...(exit.length > 0 ? exit.map(writeCriterion) : forPerson(title)),
    ...(context.trim() === '' ? [] : ['', '**Context**:', '', asProse(context)]),
    '',
  ].join('\n');
}

/** A task without acceptance criteria needs a person's review until some are written. */
function forPerson(title: string): string[] {
  return [
    '<!-- No acceptance criteria were found. Write them here, with checks where you can. -->',
    `- [ ] a person has reviewed it: ${oneLine(title)} (human)`,
  ];
}

function writeCriterion({ id, text, required, when, check }: WrittenCriterion): string {
  const line = check === null || check === 'human' ? null : checkLine(check);
  const remarks = [
    ...(line === null ? [] : [`(check: ${line})`]),
    ...(check === 'human' || (check !== null && line === null) ? ['(human)'] : []),
    ...(when === 'acceptance' ? ['(at acceptance)'] : []),
    ...(required ? [] : ['(optional)']),
  ];
  const words = oneLine(text).replaceAll(/\(check:/gi, '(check');
  return `- [ ] ${[...(id === undefined ? [] : [`${id}:`]), words, ...remarks].join(' ')}`;
}

/** Checks that our markdown cannot express: a person decides them, and the importer is warned. */
export function unwritableChecks(tasks: readonly WrittenTask[]): string[] {
  return tasks.flatMap(({ id, criteria }) =>
    criteria.flatMap(({ text, check }) =>
      check === null || check === 'human' || checkLine(check) !== null
        ? []
        : [
            `${id}: the check of "${oneLine(text)}" does not fit on a line of markdown, so a person decides it. Write another check, or run the tasks from their original file. It was ${JSON.stringify(check)}`,
          ],
    ),
  );
}

/** A check on one line; null if it does not fit. */
export function checkLine(check: Exclude<WrittenCriterion['check'], null | 'human'>): string | null {
  if (typeof check === 'string') return check.includes('<!--') ? null : oneLine(check);
  const { run, file, contains, symbol, in: within, url } = check;
  const line =
    run ??
    url ??
    (file === undefined ? undefined : `file:${file}${contains === undefined ? '' : `=${contains}`}`) ??
    (symbol === undefined ? undefined : `symbol:${symbol}${within === undefined ? '' : `@${within}`}`);
  return line !== undefined && !/\n|<!--/.test(line) && isDeepStrictEqual({ ...tableOf(line) }, { ...check })
    ? line
    : null;
}

/** Keeps text as text: nothing in it starts a task, a field or a list of criteria, and fences are closed. */
function asProse(text: string): string {
  const { lines, unclosed } = linesOf(text.trim());
  const shown = lines.map(({ text: line, isCode, heading }) => {
    if (isCode) return line;
    if (heading !== null)
      return isReadAsField(heading.text)
        ? heading.text
        : `${'#'.repeat(Math.min(6, heading.level + 2))} ${heading.text}`;
    const label =
      /^(\s*(?:[-*+]\s+)?)(?:\*\*|__)([^*:：]{1,40}?)\s*(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：]|(?:\*\*|__)\s*$)(.*)$/.exec(
        line,
      );
    if (label !== null && isReadAsField(label[2] ?? ''))
      return `${label[1] ?? ''}${label[2] ?? ''}:${label[3] ?? ''}`;
    if (/^\**(?:acceptance|entry|exit) criteria\**:?\**\s*$/i.test(line))
      return `${line.replaceAll(/[*:]/g, '').trim()} –`;
    return line.replace(/^(\s*(?:[-*+]|\d+[.)])\s+)\[([ xX]?)\](?!\()/, '$1');
  });
  const fence =
    unclosed?.what === 'code fence'
      ? (/(`{3,}|~{3,})/.exec(lines[unclosed.line - 1]?.text ?? '')?.[1] ?? '```')
      : null;
  return [...shown, ...(fence === null ? [] : [fence])].join('\n').trim();
}

function isReadAsField(name: string): boolean {
  return (
    fieldNamed(name.replace(/:$/, '')) !== null ||
    nearField(name) !== null ||
    nameOf(name) !== null ||
    /\b(?:acceptance|exit|entry) (?:criteria|conditions)\b/i.test(name)
  );
}

/** A trailing # would be read as the end of the heading, so the heading gets an explicit end. */
function headline(title: string): string {
  const line = oneLine(title);
  return /(?:^| )#+$/.test(line) ? `${line} ##` : line;
}

/** The text on one line, opening no comment. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('<!--', '<! --').trim();
}
