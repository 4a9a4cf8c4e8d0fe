// `run --sanity-check`: one iteration with the agents and settings of this folder, in a temporary repository.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunFlags } from '#config/setting-table.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import { isInteractive, print } from '#surfaces/cli/output.ts';
import { resolveAsking } from '#surfaces/cli/drive/resolve-asking.ts';
import { openHere } from '#surfaces/cli/open-here.ts';
import { startHere } from '#surfaces/cli/drive/start-here.ts';
import { temporarySite } from './temporary-site.ts';

export async function sanityRun(flags: RunFlags, isJson: boolean): Promise<number> {
  const here = await openHere();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'untildone-sanity-')));
  let isKept = false;
  try {
    const site = { ...(await temporarySite(folder)), env: here.env, ownEnv: here.ownEnv };
    const { repoId, head, prefix } = site;
    const request = { goal: undefined, flags, sanityCheck: true };
    const resolved = await resolveAsking(
      { ...here, repoId, head, prefix },
      request,
      !isJson && isInteractive(),
    );
    const code = await startHere(site, resolved, isJson, true);
    isKept = code !== exitCodes.completed;
    if (isKept && !isJson)
      print(`Its files are in ${folder}. A sanity check cannot be resumed. Start another one.`);
    return code;
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
