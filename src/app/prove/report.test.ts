// The report of real runs in real repositories: as they ended, landed, cleaned, and without their objects.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanRuns } from '#app/clean/clean-runs.ts';
import { landProof } from '#app/land/land.ts';
import { loadRun } from '#app/site.ts';
import type { Bed, Life } from '#test/app/proof-bed.ts';
import { builds, keepBeds, liveThrough, passes } from '#test/app/proof-bed.ts';
import { htmlReport } from '#views/report/html/html-report.ts';
import { markdownReport } from '#views/report/markdown-report.ts';
import { statusText } from '#views/status/status.ts';
import { findProof } from './find-proof.ts';
import { reportOf } from './report.ts';

const hostile = '</script><b>x</b>\u202E`.txt';
const secret = 'correct-horse-battery-staple';
/** Prints what a test runner prints. */
const tap = [
  'say() { printf \'TAP version 13\\n# Subtest: it says right\\n%s 1 - it says right\\n1..1\\n# tests 1\\n# pass %s\\n# fail %s\\n\' "$@"; }',
  "if grep -q right done.txt; then say ok 1 0; else say 'not ok' 0 1; exit 1; fi\n",
].join('\n');
const beds = keepBeds();
let done: Life;
let failed: Life;

beforeAll(async () => {
  const wrong = builds({ write: { path: 'done.txt', text: 'wrong\n' } });
  const right = builds(
    { write: { path: 'done.txt', text: 'right\n' } },
    { write: { path: hostile, text: `</pre><script>alert(1)</script>\n\u202E${secret}\n` } },
  );
  const files = { 'rule.test.sh': tap };
  const flags = { check: ['sh rule.test.sh'] };
  done = beds.keep(await liveThrough({ files, turns: [wrong, right, passes], flags }));
  const once = { ...flags, budget: ['attempts=1'] };
  failed = beds.keep(await liveThrough({ files, turns: [wrong], flags: once }));
});
afterAll(() => beds.remove());

async function pagesOf(
  bed: Bed,
  runId: string,
): Promise<{ html: string; markdown: string; commands: string[] }> {
  const site = await bed.site();
  const { run } = await loadRun(site, runId);
  const input = await reportOf({ ...site, env: { ...site.env, MY_SECRET: secret } }, run);
  const html = htmlReport(input);
  const markdown = markdownReport(input);
  const shown = /<pre class="commands">([^<]*)<\/pre>/.exec(html)?.[1] ?? '';
  return { html, markdown, commands: shown.split('\n') };
}

async function landed(mode: 'ff' | 'squash'): Promise<Bed> {
  const bed = beds.keep(done.copy());
  const site = await bed.site();
  const order = {
    proof: await findProof(site, done.run.id),
    branch: 'main',
    mode,
    isUnproven: false,
  } as const;
  const landing = await landProof(site, order, { signal: AbortSignal.timeout(600_000) });
  expect(landing.kind).toBe('landed');
  return bed;
}

function runDiff(bed: Bed, commands: readonly string[]): string {
  const [, ...args] = commands.find((command) => command.startsWith('git diff '))?.split(' ') ?? [];
  expect(args[1]).toMatch(/^[0-9a-f]{12}\.\.[0-9a-f]{12}$/);
  return execFileSync('git', args, { cwd: bed.root, encoding: 'utf8' });
}

describe('The report of a completed run', () => {
  it('The page shows the diff of hostile files as text, without secrets, and its git command works [X13]', async () => {
    const { html, commands } = await pagesOf(done, done.run.id);
    expect(html).toContain('<ins>+right</ins>');
    expect(html).toContain('+&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain('&lt;/script&gt;&lt;b&gt;x&lt;/b&gt;⟨U+202E⟩&#96;.txt');
    expect(html).toContain('+⟨U+202E⟩[redacted MY_SECRET]');
    expect(html).not.toMatch(/<script|\u202E|`|correct-horse/);
    expect(runDiff(done, commands)).toContain('+right');
  });

  it('The page names the failing tests of each failed attempt, and shows all parts of the run in time', async () => {
    const { html, markdown } = await pagesOf(done, done.run.id);
    expect(html).toContain('<ul class="tests"><li>it says right</li></ul>');
    expect(markdown).toContain('- attempt 1: ');
    expect(markdown).toContain('  - it says right');
    const timeline = html.slice(
      html.indexOf('<ol class="timeline">'),
      html.indexOf('</ol>', html.indexOf('<ol class="timeline">')),
    );
    const parts = [
      'Run created',
      'Driver 1 started',
      'Checks on the base',
      'builder_001',
      'Attempt 1 failed',
      'builder_002',
      'verifier_001',
      'Acceptance',
      'Completed',
    ];
    const places = parts.map((part) => timeline.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('The page has one row per session, and the total of status', async () => {
    const { html } = await pagesOf(done, done.run.id);
    expect(html.match(/<tr><td><b>(?:builder|verifier)_\d+<\/b>/g)).toHaveLength(3);
    expect(html).toContain('<tfoot><tr><td><b>3 sessions</b></td>');
    const spent = /^Spent: (.*)$/m.exec(statusText(done.run, { holder: null }))?.[1] ?? 'none';
    expect(html).toContain(`<dd>${spent}</dd>`);
  });

  it('The page offers to land a run that has not landed', async () => {
    expect((await pagesOf(done, done.run.id)).commands).toContain(`untildone land ${done.run.id}`);
  });
});

describe('The report of a run after its end', () => {
  it.each(['ff', 'squash'] as const)(
    'The report of a landed run (%s) names the landed commit, still shows the diff, and does not offer to land it again [X13] [X17]',
    async (mode) => {
      const bed = await landed(mode);
      const { html, markdown, commands } = await pagesOf(bed, done.run.id);
      const commit = bed.git('rev-parse', 'main').trim();
      expect(commands[0]).toBe(`untildone verify ${commit.slice(0, 12)}`);
      for (const text of [html, markdown]) {
        expect(text).not.toMatch(/untildone land /);
        expect(text).toContain('(the branch was removed)');
        expect(text).toContain(`on main as ${commit.slice(0, 10)}`);
      }
      expect(html).toContain('<ins>+right</ins>');
      expect(runDiff(bed, commands)).toContain('+right');
    },
  );

  it('The report of a cleaned run shows the diff from the landed trees, also if its own commit is gone [X17]', async () => {
    const bed = await landed('squash');
    const order = { runId: null, olderMs: null, onlyLanded: false, withUnlanded: false, isDryRun: false };
    await cleanRuns(await bed.site(), order);
    bed.git('reflog', 'expire', '--expire=now', '--all');
    bed.git('gc', '-q', '--prune=now');
    const { html, commands } = await pagesOf(bed, done.run.id);
    expect(html).toContain('<ins>+right</ins>');
    expect(runDiff(bed, commands)).toContain('+right');
    expect(commands.join('\n')).not.toMatch(/untildone (?:land|resume|retry)/);
  });

  it('If git no longer has the objects, the report says so and suggests only what works', async () => {
    const bed = beds.keep(done.copy());
    const tree = done.run.tip?.tree ?? '';
    rmSync(join(bed.root, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
    const { html, commands } = await pagesOf(bed, done.run.id);
    expect(html).toContain('Git can no longer show this change: ');
    expect(commands).toEqual([`untildone show ${done.run.id}`]);
  });

  it('The report of a failed run shows its uncommitted work, says that it is not proven, and gives a git command', async () => {
    const { html, commands } = await pagesOf(failed, failed.run.id);
    expect(failed.run.outcome?.outcome).toBe('exhausted');
    expect(html).toContain('Not proven and not committed: ');
    expect(html).toContain('<ins>+wrong</ins>');
    expect(runDiff(failed, commands)).toContain('+wrong');
    expect(html).not.toContain('untildone land');
  });
});
