// Checks of an address and a page: the real server of the work, the real browser, and a server that the builder left running.
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '#adapters/machine/find-browser.ts';
import { saysDone, shellAgents } from './agents.ts';
import { freePort } from './free-port.ts';
import { eventsOf } from './journal.ts';
import { branchOf, prompts, roles } from './looking.ts';
import type { Place } from './place.ts';
import { makePlace, runFolders } from './place.ts';
import { sandboxHere } from './sandboxed.ts';

const browser = findBrowser({ PATH: process.env['PATH'] ?? '' }, process.env['CHROME_PATH'] ?? null);
const hasBrowser = 'chromium' in browser;
if (!hasBrowser) process.stderr.write(`WARNING: pages are NOT LOOKED AT in a run here: ${browser.problem}\n`);

/** Answers with what lies in `site`; a page that is not there yet is not found. */
const server = `import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
createServer(({ url }, response) => {
  try {
    const text = readFileSync('site' + (url === '/' ? '/index.html' : url));
    response.setHeader('content-type', 'text/html');
    response.end(text);
  } catch {
    response.statusCode = 404;
    response.end('nothing here');
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
`;

describe('A server that the checks of a run query', () => {
  it('Checks query the server of the work: red before it, red for a leftover server, green once the work is done [X7] [X10] [X11]', async () => {
    const place = makePlace({ files: { 'server.mjs': server, 'README.md': 'A sample.\n' } });
    const port = await freePort();
    const serve = 'node server.mjs';
    const checks = [
      { id: 'health', url: 'http://127.0.0.1:{port}/health', contains: 'ok', serve },
      { id: 'left', url: `http://127.0.0.1:${port}/health`, contains: 'ok', required: false },
      ...(hasBrowser
        ? [{ id: 'page', page: 'http://127.0.0.1:{port}/', selector: 'h1', text: 'Welcome', serve }]
        : []),
    ];
    place.write('repo/.untildone/config.jsonc', JSON.stringify({ checks }));
    place.write(
      'planted.mjs',
      `import { createServer } from 'node:http'; createServer((_, r) => r.setHeader('content-type', 'text/html').end('ok <h1>Welcome</h1>')).listen(${port}, '127.0.0.1');`,
    );
    const leave = `setsid node '${place.folder}/planted.mjs' > '${place.folder}/tmp/planted' 2>&1 &`;
    const work = `mkdir site; echo ok > site/health; echo '<h1>wait</h1><script>document.querySelector("h1").textContent = "Welcome"</script>' > site/index.html`;
    // A tree that differs, a server that answers all that is asked, and the word done.
    const builder = `${leave}\nif [ $n = 1 ]; then echo x > other.txt; else ${work}; fi; sleep 1; ${saysDone}`;
    const args = ['run', 'serve it', ...shellAgents(place, { builder })];
    const { code, stdout } = await place.untildone(args, { env: browserEnv() });
    expect(`${code}\n${stdout}`).toMatch(/^0\n[^]*✅ Completed/);
    expect(roles(place)).toEqual(['builder', 'builder', 'verifier']);
    expect(prompts(place, 'builder')[1]).toMatch(/answered 404|404/);
    for (const id of hasBrowser ? ['health', 'page'] : ['health'])
      expect(verdicts(place, id)).toEqual(['base fail', 'attempt fail', 'attempt pass', 'acceptance pass']);
    expect(verdicts(place, 'left').filter((one) => one.endsWith('pass'))).toEqual([]);
    expect(place.git('show', `${branchOf(place)}:site/health`)).toBe('ok');
    expect(place.living()).toEqual([]);

    // The proof can be had again, and shows what the checks asked.
    const again = await place.untildone(['verify'], { env: browserEnv() });
    expect(`${again.code}\n${again.stdout}`).toMatch(/^0\n[^]*health[^]*pass/);
    expect(place.living()).toEqual([]);
  });

  it('A page check without a browser is refused before anything is spent [X6]', async () => {
    const place = makePlace();
    const page = { id: 'page', page: 'http://127.0.0.1:{port}/', selector: 'h1', serve: 'node server.mjs' };
    place.write('repo/.untildone/config.jsonc', JSON.stringify({ checks: [page] }));
    const agents = shellAgents(place, { builder: saysDone });
    const run = await place.untildone(['run', 'serve it', ...agents], {
      env: { CHROME_PATH: '/no/browser' },
    });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/^The check "page" needs a browser, and none can be used here: .*\nHint: /);
    expect(runFolders(place)).toEqual([]);
  });
});

/** Each once: the acceptance records its evidence again after the check was calibrated. */
function verdicts(place: Place, id: string): string[] {
  const all = eventsOf(place).flatMap((event) =>
    event.type === 'evidence-recorded' && event.evidence.criterionId === id
      ? [`${event.evidence.purpose} ${event.evidence.verdict}`]
      : [],
  );
  return [...new Set(all)];
}

/** As on a machine with Playwright. */
/** In the sandbox where there is one: as most people have it, and not the same for a server and for a browser. */
const sandbox = { UNTILDONE_SANDBOX: sandboxHere() };

function browserEnv(): { readonly [name: string]: string } {
  if (!('chromium' in browser)) return sandbox;
  return { ...sandbox, CHROME_PATH: browser.chromium, NODE_PATH: dirname(dirname(browser.playwright)) };
}
