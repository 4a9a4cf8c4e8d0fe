// The preflight item about how checkouts get their dependencies.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { detectedSetupAt } from '#adapters/git/setup/detect-setup.ts';
import { gitOf } from '#app/git-of.ts';
import type { DetectedSetup } from '#analysis/ecosystems/setup/detected-setup.ts';
import { madeBy } from '#analysis/ecosystems/setup/setup-files.ts';
import type { Site } from '#app/site.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { PreflightItem } from '#views/preflight/preflight.ts';

/** Contract: changes nothing. Does not reject if git does not answer. */
export async function setupItem(
  site: Site,
  { setup, repo }: Pick<RunConfig, 'setup' | 'repo'>,
): Promise<PreflightItem> {
  const about = 'setup';
  const where = repo.inPlace ? 'your checkout is used as it is; clean checkouts run: ' : '';
  if (setup.command !== null) return { mark: 'ok', about, text: `${where}${setup.command} (as configured)` };
  if (!setup.isDetected) return { mark: 'ok', about, text: 'nothing is installed (as configured)' };
  const ground = { git: await gitOf(site), gitDir: site.commonDir };
  const found = await detectedSetupAt(ground, repo.baseCommit, repo.prefix).catch(() => null);
  if (found === null) return { mark: 'ok', about, text: 'detected when the workspace is ready' };
  const item = foundItem(found, where);
  return repo.inPlace ? { ...item, ...missing(site.repository.root, repo.prefix, found) } : item;
}

function foundItem(found: DetectedSetup, where: string): PreflightItem {
  const about = 'setup';
  switch (found.kind) {
    case 'command':
      return { mark: 'ok', about, text: `${where}${found.command} (${found.why})` };
    case 'self':
    case 'none':
      return { mark: 'ok', about, text: `nothing to run (${found.why})` };
    case 'ask':
      return { mark: 'warning', about, text: `none found: ${found.why}`, hint: found.hint };
  }
}

/** In place, nothing is installed for the user, so checks would run without the dependencies. */
function missing(root: string, prefix: string, found: DetectedSetup): Partial<PreflightItem> {
  if (found.kind !== 'command' || found.declaresNothing === true) return {};
  const names = madeBy(found.command);
  const folders = [join(root, prefix), root];
  const isThere = folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
  if (names.length === 0 || isThere) return {};
  return { mark: 'warning', hint: `Install the dependencies in your checkout first: ${found.command}` };
}
