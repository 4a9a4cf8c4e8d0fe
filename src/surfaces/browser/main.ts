// Drives one browser for one check: an order on standard input, one line with its number as the answer.
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

interface Order {
  readonly nonce: string;
  readonly playwright: string;
  readonly chromium: string;
  readonly url: string;
  readonly timeoutMs: number;
  readonly look:
    | { readonly page: string; readonly selector: string; readonly text: string | null }
    | { readonly script: string };
}

/** The small part of Playwright that is used here. */
interface Playwright {
  readonly chromium: { launch(options: object): Promise<Browser> };
}
interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}
interface Page {
  goto(url: string, options: object): Promise<unknown>;
  locator(selector: string): Locator;
  setDefaultTimeout(ms: number): void;
}
interface Locator {
  filter(options: { readonly hasText: string }): Locator;
  first(): Locator;
  waitFor(options: object): Promise<void>;
  count(): Promise<number>;
  innerText(options: object): Promise<string>;
}

interface Verdict {
  readonly verdict: 'pass' | 'fail' | 'unknown';
  readonly reason: string;
}

const order = JSON.parse(await text(process.stdin)) as Order;
const { verdict, reason } = await visitPage(order);
process.stdout.write(`\n${order.nonce} ${JSON.stringify({ verdict, reason })}\n`, () => process.exit(0));

async function visitPage({ playwright, chromium, timeoutMs, ...order }: Order): Promise<Verdict> {
  let browser: Browser;
  try {
    const library = (await import(pathToFileURL(playwright).href)) as Playwright;
    browser = await library.chromium.launch({
      executablePath: chromium,
      args: ['--disable-dev-shm-usage'],
      timeout: timeoutMs,
    });
  } catch (error) {
    return { verdict: 'unknown', reason: `the browser could not be started: ${firstLine(error)}` };
  }
  try {
    const page = await browser.newPage();
    // Shorter than our own timeout, so that the reason is reported.
    const waitMs = Math.max(1_000, timeoutMs * 0.6);
    page.setDefaultTimeout(waitMs);
    return 'script' in order.look
      ? await runScript(order.look.script, { page, browser, url: order.url })
      : await inspectPage(page, order.url, order.look, waitMs);
  } finally {
    await browser.close().catch(() => undefined);
  }
}

async function inspectPage(
  page: Page,
  url: string,
  { selector, text: wanted }: { readonly selector: string; readonly text: string | null },
  timeout: number,
): Promise<Verdict> {
  try {
    await page.goto(url, { waitUntil: 'domcontentloaded', timeout });
  } catch (error) {
    return { verdict: 'fail', reason: `the page does not open: ${firstLine(error)}` };
  }
  const all = page.locator(selector);
  const matching = wanted === null ? all : all.filter({ hasText: wanted });
  try {
    await matching.first().waitFor({ state: 'visible', timeout: Math.min(timeout, 15_000) });
  } catch (error) {
    return { verdict: 'fail', reason: await whyNot(all, selector, wanted, error) };
  }
  return { verdict: 'pass', reason: `the page shows ${selector}${wanted === null ? '' : ' with that text'}` };
}

async function whyNot(
  all: Locator,
  selector: string,
  wanted: string | null,
  error: unknown,
): Promise<string> {
  const count = await all.count().catch(() => null);
  if (count === null) return `the page cannot be asked for ${selector}: ${firstLine(error)}`;
  if (count === 0) return `the page has no ${selector}`;
  const shown = await all
    .first()
    .innerText({ timeout: 1_000 })
    .catch(() => '');
  if (wanted === null) return `${selector} is on the page, but not to be seen`;
  return `${selector} shows ${JSON.stringify(shown.slice(0, 200))}, not ${JSON.stringify(wanted)}`;
}

type Script = (given: { page: Page; browser: Browser; url: string }) => unknown;

async function runScript(path: string, page: Parameters<Script>[0]): Promise<Verdict> {
  try {
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    if (typeof module.default !== 'function')
      return { verdict: 'unknown', reason: 'the script has no default export that is a function' };
    await (module.default as Script)(page);
    return { verdict: 'pass', reason: 'the script ran to its end' };
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return { verdict: 'fail', reason: firstLine(error) };
  }
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '').slice(0, 300);
}
