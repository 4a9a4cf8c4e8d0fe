import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRedactor } from '#config/redact.ts';
import type { BrowserCheck } from '#kernel/model/check.ts';
import { isMarkedBy, readMark, readProcTable } from '#adapters/processes/proc-table.ts';
import type { Finding } from '#ports/checker.ts';
import { checksBed, type ChecksBed, type Wishes } from '#test/checkers/checks-bed.ts';
import { findBrowser } from '#adapters/machine/find-browser.ts';

const browser = findBrowser({ PATH: process.env['PATH'] ?? '' }, process.env['CHROME_PATH'] ?? null);
const hasBrowser = 'chromium' in browser;
if (!hasBrowser) process.stderr.write(`WARNING: browser checks are NOT TESTED here: ${browser.problem}\n`);

let bed: ChecksBed;
beforeEach(() => {
  bed = checksBed();
});
afterEach(() => bed.dispose());

const page = { kind: 'page', url: 'http://localhost:{port}/', selector: 'h1', text: null } as const;

function look(wanted: BrowserCheck['look'], serve: string | null, wishes: Wishes = {}): Promise<Finding> {
  return bed.check({ kind: 'browser', look: wanted, serve, cwd: '', timeoutMs: 60_000 }, wishes);
}

/** A server of one page. */
function serving(html: string): string {
  bed.write(
    'server.cjs',
    `require('http').createServer((_, response) => { response.setHeader('content-type', 'text/html'); response.end(${JSON.stringify(html)}); }).listen(Number(process.env.PORT));`,
  );
  return `"${process.execPath}" server.cjs`;
}

function left(): number[] {
  return readProcTable()
    .map(({ pid }) => pid)
    .filter((pid) => isMarkedBy(readMark(pid), `checks-${process.pid}`));
}

describe.runIf(hasBrowser)('a page in a real Chromium', () => {
  it('A browser check judges the page after its scripts ran, and leaves no process alive [X11]', async () => {
    const serve = serving(
      "<h1>wait</h1><p hidden>secret</p><script>setTimeout(() => { document.querySelector('h1').textContent = 'Welcome' }, 200)</script>",
    );
    expect(await look({ ...page, text: 'Welcome' }, serve)).toMatchObject({
      verdict: 'pass',
      reason: 'the page shows h1 with that text',
    });
    expect(await look({ ...page, selector: 'h2' }, serve)).toMatchObject({
      verdict: 'fail',
      reason: 'the page has no h2',
    });
    expect(left()).toEqual([]);
  });

  it('A browser check ignores hidden text, and the page cannot decide its own verdict', async () => {
    const forged = "console.log('00000000 {\\\\'verdict\\\\':\\\\'pass\\\\'}')";
    const serve = serving(`<h1 hidden>Welcome</h1><script>${forged}</script>`);
    expect(await look({ ...page, text: 'Welcome' }, serve)).toMatchObject({ verdict: 'fail' });
  });

  it('The script of a browser check decides by what it throws, not by its output or exit code', async () => {
    const serve = serving('<h1>Welcome</h1>');
    bed.write(
      'look.mjs',
      "export default async ({ page, url }) => { await page.goto(url); const text = await page.textContent('h1'); if (text !== process.env.WANTED) throw new Error('shows ' + text); };",
    );
    bed.write('exit.mjs', "console.log('pass'); process.exit(0);");
    const script = { kind: 'script', path: 'look.mjs' } as const;
    expect(await look(script, serve, { env: { WANTED: 'Welcome' } })).toMatchObject({ verdict: 'pass' });
    expect(await look(script, serve)).toMatchObject({ verdict: 'fail', reason: 'shows Welcome' });
    expect(await look({ kind: 'script', path: 'exit.mjs' }, serve)).toMatchObject({ verdict: 'unknown' });
    expect(await look({ kind: 'script', path: 'none.mjs' }, serve)).toMatchObject({ verdict: 'fail' });
  });

  it('A secret that a page shows is neither in the finding of its check nor in the log', async () => {
    const secrets = { DEPLOY_TOKEN: 'pass-phrase-of-the-page' };
    const html = `<h1>${secrets.DEPLOY_TOKEN}</h1>`;
    const serve = `echo ${secrets.DEPLOY_TOKEN}; ${serving(html)}`;
    bed.write(
      'tell.mjs',
      "export default async ({ page, url }) => { await page.goto(url); const text = await page.textContent('h1'); console.log('seen: ' + text); throw new Error('shows ' + text); };",
    );
    const finding = await look({ kind: 'script', path: 'tell.mjs' }, serve, {
      redactor: createRedactor(secrets),
    });
    expect(finding).toMatchObject({ verdict: 'fail', reason: 'shows [redacted DEPLOY_TOKEN]' });
    expect(finding.tail).toContain('seen: [redacted DEPLOY_TOKEN]');
    expect(JSON.stringify(finding) + bed.log()).not.toContain(secrets.DEPLOY_TOKEN);
  });

  it('A page is not checked when its server has ended', async () => {
    expect(await look(page, 'echo broken; exit 1')).toMatchObject({
      verdict: 'fail',
      reason: 'the server ended before it answered (exit 1)',
      tail: 'broken\n',
    });
  });
});

describe('a browser check without a browser', () => {
  it('A browser check without a browser is unknown and says how to install one', async () => {
    expect(await look(page, 'sleep 300', { chromePath: '/no/such/browser' })).toMatchObject({
      verdict: 'unknown',
      reason: 'CHROME_PATH leads to no browser: /no/such/browser does not exist',
    });
    expect(findBrowser({ PATH: '/nowhere' }, null)).toEqual({
      problem: expect.stringContaining('install chromium or google-chrome') as unknown,
    });
  });
});
