// The report as one web page: no scripts, no external resources, all untrusted text escaped.
import { trialLine } from '#views/report/calibration.ts';
import type { FailedAttempt, FailedCheck } from '#views/report/failed-attempts.ts';
import { changesHtml } from './html-diff.ts';
import { htmlStyle } from './html-style.ts';
import { timelineHtml } from './html-timeline.ts';
import { escaping, type H, type Html, prose } from './html-words.ts';
import type { ReportedCriterion, ReportInput, ReportPage } from '#views/report/report-page.ts';
import { ledgerWord, reportPage } from '#views/report/report-page.ts';
import { count, elapsed, shortened, utcMinute } from '#views/words.ts';

const rowsMax = 500;
const outputChars = 4_000;

export function htmlReport(input: ReportInput): string {
  const page = reportPage(input);
  const h = escaping(input.redact);
  const timeline = timelineHtml(h, page.timeline, page.runId);
  const body = [
    header(h, page),
    section(h, 'Criteria', page.criteria.length === 0 ? h`<p>There are no criteria.</p>` : criteria(h, page)),
    section(h, 'Timeline', timeline.html),
    failed(h, page),
    reviews(h, page),
    calibration(h, page),
    section(h, 'Tamper ledger', ledger(h, page)),
    section(h, 'Changes', changesHtml(h, page.changes)),
    section(h, 'Cost', h`${facts(h, page.cost)}${sessions(h, page)}`),
    section(h, 'Commands', h`<pre class="commands">${page.commands.join('\n')}</pre>`),
    h`<footer>${page.warnings.map((warning) => h`<p>${prose(h, warning)}</p>`)}<p>Made by untildone ${page.version} from the journal of the run. Checks can be run again with <code>untildone verify</code>.</p></footer>`,
  ];
  const main = h`<main class="${page.outcome.tone}">${body}</main>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
${h`<title>${page.outcome.word}: ${shortened(page.title, 80)}</title>`.html}
<style>${htmlStyle}
${timeline.css}</style>
</head>
<body>
${main.html}
</body>
</html>
`;
}

function header(h: H, { outcome, title, goal, facts: known, criteria: all }: ReportPage): Html {
  const passed = all.filter((one) => one.state === 'pass').length;
  const more =
    goal.trim() === title.trim()
      ? null
      : h`<details><summary>The whole goal</summary><pre>${goal}</pre></details>`;
  return h`<header>
<p class="badge">${outcome.word}</p>
<h1>${prose(h, shortened(title, 160))}</h1>
<p class="reason">${prose(h, outcome.reason)}</p>
<p class="score">${passed} of ${all.length} criteria pass</p>
<div class="bar">${all.map((one) => h`<i class="${one.tone}"></i>`)}</div>
${more}${facts(h, known)}
</header>`;
}

function facts(h: H, entries: readonly (readonly [string, string])[]): Html {
  return h`<dl>${entries.map(([name, value]) => h`<div><dt>${name}</dt><dd>${prose(h, value)}</dd></div>`)}</dl>`;
}

function section(h: H, title: string, body: Html): Html {
  return h`<section><h2>${title}</h2>${body}</section>`;
}

function criteria(h: H, page: ReportPage): Html {
  const left = page.criteria.length - rowsMax;
  return h`<ol class="criteria">${page.criteria.slice(0, rowsMax).map((one) => criterion(h, one))}</ol>${left > 0 ? h`<p>${left} more are in the journal.</p>` : null}`;
}

function criterion(h: H, one: ReportedCriterion): Html {
  const remarks = [
    one.required ? null : 'not required',
    one.ending,
    one.durationMs === null || one.durationMs < 1000 ? null : elapsed(one.durationMs),
    one.tree === null ? null : `tree ${one.tree.slice(0, 10)}`,
  ].filter((remark) => remark !== null);
  const output =
    one.output.trim() === ''
      ? null
      : h`<details open><summary>The end of what it printed</summary><pre>${one.output.slice(-outputChars)}</pre></details>`;
  return h`<li class="${one.tone}"><span class="mark">${markOf(one)}</span><div>
<p class="text">${prose(h, one.text)} <span class="id">${one.id}</span></p>
${isSaid(one) ? null : h`<p class="by">${one.isMachine ? h`<code>${one.by}</code>` : h`Decided by ${prose(h, one.by)}`}</p>`}
<p class="flip"><span>${one.before}</span> → <b>${one.after}</b><small>${remarks.join(' · ')}</small></p>
${one.state === 'pass' && one.isMachine ? null : one.reason === null ? null : h`<p class="why">${prose(h, shortened(one.reason, 600))}</p>`}${output}</div></li>`;
}

/** A criterion of `--check` is named for its command. */
function isSaid({ text, by, isMachine }: ReportedCriterion): boolean {
  return isMachine && text.includes(`\`${by}\``);
}

function markOf({ state, tone }: ReportedCriterion): string {
  if (state === 'skipped') return '–';
  return { good: '✓', bad: '✕', open: '?' }[tone];
}

function reviews(h: H, page: ReportPage): Html | null {
  const finished = page.reviews.filter((one) => one.verdict !== null);
  if (finished.length === 0) return null;
  return section(
    h,
    'Reviewers',
    h`${finished.map(
      (
        one,
      ) => h`<article><p><b>${one.role}</b> says <b class="${one.verdict === 'fail' ? 'bad' : 'good'}">${one.verdict ?? ''}</b>
<span class="id">${one.agent}${one.model === null ? '' : `, ${one.model}`}${one.confidence === null ? '' : `, ${Math.round(one.confidence * 100)} % sure`}</span></p>
${one.text.trim() === '' ? null : h`<details><summary>In its own words</summary><pre>${one.text.slice(0, outputChars)}</pre></details>`}
${one.blockers.length === 0 ? null : h`<ul>${one.blockers.map((blocker) => h`<li>${blocker.severity}: ${prose(h, blocker.what)}${blocker.trial === null ? null : h` <span class="id">${blocker.trial.outcome} by us</span>`}</li>`)}</ul>`}</article>`,
    )}`,
  );
}

function calibration(h: H, { calibration: { line, checks } }: ReportPage): Html | null {
  if (line === '') return null;
  const items = checks
    .slice(0, rowsMax)
    .map(
      ({ taskId, id, state, trials }) =>
        h`<details><summary>${taskId}/${id}: ${state}</summary><ul>${trials.map((one) => h`<li>${prose(h, trialLine(one))}</li>`)}</ul></details>`,
    );
  return section(h, 'Calibration', h`<p>${prose(h, line.replace(/^Calibration: /, ''))}</p>${items}`);
}

function ledger(h: H, { tampering }: ReportPage): Html {
  if (tampering.length === 0)
    return h`<p class="quiet">No pinned file was changed: tests, check scripts and their configuration are those of the base.</p>`;
  const rows = tampering
    .slice(-rowsMax)
    .map(
      (one) =>
        h`<tr class="${isSettled(one.state) ? 'good' : 'bad'}"><td><code>${one.path}</code></td><td>${one.change}${one.weakening.length === 0 ? null : h`<br><small>${prose(h, one.weakening.join(', '))}</small>`}</td><td>${one.session ?? 'unknown'}</td><td><b>${ledgerWord(one.state)}</b>${one.by === null ? null : h`<br><small>${one.by}${one.reason === null ? null : h`: ${prose(h, shortened(one.reason, 200))}`}</small>`}</td></tr>`,
    );
  return h`<table><thead><tr><th>Pinned</th><th>Change</th><th>By</th><th>State</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function isSettled(state: ReportPage['tampering'][number]['state']): boolean {
  return state !== 'open' && state !== 'changed again';
}

function failed(h: H, { failed: { attempts, hidden } }: ReportPage): Html | null {
  if (attempts.length === 0) return null;
  const left =
    hidden === 0
      ? null
      : h`<p class="quiet">The newest ${attempts.length} of ${attempts.length + hidden} failed attempts.</p>`;
  return section(
    h,
    'Failed attempts',
    h`${left}${attempts.map((one, at) => failedAttempt(h, one, at === attempts.length - 1))}`,
  );
}

function failedAttempt(
  h: H,
  { taskId, attempt, at, reason, checks, checksHidden }: FailedAttempt,
  isLast: boolean,
): Html {
  const listed = checks.map((one) => `${one.criterionId}: ${one.reason}`).join('; ');
  const isListed = reason.replace(/^on a clean checkout: /, '') === listed;
  const tests = checks.reduce((sum, one) => sum + (one.failing ?? 0), 0);
  const words = [
    taskId === 'main' ? null : taskId,
    utcMinute(at),
    tests === 0 ? null : count(tests, 'failing test'),
  ];
  const head = h`<summary><b>Attempt ${attempt}</b> <small>${words.filter((word) => word !== null).join(' · ')}</small></summary>`;
  const more =
    checksHidden === 0
      ? null
      : h`<p class="quiet">${count(checksHidden, 'more failed check')} in the journal.</p>`;
  const body = h`${head}${isListed ? null : h`<p>${prose(h, shortened(reason, 600))}</p>`}${checks.map((one) => failedCheck(h, one))}${more}`;
  return isLast ? h`<details open>${body}</details>` : h`<details>${body}</details>`;
}

function failedCheck(h: H, { criterionId, reason, place, tests, failing, output }: FailedCheck): Html {
  const where = place === 'clean' ? ' on a clean checkout' : '';
  const unnamed = Math.max(0, (failing ?? 0) - tests.length);
  const names = tests.map((name) => h`<li>${shortened(name, 200)}</li>`);
  const rest = unnamed === 0 ? null : h`<li>and ${unnamed} more</li>`;
  return h`<div class="failure"><p><b>${criterionId}</b>${where} <small>${prose(h, shortened(reason, 300))}</small></p>
${tests.length === 0 ? null : h`<ul class="tests">${names}${rest}</ul>`}${output.trim() === '' ? null : h`<pre>${output}</pre>`}</div>`;
}

function sessions(h: H, { sessions: all, totals }: ReportPage): Html {
  if (all.length === 0) return h`<p class="quiet">No session has started yet.</p>`;
  const rows = all
    .slice(-rowsMax)
    .map(
      (one) =>
        h`<tr><td><b>${one.session}</b><br><small>${one.role}${one.attempt === 0 ? '' : `, attempt ${one.attempt}`}${one.taskId === '' || one.taskId === 'main' ? '' : `, ${one.taskId}`}</small></td><td>${prose(h, shortened(one.agent, 80))}<br><small>model ${one.model}</small></td><td class="number">${one.tokens}</td><td class="number">${one.usd}</td><td>${prose(h, one.payer)}</td><td class="number">${one.duration}</td></tr>`,
    );
  const left =
    all.length > rowsMax ? h`<p class="quiet">The newest ${rowsMax} of ${all.length} sessions.</p>` : null;
  return h`${left}<div class="scroll"><table><thead><tr><th>Session</th><th>Agent</th><th class="number">Tokens</th><th class="number">USD</th><th>Payer</th><th class="number">Time</th></tr></thead><tbody>${rows}</tbody>
<tfoot><tr><td><b>${totals.sessions}</b></td><td></td><td class="number">${totals.tokens}</td><td class="number">${totals.usd}</td><td></td><td></td></tr></tfoot></table></div>`;
}
