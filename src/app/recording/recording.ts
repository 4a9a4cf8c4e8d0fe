// A run of this repository → a script for the scripted agent.
import { type Recording, recordRun } from './record-run.ts';
import { refuseCleaned } from '#app/clean/refuse-cleaned.ts';
import { openStore, runFiles, type Site } from '#app/site.ts';
import { createRedactor } from '#config/redact.ts';
import type { Run } from '#kernel/fold/run.ts';

export type { Recording } from './record-run.ts';

export async function makeRecording(site: Site, run: Run, session: string | null): Promise<Recording> {
  await refuseCleaned(site, run, 'the logs of its sessions are gone, so it cannot be recorded');
  const { events } = await (await openStore(site)).read(run.id);
  return recordRun({
    events,
    logsDir: runFiles(site, run.id).logsDir,
    commonDir: site.commonDir,
    env: site.env,
    prefix: run.config.repo.prefix,
    session,
    redactor: createRedactor(site.env),
  });
}
