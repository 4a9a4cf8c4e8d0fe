// The report as one web page: no scripts, no external resources, all untrusted text escaped.
import { trialLine } from './calibration.ts';
import { htmlStyle } from './html-style.ts';
import type { ReportedCriterion, ReportInput, ReportPage } from './report-page.ts';
import { ledgerWord, reportPage } from './report-page.ts';
import { elapsed, shortened } from '#views/words.ts';

/** Text that is already HTML; everything else in a page is escaped. */
interface Html {
  readonly html: string;
}

const rowsMax = 500;
const outputChars = 4_000;

export function htmlReport(input: ReportInput): string {
  const page = reportPage(input);
  const { h } = escaping(input);
  const body = [
    header(h, page),
    section(h, 'Criteria', page.criteria.length === 0 ? h`<p>There are no criteria.</p>` : criteria(h, page)),
    reviews(h, page),
    calibration(h, page),
    section(h, 'Tamper ledger', ledger(h, page)),
    page.stat === '' ? null : section(h, 'Changes', h`<pre>${page.stat}</pre>`),
    section(h, 'Agents', agents(h, page)),
    section(h, 'Cost', facts(h, page.cost)),
    section(h, 'Check it again', h`<pre class="commands">${page.commands.join('\n')}</pre>`),
    h`<footer>${page.warnings.map((warning) => h`<p>${warning}</p>`)}<p>Made by untildone ${page.version} from the journal of the run. To check it again, use <code>untildone verify</code>.</p></footer>`,
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
<style>${htmlStyle}</style>
</head>
<body>
${main.html}
</body>
</html>
`;
}

type Part = string | number | Html | null | readonly Part[];
type H = (strings: TemplateStringsArray, ...parts: readonly Part[]) => Html;

function escaping({ redact }: ReportInput): { readonly h: H } {
  const text = (part: Part): string => {
    if (part === null) return '';
    if (typeof part === 'string') return escapeHtml(redact(part));
    if (typeof part === 'number') return String(part);
    return 'html' in part ? part.html : part.map(text).join('');
  };
  return {
    h: (strings, ...parts) => ({
      html: strings.map((string, at) => string + (at < parts.length ? text(parts[at] ?? null) : '')).join(''),
    }),
  };
}

const entities: { readonly [sign: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
// As strings: linters flag control characters in a literal.
const controls = new RegExp(
  String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]`,
  'g',
);

/** Also drops characters that change the text direction: they make text look like something else. */
function escapeHtml(text: string): string {
  return text.replaceAll(controls, '').replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
}

function header(h: H, { outcome, title, goal, facts: known, criteria: all }: ReportPage): Html {
  const passed = all.filter((one) => one.state === 'pass').length;
  const more =
    goal.trim() === title.trim()
      ? null
      : h`<details><summary>The whole goal</summary><pre>${goal}</pre></details>`;
  return h`<header>
<p class="badge">${outcome.word}</p>
<h1>${shortened(title, 160)}</h1>
<p class="reason">${outcome.reason}</p>
<p class="score">${passed} of ${all.length} criteria pass</p>
<div class="bar">${all.map((one) => h`<i class="${one.tone}"></i>`)}</div>
${more}${facts(h, known)}
</header>`;
}

function facts(h: H, entries: readonly (readonly [string, string])[]): Html {
  return h`<dl>${entries.map(([name, value]) => h`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
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
<p class="text">${one.text} <span class="id">${one.id}</span></p>
<p class="by">${one.isMachine ? h`<code>${one.by}</code>` : `Decided by ${one.by}`}</p>
<p class="flip"><span>${one.before}</span> → <b>${one.after}</b><small>${remarks.join(' · ')}</small></p>
${one.state === 'pass' && one.isMachine ? null : one.reason === null ? null : h`<p class="why">${shortened(one.reason, 600)}</p>`}${output}</div></li>`;
}

function markOf({ state, tone }: ReportedCriterion): string {
  if (state === 'skipped') return '–';
  return { good: '✓', bad: '✕', open: '?' }[tone];
}

function reviews(h: H, page: ReportPage): Html | null {
  const said = page.reviews.filter((one) => one.verdict !== null);
  if (said.length === 0) return null;
  return section(
    h,
    'Reviewers',
    h`${said.map(
      (
        one,
      ) => h`<article><p><b>${one.role}</b> says <b class="${one.verdict === 'fail' ? 'bad' : 'good'}">${one.verdict ?? ''}</b>
<span class="id">${one.agent}${one.model === null ? '' : `, ${one.model}`}${one.confidence === null ? '' : `, ${Math.round(one.confidence * 100)} % sure`}</span></p>
${one.text.trim() === '' ? null : h`<details><summary>In its own words</summary><pre>${one.text.slice(0, outputChars)}</pre></details>`}
${one.blockers.length === 0 ? null : h`<ul>${one.blockers.map((blocker) => h`<li>${blocker.severity}: ${blocker.what}${blocker.trial === null ? null : h` <span class="id">${blocker.trial.outcome} by us</span>`}</li>`)}</ul>`}</article>`,
    )}`,
  );
}

function calibration(h: H, { calibration: { line, checks } }: ReportPage): Html | null {
  if (line === '') return null;
  const items = checks
    .slice(0, rowsMax)
    .map(
      ({ taskId, id, state, trials }) =>
        h`<details><summary>${taskId}/${id}: ${state}</summary><ul>${trials.map((one) => h`<li>${trialLine(one)}</li>`)}</ul></details>`,
    );
  return section(h, 'Calibration', h`<p>${line.replace(/^Calibration: /, '')}</p>${items}`);
}

function ledger(h: H, { tampering }: ReportPage): Html {
  if (tampering.length === 0)
    return h`<p class="quiet">No pinned file was changed: tests, check scripts and their configuration are those of the base.</p>`;
  const rows = tampering
    .slice(-rowsMax)
    .map(
      (one) =>
        h`<tr class="${isSettled(one.state) ? 'good' : 'bad'}"><td><code>${one.path}</code></td><td>${one.change}${one.weakening.length === 0 ? null : h`<br><small>${one.weakening.join(', ')}</small>`}</td><td>${one.session ?? 'unknown'}</td><td><b>${ledgerWord(one.state)}</b>${one.by === null ? null : h`<br><small>${one.by}${one.reason === null ? '' : `: ${shortened(one.reason, 200)}`}</small>`}</td></tr>`,
    );
  return h`<table><thead><tr><th>Pinned</th><th>Change</th><th>By</th><th>State</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function isSettled(state: ReportPage['tampering'][number]['state']): boolean {
  return state !== 'open' && state !== 'changed again';
}

function agents(h: H, { sessions }: ReportPage): Html {
  if (sessions.length === 0) return h`<p class="quiet">No session has ended yet.</p>`;
  const rows = sessions
    .slice(-rowsMax)
    .map(
      (one) =>
        h`<tr><td>${one.session}</td><td>${one.attempt}</td><td>${shortened(one.agent, 80)}</td><td>${one.ran === null ? 'may not have run' : `${one.ran.driver}, ${one.ran.model ?? 'model not reported'}`}</td></tr>`,
    );
  return h`<table><thead><tr><th>Session</th><th>Attempt</th><th>Agent</th><th>Actual client and model</th></tr></thead><tbody>${rows}</tbody></table>`;
}
