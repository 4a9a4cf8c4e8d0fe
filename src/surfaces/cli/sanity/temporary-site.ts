// A temporary repository with its own state for a sanity check: some agents read and write nowhere else.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Site } from '#app/site.ts';

/** Everything is in `folder`, which exists already. */
export async function temporarySite(folder: string): Promise<Site> {
  const { openSite } = await import('#app/site.ts');
  const root = join(folder, 'repository');
  await mkdir(root);
  const git = (...args: readonly string[]): Promise<unknown> =>
    promisify(execFile)('git', args, { cwd: root });
  await git('init', '-q', '-b', 'main');
  await git('config', 'user.name', 'untildone');
  await git('config', 'user.email', 'untildone@localhost');
  const unsigned = ['-c', 'commit.gpgsign=false'];
  await git(...unsigned, 'commit', '-q', '--allow-empty', '-m', 'a place to try an agent');
  return openSite(root, { ...process.env, XDG_STATE_HOME: join(folder, 'state') });
}
