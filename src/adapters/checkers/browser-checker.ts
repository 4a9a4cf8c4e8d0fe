// Decides a criterion by a page in a real Chromium, which a separate process drives and takes down with it.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserCheck } from '#kernel/model/check.ts';
import { describeProcessEnding } from '#kernel/model/ending.ts';
import type { CheckRequest } from '#ports/checker.ts';
import { placeOf } from '#adapters/files/confined-file.ts';
import { findBrowser } from '#adapters/machine/find-browser.ts';
import { firstAnswer, wrongSpeaker, missedAnswer } from './first-answer.ts';
import { endedWords, startServed, type Served } from './served.ts';
import { findingOf, type CheckTools, type UntimedFinding } from './tools.ts';
import { parseRecord } from '#base/parse-json.ts';
import { endOrAbort } from '#adapters/processes/end-or-abort.ts';

type PageVisit =
  | { readonly page: string; readonly selector: string; readonly text: string | null }
  | { readonly script: string };

export async function checkBrowser(
  request: CheckRequest,
  check: BrowserCheck,
  tools: CheckTools,
): Promise<UntimedFinding> {
  const { chromePath, nodePath } = tools.browser;
  const browser = findBrowser({ ...tools.env, NODE_PATH: nodePath }, chromePath);
  if ('problem' in browser) return findingOf('unknown', browser.problem);
  const visit = await visitFor(request, check);
  if ('verdict' in visit) return visit;
  const served = await startServed(request, { ...check, url: addressOf(check) }, tools);
  if ('problem' in served) return findingOf('unknown', served.problem);
  try {
    const early = await waitForPage(request, check, served, tools);
    const found =
      early ?? (await drive(request, served, { ...browser, look: visit, timeoutMs: check.timeoutMs }, tools));
    const ending = served.ended();
    const { tail } = await served.stop();
    const isAlone = ending !== null && check.serve !== null && found.verdict !== 'unknown';
    const parts = [found.tail, tail].filter((part) => part !== '');
    return { ...(isAlone ? findingOf('fail', endedWords(ending)) : found), ending, tail: parts.join('\n') };
  } finally {
    await served.stop();
  }
}

/** A script without its own server chooses its address itself. */
function addressOf({ look, serve }: BrowserCheck): string {
  if (look.kind === 'page') return look.url;
  return serve === null ? 'http://localhost/' : 'http://localhost:{port}/';
}

async function visitFor({ cwd }: CheckRequest, { look }: BrowserCheck): Promise<PageVisit | UntimedFinding> {
  if (look.kind === 'page') return { page: look.url, selector: look.selector, text: look.text };
  const place = await placeOf(cwd, look.path);
  if (place.kind === 'file') return { script: place.path };
  return findingOf('fail', `${look.path} ${place.kind === 'refused' ? place.problem : 'does not exist'}`);
}

/** Null if the browser may start; otherwise the finding. */
async function waitForPage(
  request: CheckRequest,
  { look, serve, timeoutMs }: BrowserCheck,
  served: Served,
  { since }: CheckTools,
): Promise<UntimedFinding | null> {
  if (look.kind === 'script' && serve === null) return null;
  const answer = await firstAnswer(served);
  if (request.signal.aborted) return findingOf('unknown', 'cancelled');
  const ending = served.ended();
  if (ending !== null) return findingOf('fail', endedWords(ending));
  if (answer.kind !== 'answered') return missedAnswer(served, answer, `${Math.round(timeoutMs / 1000)} s`);
  return wrongSpeaker(served, answer.from, request.mark, since);
}

async function drive(
  { signal, mark }: CheckRequest,
  served: Served,
  order: { playwright: string; chromium: string; look: PageVisit; timeoutMs: number },
  { processes, env, browser }: CheckTools,
): Promise<UntimedFinding> {
  // A killed browser must not leave its profiles and caches behind.
  const home = await mkdtemp(join(tmpdir(), 'untildone-browser-'));
  const nonce = randomUUID();
  let output = '';
  const running = processes.start({
    command: [process.execPath, browser.entry],
    cwd: home,
    env: { ...env, TMPDIR: home },
    isServed: true,
    mark,
    wallMs: order.timeoutMs,
    idleMs: null,
    graceMs: 1_000,
    input: JSON.stringify({ ...order, nonce, url: served.url.href }),
    onOutput: (chunk) => {
      output = (output + chunk.toString('utf8')).slice(-outputMax);
    },
  });
  const ending = await endOrAbort(running, signal, 'the check was cancelled');
  await rm(home, { recursive: true, force: true }).catch(() => undefined);
  const verdict = verdictIn(output, nonce);
  if (verdict !== null) return verdict;
  const isLate = ending.kind === 'timed-out';
  return findingOf(
    isLate ? 'fail' : 'unknown',
    `the browser gave no verdict (${describeProcessEnding(ending)})`,
    output.slice(-2000),
  );
}

const outputMax = 64 * 1024;

/** Pages and scripts may print anything. Only the line with the nonce is ours: they never receive it. */
function verdictIn(output: string, nonce: string): UntimedFinding | null {
  const at = output.lastIndexOf(`${nonce} `);
  if (at < 0) return null;
  const before = output.slice(0, at).trimEnd().slice(-2000);
  const { verdict, reason } = parseRecord(output.slice(at + nonce.length + 1).split('\n')[0] ?? '') ?? {};
  if (verdict !== 'pass' && verdict !== 'fail' && verdict !== 'unknown') return null;
  return typeof reason === 'string' ? findingOf(verdict, reason, before) : null;
}
