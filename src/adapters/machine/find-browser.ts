// Finds a browser for checks: the user's Playwright and a Chromium of this machine.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from './package-folders.ts';
import { findProgram } from '#adapters/processes/program.ts';

export type Browser =
  | { readonly playwright: string; readonly chromium: string }
  /** Says what is missing and how to get it. */
  | { readonly problem: string };

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const macApp = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

export function findBrowser(env: { readonly [name: string]: string }, chromePath: string | null): Browser {
  const chromium = findChromium(env, chromePath);
  if ('problem' in chromium) return chromium;
  const playwright = packageFolders(env)
    .flatMap((folder) => ['playwright-core', 'playwright'].map((name) => join(folder, name, 'index.mjs')))
    .find((file) => existsSync(file));
  if (playwright === undefined)
    return { problem: 'playwright-core is not installed beside untildone: npm install playwright-core' };
  return { playwright, chromium: chromium.path };
}

function findChromium(
  env: { readonly [name: string]: string },
  chromePath: string | null,
): { readonly path: string } | { readonly problem: string } {
  if (chromePath !== null) {
    const found = findProgram(chromePath, env['PATH'], '/');
    return 'path' in found ? found : { problem: `CHROME_PATH leads to no browser: ${found.problem}` };
  }
  for (const name of names) {
    const found = findProgram(name, env['PATH'], '/');
    if ('path' in found) return found;
  }
  if (existsSync(macApp)) return { path: macApp };
  return { problem: 'there is no Chromium on PATH: install chromium or google-chrome, or set CHROME_PATH' };
}
