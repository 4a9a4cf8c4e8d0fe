// Picks the run that a command means: the named one, else the unfinished one.
import type { Site } from '#app/site.ts';
import { OperatorError } from '#base/operator-error.ts';
import { wayOn } from '#views/status/again.ts';
import { listText } from '#views/status/list.ts';
import {
  holderName,
  type KnownRun,
  loadKnown,
  openHereToRead,
  unfinishedRuns,
} from '#surfaces/cli/open-here.ts';

export interface Picking {
  /** The command to suggest with a run id if there are several: `resume`, `tell "…" --run`. */
  readonly command: string;
  /** A command that only reads falls back to the run that ended last. */
  readonly orNewest?: boolean;
}

export async function pickRun(site: Site, name: string | undefined, picking: Picking): Promise<KnownRun> {
  if (name !== undefined) return namedRun(site, name);
  return choose(await unfinishedRuns(site), picking);
}

/** For a command that only reads: if no run is unfinished, it uses the newest one. */
export async function pickToRead(
  name: string | undefined,
  command: string,
): Promise<KnownRun & { readonly site: Site }> {
  const site = await openHereToRead();
  return { site, ...(await pickRun(site, name, { command, orNewest: true })) };
}

export function choose(runs: readonly KnownRun[], { command, orNewest = false }: Picking): KnownRun {
  const unfinished = runs.filter(({ run }) => run.outcome === null);
  const [only, ...others] = unfinished;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined) throw severalRuns(unfinished, command);
  const newest = runs.at(-1);
  if (orNewest && newest !== undefined) return newest;
  if (newest === undefined)
    throw new OperatorError(
      'no-run',
      'There is no run in this repository.',
      // A sandbox hides all runs, its own too.
      (process.env['UNTILDONE_DOOR'] ?? '') === ''
        ? 'Start one: untildone run "…" --check "npm test"'
        : 'Runs cannot be listed from inside a sandbox. Ask about your own run with `untildone mcp`.',
    );
  throw new OperatorError(
    'no-run',
    'There is no unfinished run in this repository.',
    newest.run.cleaned === null
      ? `The newest, ${newest.run.id}, has ended (${newest.run.outcome?.outcome ?? ''}). ${wayOn(newest.run)}`
      : `The newest, ${newest.run.id}, has ended and was cleaned. Start another: untildone run "…"; all of them: untildone list`,
  );
}

async function namedRun(site: Site, name: string): Promise<KnownRun> {
  const { openStore } = await import('#app/site.ts');
  const ids = await openStore(site).list();
  if (ids.includes(name)) return loadKnown(site, name);
  const matching = ids.filter((id) => id.startsWith(name));
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) return loadKnown(site, only);
  const problem =
    only === undefined ? `There is no run "${name}".` : `"${name}" matches ${matching.join(' and ')}.`;
  throw new OperatorError('no-run', problem, '`untildone list` shows the runs of this repository.');
}

function severalRuns(runs: readonly KnownRun[], command: string): OperatorError {
  const list = listText(runs.map(({ run, holder }) => ({ run, holder: holderName(holder) })));
  return new OperatorError(
    'several-runs',
    `Several runs are unfinished. Name one:\n${list}`,
    `For example: untildone ${command} ${runs[0]?.run.id ?? ''}`,
  );
}
