import { OperatorError } from '#base/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { print, printJsonLine } from '#surfaces/cli/output.ts';
import { keepSmall } from '#surfaces/cli/drive/keep-small.ts';
import { watchJson, type WatchEvent, watchLine } from '#views/waiting/watch-events.ts';

export interface WatchFlags {
  readonly once?: boolean;
  readonly repo?: string;
  readonly runs?: string;
  readonly install?: boolean;
  readonly uninstall?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function watchCommand(options: WatchFlags): Promise<number> {
  await refuseFromInside('untildone watch');
  if (options.install === true || options.uninstall === true) {
    const { installWatch, uninstallWatch } = await import('./install-watch.ts');
    const act = options.install === true ? installWatch : uninstallWatch;
    return act({ isYes: options.yes === true, isJson: options.json === true });
  }
  if (options.once === true) return watchOnce(options);
  if (options.repo !== undefined)
    throw new OperatorError(
      'wrong-flag',
      '--repo needs --once: `watch` wakes the runs of all repositories.',
      `Wake what is due there now: untildone watch --once --repo ${options.repo}`,
    );
  return watchOn(options);
}

async function watchOn({ runs, json = false }: WatchFlags): Promise<number> {
  keepSmall();
  const { stateHome } = await import('#app/state-home.ts');
  const { watchRuns } = await import('#app/waiting/watch.ts');
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
  const report = (event: WatchEvent): void =>
    json ? printJsonLine(watchJson(event)) : print(watchLine(event));
  const { env } = process;
  const home = stateHome(env);
  const onTaken = (count: number): void => {
    const what = count === 1 ? 'one waiting run' : `${count} waiting runs`;
    report({ kind: 'watching', at: Date.now(), text: `watching ${what} (pid ${process.pid})` });
  };
  const childrenMax = runs === undefined ? 4 : countOf(runs);
  await watchRuns({ stateHome: home, env, childrenMax, report, onTaken, signal: leaving.signal });
  return 0;
}

/** Starts every due run once, and waits for none. */
async function watchOnce({ repo, json = false }: WatchFlags): Promise<number> {
  const { openSiteToRead } = await import('#app/site.ts');
  const { stateHome } = await import('#app/state-home.ts');
  const { wakeDue } = await import('#app/waiting/wake-due.ts');
  const { env } = process;
  const here = repo === undefined ? undefined : await openSiteToRead(repo, env);
  const woken = await wakeDue(stateHome(env), { env, ...(here === undefined ? {} : { here }) });
  for (const runId of woken) {
    const event: WatchEvent = { kind: 'woken', at: Date.now(), runId, text: 'woken' };
    if (json) printJsonLine(watchJson(event));
    else print(watchLine(event));
  }
  if (woken.length === 0 && !json) print('No run is due.');
  return 0;
}

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 100) return count;
  throw new OperatorError(
    'wrong-flag',
    `--runs must be a number from 1 to 100, not "${text}".`,
    'For example: untildone watch --runs 2',
  );
}
