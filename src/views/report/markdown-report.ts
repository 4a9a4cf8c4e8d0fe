// The report as markdown: the text of a pull request.
import { trialLine } from './calibration.ts';
import type { ReportedCriterion, ReportInput, ReportPage } from './report-page.ts';
import { ledgerWord, reportPage } from './report-page.ts';
import { count, shortened } from '#views/words.ts';

const rowsMax = 100;
const outputChars = 2_000;
/** The newest of them; the web page has more, with their output. */
const failedMax = 5;
const sessionsMax = 30;

export function markdownReport(input: ReportInput): string {
  const page = reportPage(input);
  const text = [
    `## ${page.outcome.mark} ${page.outcome.word}: ${inline(page.title, 120)}`,
    '',
    inline(page.outcome.reason, 400),
    '',
    ...table(['criterion', 'decided by', 'before', 'now'], page.criteria.map(criterionRow)),
    ...outputs(page.criteria),
    ...section('Reviewers', page.reviews.filter((one) => one.verdict !== null).flatMap(reviewLines)),
    ...section('Calibration', calibrationLines(page)),
    ...section('Tamper ledger', ledgerLines(page)),
    ...(page.stat === '' ? [] : ['### Changes', '', ...fenced(page.stat), '']),
    ...section('Failed attempts', page.failed.attempts.slice(-failedMax).flatMap(failedLines)),
    ...section('Cost', costLines(page)),
    ...section(
      'Worth knowing',
      page.warnings.map((warning) => `- ${inline(warning, 1000)}`),
    ),
    '### Commands',
    '',
    ...fenced(page.commands.join('\n'), 'sh'),
    '',
    ...page.facts.map(([name, value]) => `- ${name}: ${code(value)}`),
    '',
  ].join('\n');
  return input.redact(text);
}

function criterionRow(one: ReportedCriterion): string[] {
  const required = one.required ? '' : ' (not required)';
  const by = one.isMachine ? code(one.by) : inline(one.by, 140);
  return [`${toneMark(one.tone)} ${inline(one.text, 140)}${required}`, by, one.before, one.after];
}

function outputs(criteria: readonly ReportedCriterion[]): string[] {
  const telling = criteria.filter((one) => one.output.trim() !== '');
  return telling.flatMap((one) => [
    `<details><summary>${plain(`${one.id}: ${shortened(one.reason ?? one.state, 200)}`)}</summary>`,
    '',
    ...fenced(one.output.slice(-outputChars)),
    '',
    '</details>',
    '',
  ]);
}

function reviewLines({ role, agent, model, verdict, blockers }: ReportPage['reviews'][number]): string[] {
  return [
    `- ${inline(role, 60)} (${inline(agent, 60)}${model === null ? '' : `, ${inline(model, 60)}`}): **${verdict ?? 'no verdict'}**`,
    ...blockers.map((one) => `  - ${inline(one.severity, 20)}: ${inline(one.what, 200)}`),
  ];
}

function calibrationLines({ calibration: { line, checks } }: ReportPage): string[] {
  if (line === '') return [];
  const details = checks
    .slice(0, rowsMax)
    .flatMap(({ taskId, id, state, trials }) => [
      `- ${inline(`${taskId}/${id}`, 120)}: ${state}`,
      ...trials.map((one) => `  - ${inline(trialLine(one), 400)}`),
    ]);
  return [
    inline(line.replace(/^Calibration: /, ''), 1000),
    ...(details.length === 0 ? [] : ['', ...details]),
  ];
}

function failedLines({
  taskId,
  attempt,
  reason,
  checks,
}: ReportPage['failed']['attempts'][number]): string[] {
  const tests = checks.flatMap((one) => one.tests).slice(0, 10);
  return [
    `- ${taskId === 'main' ? '' : `${inline(taskId, 60)}, `}attempt ${attempt}: ${inline(reason, 300)}`,
    ...tests.map((name) => `  - ${inline(name, 160)}`),
  ];
}

/** Totals, then one line per session. */
function costLines({ cost, sessions }: ReportPage): string[] {
  const shown = sessions.slice(-sessionsMax);
  const left = sessions.length - shown.length;
  const lines = shown.map(({ session, agent, model, tokens, usd, payer, duration }) =>
    inline(
      `${session}: ${agent}, model ${model}; tokens ${tokens}, USD ${usd}, payer ${payer}, time ${duration}`,
      300,
    ),
  );
  return [
    ...cost.map(([name, value]) => `- ${name}: ${inline(value, 200)}`),
    ...(left === 0 ? [] : [`- ${count(left, 'earlier session')} not listed here`]),
    ...lines.map((line) => `- ${line}`),
  ];
}

function ledgerLines({ tampering }: ReportPage): string[] {
  if (tampering.length === 0) return ['No pinned file was changed.'];
  return tampering
    .slice(-rowsMax)
    .map(
      (one) =>
        `- ${code(one.path)} ${one.change}${one.session === null ? '' : ` by ${inline(one.session, 80)}`}: ${ledgerWord(one.state)}${one.by === null ? '' : ` (${inline(one.by, 80)})`}`,
    );
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`### ${title}`, '', ...lines, ''];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return ['There are no criteria.', ''];
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  const left = rows.length > rowsMax ? [`${rows.length - rowsMax} more are in the journal.`, ''] : [];
  return [line(head), line(head.map(() => '---')), ...rows.slice(0, rowsMax).map(line), '', ...left];
}

function toneMark(tone: 'good' | 'bad' | 'open'): string {
  return { good: '✅', bad: '❌', open: '⏳' }[tone];
}

/** Readers of markdown divide a row at each bar, even in code. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** Untrusted text on one line: no markup, no mention. Text between backticks stays code. */
function inline(text: string, max: number): string {
  // Odd parts were between backticks; beside another backtick they would not end where they seem to.
  const parts = shortened(text, max).split(/(?<!`)`([^`\n]+)`(?!`)/);
  return parts.map((part, at) => (at % 2 === 0 ? escaped(part) : code(part))).join('');
}

function escaped(text: string): string {
  return plain(text.replaceAll(/[\\`*_{}[\]~#]/g, (sign) => `\\${sign}`));
}

/** Inside our own tags, where markdown is not parsed. */
function plain(text: string): string {
  const entities: { readonly [sign: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text.replaceAll(/[&<>]/g, (sign) => entities[sign] ?? '').replaceAll('@', '@\u200B');
}

function code(text: string): string {
  const line = shortened(text, 120);
  const ticks = longestRun(line) + 1;
  const fence = '`'.repeat(ticks);
  return ticks === 1 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

function fenced(text: string, language = ''): string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return [`${fence}${language}`, text, fence];
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
}
