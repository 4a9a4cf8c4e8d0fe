// `resume --status`: what the unfinished runs wait for, and the commands that continue them.
import type { Site } from '#app/site.ts';
import { openSuspensions } from '#kernel/waiting/suspension.ts';
import { sessionsOf } from '#views/status/durable-sessions.ts';
import { suspensionLines, suspensionsJson, type WaitPlace } from '#views/waiting/suspended.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { pickRun } from '#surfaces/cli/pick/pick-run.ts';
import { holderName, type KnownRun, openHereToRead, unfinishedRuns } from '#surfaces/cli/open-here.ts';

export async function resumeStatusCommand(name: string | undefined, isJson: boolean): Promise<number> {
  const site = await openHereToRead();
  const named = name === undefined ? null : await pickRun(site, name, { command: 'resume --status --run' });
  const all = named === null ? await unfinishedRuns(site) : [named];
  const open = all.filter(({ run }) => run.outcome === null);
  const waits = await Promise.all(open.map(async (known) => ({ known, place: await placeOf(site, known) })));
  if (isJson) printJson(waits.map(({ known, place }) => waitJson(known, place)));
  else if (waits.length === 0)
    print(
      named === null ? 'There is no unfinished run.' : `Run ${named.run.id} has ended; it waits for nothing.`,
    );
  else print(waits.map(({ known, place }) => waitText(known, place)).join('\n\n'));
  return 0;
}

async function placeOf(site: Site, { run, holder }: KnownRun): Promise<WaitPlace> {
  const { pollRecordsOf, wakeProblemOf } = await import('#app/waiting/wait-records.ts');
  return {
    now: Date.now(),
    polls: await pollRecordsOf(site, run.id),
    holder: holderName(holder),
    problem: await wakeProblemOf(site, run.id),
  };
}

function waitJson({ run }: KnownRun, { polls, holder, problem }: WaitPlace) {
  const [session] = sessionsOf([{ run, holder }]);
  return {
    ...session,
    holder,
    problem,
    suspensions: suspensionsJson(run, { isDriven: holder !== null, polls }),
  };
}

function waitText({ run }: KnownRun, place: WaitPlace): string {
  const [session] = sessionsOf([{ run, holder: place.holder }]);
  const driver = place.holder === null ? 'no driver' : `driver: ${place.holder}`;
  const head = `${run.id}: ${session?.state ?? ''} (${driver})`;
  const suspensions = openSuspensions(run);
  if (suspensions.length === 0)
    return [head, `  ${session?.stage ?? ''}`, `  Next: ${session?.next ?? ''}`].join('\n');
  return [head, ...suspensions.flatMap((one) => suspensionLines(run, one, place))].join('\n');
}
