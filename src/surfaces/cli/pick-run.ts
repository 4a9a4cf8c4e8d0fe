// Which run a command means: the one that is named, else the one that is not finished.
import type { Site } from '#compose/site.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { listText } from '#views/list.ts';
import type { KnownRun } from './site.ts';
import { holderName, loadKnown, unfinishedRuns } from './site.ts';

/** `orNewest` lets a command that only looks fall back to the run that ended last. */
export async function pickRun(site: Site, name: string | undefined, orNewest = false): Promise<KnownRun> {
  if (name !== undefined) return namedRun(site, name);
  return choose(await unfinishedRuns(site), orNewest);
}

export function choose(runs: readonly KnownRun[], orNewest: boolean): KnownRun {
  const unfinished = runs.filter(({ run }) => run.outcome === null);
  const [only, ...others] = unfinished;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined) throw severalRuns(unfinished);
  const newest = runs.at(-1);
  if (orNewest && newest !== undefined) return newest;
  if (newest === undefined)
    throw new OperatorError(
      'no-run',
      'There is no run in this repository.',
      'Start one: untildone run "…" --check "npm test"',
    );
  throw new OperatorError(
    'no-run',
    'There is no unfinished run in this repository.',
    'Name a finished one by its id; `untildone list` shows them.',
  );
}

async function namedRun(site: Site, name: string): Promise<KnownRun> {
  const { openStore } = await import('#compose/site.ts');
  const ids = await (await openStore(site)).list();
  if (ids.includes(name)) return loadKnown(site, name);
  const matching = ids.filter((id) => id.startsWith(name));
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) return loadKnown(site, only);
  const problem =
    only === undefined ? `There is no run "${name}".` : `"${name}" may be ${matching.join(' or ')}.`;
  throw new OperatorError('no-run', problem, '`untildone list` shows the runs of this repository.');
}

function severalRuns(runs: readonly KnownRun[]): OperatorError {
  const list = listText(runs.map(({ run, holder }) => ({ run, holder: holderName(holder) })));
  return new OperatorError(
    'several-runs',
    `Several runs are unfinished; say which one you mean:\n${list}`,
    `For example: untildone status ${runs[0]?.run.id ?? ''}`,
  );
}
