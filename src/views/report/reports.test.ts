// Text of agents and users in a report: it is shown as plain text, and bounded.
import { describe, expect, it } from 'vitest';
import { playRun } from '#test/simulated/simulated-run.ts';
import { reportInput } from '#test/simulated/report-input.ts';
import type { Task } from '#kernel/model/task.ts';
import { htmlReport } from '#views/report/html/html-report.ts';
import { markdownReport } from './markdown-report.ts';
import type { ReportInput } from './report-page.ts';

const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'`|\u202E';

function task(text: string, run = `echo "${text}"`): Task {
  const check = { kind: 'command', run, cwd: '', timeoutMs: 1000 } as const;
  return {
    id: 'main',
    title: text,
    description: '',
    files: [],
    hints: [],
    dependsOn: [],
    domain: null,
    mayChange: [],
    criteria: [{ id: 'unit', text, kind: 'exit', required: true, when: 'attempt', check }],
  };
}

/** A run whose check failed, printing this. */
function failedRun(text: string, tail: string, run?: string): ReportInput {
  const played = playRun({ tasks: [task(text, run)], config: { goal: `${text}\nmore ${text}` } });
  played.prepare();
  played.endCheck(played.beginOne(), { unit: 'fail' });
  const builder = played.beginOne();
  played.endSession(builder, { endTree: 'tree-1' });
  const check = played.beginOne();
  played.record(
    {
      type: 'evidence-recorded',
      evidence: {
        taskId: 'main',
        criterionId: 'unit',
        stepId: check.stepId,
        purpose: 'attempt',
        place: 'workspace',
        tree: check.baseTree ?? '',
        verdict: 'fail',
        reason: text,
        command: text,
        tail,
        log: null,
        ending: { kind: 'exited', code: 1 },
        durationMs: 5,
      },
    },
    {
      type: 'tampering-seen',
      tampering: {
        path: text,
        change: 'changed',
        why: text,
        content: 'x',
        weakening: [text],
        stepId: check.stepId,
        tree: '',
        taskId: 'main',
        session: text,
        isAllowed: false,
      },
    },
  );
  return reportInput(played.run, {
    events: played.events,
    stat: ` ${text} | 1 +`,
    redact: (words) => words.replaceAll('hunter2', '[redacted]'),
  });
}

describe('The report as a web page', () => {
  it('The HTML report shows text of agents, files and checks as text, and loads and runs nothing', () => {
    const page = htmlReport(failedRun(evil, `${evil}\n</pre><iframe src="//evil.invalid">`));
    const inside = page.slice(page.indexOf('<body>'));
    expect(inside).not.toMatch(/<(script|img|iframe|link|object|embed|form|base|meta|svg)/i);
    // Every tag that is left is one of ours, and carries no attribute but a class.
    const tags = [...inside.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag);
    expect(tags.filter((tag) => !/^<[a-z0-9]+( class="[a-z]+"| open)?>$/.test(tag))).toEqual([]);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/https?:\/\/|url\(|@import|\u202E/);
  });

  it('The HTML report stays small however much a check printed, contains no secret, and shows the end of the output', () => {
    const page = htmlReport(failedRun('hunter2', `${'x'.repeat(50_000_000)} the end hunter2`));
    expect(page.length).toBeLessThan(60_000);
    expect(page).toContain('the end [redacted]');
    expect(page).not.toContain('hunter2');
  });

  it('The HTML report has criteria, outcome, tamper ledger, agents and the command to verify', () => {
    const page = htmlReport(failedRun('it works', 'boom'));
    for (const word of [
      'not finished',
      'it works',
      'boom',
      'Tamper ledger',
      'builder_001',
      'untildone resume',
      'Cost',
    ])
      expect(page).toContain(word);
  });
});

describe('The criteria of the web page', () => {
  it('A criterion that is named for its command shows the command once', () => {
    const own = '<p class="by"><code>npm test</code></p>';
    expect(htmlReport(failedRun('it works', 'boom', 'npm test'))).toContain(own);
    expect(htmlReport(failedRun('`npm test` passes', 'boom', 'npm test'))).not.toContain(own);
  });
});

describe('The report as markdown [X13]', () => {
  it('Text in the markdown report cannot create tags, tables, fences or mentions', () => {
    const text = markdownReport(
      failedRun('@everyone </details> | x | ``` <script>', '```\n# heading\n</details>'),
    );
    const outside = outsideOfCode(text);
    expect(outside).not.toMatch(/@everyone|<script/);
    const rows = outside.split('\n').filter((line) => line.startsWith('|'));
    expect(rows.map((row) => row.split('|').length)).toEqual([6, 6, 6]);
    expect(outside.match(/<[^>]*>/g)).toEqual(['<details>', '<summary>', '</summary>', '</details>']);
    expect(outside).not.toContain('# heading');
  });

  it('A command in a sentence of the markdown report is code, also in a table', () => {
    const text = markdownReport(failedRun('`cat a | grep <b>` passes', 'boom'));
    expect(text).toContain('| ❌ `cat a \\| grep <b>` passes |');
    expect(text).not.toContain('\\`');
  });

  it.each([
    ['two spans side by side', '`a``<script>`'],
    ['a span beside a single sign', '`a`` <script> `'],
    ['signs in a row before a span', '```<script>`'],
    ['a backslash before a span', '\\`<script>`'],
    ['a sign without its pair', '`a` ` <script>'],
    ['a table in a span', '`a|b` | `x`|`y'],
  ])('Backticks of the markdown report never free what they hold: %s', (_, words) => {
    const outside = outsideOfCode(markdownReport(failedRun(words, 'boom')));
    expect(outside).not.toContain('<script');
    expect(
      outside
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .map((row) => row.split('|').length),
    ).toEqual([6, 6, 6]);
  });
});

/** What a reader of markdown takes for markup: no fenced block, no code, nothing behind a backslash. */
function outsideOfCode(text: string): string {
  let fence = '';
  const lines = text.split('\n').filter((line) => {
    const ticks = /^`{3,}/.exec(line)?.[0] ?? '';
    const isFence = ticks !== '' && (fence === '' || line === fence);
    if (isFence) fence = fence === '' ? ticks : '';
    return !isFence && fence === '';
  });
  return lines
    .join('\n')
    .replaceAll(/\\./g, '')
    .replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
}

describe('The warnings of a report', () => {
  it('The warnings of a report fit this run: no sandbox, and weaker criteria with name and time [K5] [X4]', () => {
    const page = (kind: 'none' | 'bubblewrap'): string => {
      const played = playRun({
        tasks: [task('works'), { ...task('sings'), id: 'more' }],
        config: {
          sandbox: {
            kind,
            isRequired: false,
            why: '',
            allowRead: [],
            denyRead: [],
            allowWrite: [],
            allowHosts: [],
          },
        },
      });
      played.prepare();
      const change = { kind: 'remove', criterionId: 'unit' } as const;
      played.ask({ kind: 'change-criteria', taskId: 'more', change, why: 'too loud' });
      played.settle();
      return markdownReport(reportInput(played.run));
    };
    expect(page('none')).toContain('with the rights of their user');
    expect(page('bubblewrap')).not.toContain('with the rights of their user');
    expect(page('none')).toMatch(/Weakened: remove unit, by .* at \d{4}-.* UTC: too loud\./);
    expect(page('none')).toContain('| ⏳ main: works |');
  });
});
