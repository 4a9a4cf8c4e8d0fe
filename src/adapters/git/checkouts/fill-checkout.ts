// Fills a fresh checkout (submodules, copied files, setup) and creates the index that snapshots use.
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SetupConfig } from '#kernel/model/config.ts';
import { copiedPaths, copyInto, ignoreLine } from './copied.ts';
import type { Installation } from '#adapters/git/setup/dependencies.ts';
import { detectedSetupAt } from '#adapters/git/setup/detect-setup.ts';
import { type Git, reading, split } from '#adapters/git/repo/git.ts';
import type { Ground } from './context.ts';
import { mayHang } from '#adapters/git/repo/outside-files.ts';
import { settleLocks } from './own-locks.ts';
import { listIndex } from '#adapters/git/trees/index-list.ts';
import { isSuspect, secretPatterns } from '#adapters/git/trees/secrets.ts';
import { admittedFileOf, type Admitted, copyIndex, excludeFileOf } from '#adapters/git/trees/snapshot.ts';
import { fillSubmodules, linksOf } from './submodules.ts';

export interface FreshCheckout {
  readonly root: string;
  /** Git folder of the checkout; its index matches the files. */
  readonly admin: string;
  readonly indexFile: string;
  readonly tree: string;
  /** The run's own checkout, in which builders work. */
  readonly isWorkedIn?: boolean;
}

export async function fillCheckout(ground: Ground, fresh: FreshCheckout): Promise<void> {
  const setup = ground.setup();
  const links = await linksOf(ground.git, ground.commonDir, fresh.tree);
  await fillSubmodules(
    { git: ground.git, commonDir: ground.commonDir, root: fresh.root, note: ground.note },
    links,
  );
  const copied = await copiedPaths(ground.git, ground.repository, setup.copy);
  await watch(ground, fresh, copied);
  const cwd = join(fresh.root, ground.prefix);
  await mkdir(cwd, { recursive: true });
  await copyInto(ground.repository.root, fresh.root, copied);
  const found = await setupOf(ground, setup, fresh.tree);
  if (found === null) return;
  const { git } = ground;
  const { root, tree, admin: gitDir } = fresh;
  const locks = await ground.installer.install({ git, gitDir, root, cwd, tree, copied, ...found });
  await settleLocks(ground, fresh, locks);
  await leaveOutInstalled(ground, fresh, locks);
}

async function setupOf(
  { git, commonDir, prefix }: Ground,
  { command, isDetected }: SetupConfig,
  tree: string,
): Promise<Pick<Installation, 'command' | 'isUnlocked'> | null> {
  if (command !== null) return { command, isUnlocked: false };
  if (!isDetected) return null;
  const found = await detectedSetupAt({ git, gitDir: commonDir }, tree, prefix);
  if (found.kind !== 'command') return null;
  return { command: found.command, isUnlocked: found.isUnlocked === true };
}

/** Output of `setup` is not the agent's work, even if no ignore file names it. */
async function leaveOutInstalled(
  { git }: Ground,
  fresh: FreshCheckout,
  locks: readonly string[],
): Promise<void> {
  const place = { cwd: fresh.root, gitDir: fresh.admin, workTree: fresh.root };
  const settings = [`core.excludesFile=${excludeFileOf(fresh.indexFile)}`];
  const args = ['ls-files', '-z', '-o', '--exclude-standard', '--directory'];
  const made = split(await git.tell(args, { ...place, settings })).filter(
    (path) => !path.includes('\n') && !locks.includes(path),
  );
  if (made.length > 0)
    await appendFile(excludeFileOf(fresh.indexFile), `${made.map(ignoreLine).join('\n')}\n`);
}

/** Records what a snapshot of this checkout omits, and writes an index that already knows the files. */
export async function watch(ground: Ground, fresh: FreshCheckout, copied: readonly string[]): Promise<void> {
  const lines = [
    ...secretPatterns,
    '/.untildone/',
    ...copied.filter((path) => !path.includes('\n')).map(ignoreLine),
  ];
  const theirs = await globalExcludes(ground.git, ground);
  await writeFile(excludeFileOf(fresh.indexFile), `${theirs}\n${lines.join('\n')}\n`);
  await writeFile(admittedFileOf(fresh.indexFile), JSON.stringify(await admittedBy(ground, fresh)));
  await copyIndex(join(fresh.admin, 'index'), fresh.indexFile);
}

async function admittedBy({ git, commonDir }: Ground, fresh: FreshCheckout): Promise<Admitted> {
  const place = { cwd: fresh.root, gitDir: fresh.admin, workTree: fresh.root, ...reading };
  const index = await listIndex(join(fresh.admin, 'index'));
  const paths = index?.paths ?? split(await git.tell(['ls-files', '-z', '--cached'], place));
  const suspects = paths.filter(isSuspect);
  const submodules = (await linksOf(git, commonDir, fresh.tree)).map(({ path }) => path);
  return { suspects, submodules };
}

/** Our ignore file replaces the user's global one, so its lines are copied into ours. */
async function globalExcludes(git: Git, ground: Ground): Promise<string> {
  const file = await excludesFileOf(git, ground);
  return mayHang(file) ? '' : readFile(file, 'utf8').catch(() => '');
}

async function excludesFileOf(git: Git, { repository, env }: Ground): Promise<string> {
  const { files } = await git.settings({ cwd: repository.root });
  const home = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config');
  return files.findLast(([name]) => name === 'core.excludesfile')?.[1] ?? join(home, 'git', 'ignore');
}
