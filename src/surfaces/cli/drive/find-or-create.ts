// Finding the run that a command means and creating it are one act: the same command may be started twice at the same moment.
import type { Site } from '#app/site.ts';
import { printNote } from '#surfaces/cli/output.ts';
import type { Start } from '#app/run/same-run.ts';
import { holderName } from '#surfaces/cli/open-here.ts';
import type { CreatedRun, WantedRun } from './create-here.ts';
import { createHere } from './create-here.ts';

export type FoundOrCreated =
  | Exclude<Start, { readonly kind: 'new' }>
  | { readonly kind: 'created'; readonly created: CreatedRun };

export async function findOrCreate(
  site: Site,
  wanted: WantedRun,
  find: () => Promise<Start>,
): Promise<FoundOrCreated> {
  const { oneStartAtATime } = await import('#app/run/one-start.ts');
  const act = async (): Promise<FoundOrCreated> => {
    const start = await find();
    return start.kind === 'new' ? { kind: 'created', created: await createHere(site, wanted) } : start;
  };
  return oneStartAtATime(site, act, (holder) =>
    printNote(`Another command (${holderName(holder) ?? 'unknown'}) is starting a run here; this one waits.`),
  );
}
