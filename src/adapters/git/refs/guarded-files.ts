// Reads and restores files that change git's behavior: settings, hooks, ignore rules, the list of stashes.
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Git, split } from '#adapters/git/repo/git.ts';

export interface GuardedFile {
  /** Relative to the common git folder. */
  readonly path: string;
  readonly mode: number;
  readonly base64: string;
}

const single = (
  'config config.worktree info/exclude info/attributes info/grafts shallow objects/info/alternates ' +
  'logs/refs/stash'
).split(' ');
const fileBytesMax = 1024 * 1024;
const hooksMax = 200;

export async function readGuardedFiles(commonDir: string): Promise<GuardedFile[]> {
  const hooks = (await readdir(join(commonDir, 'hooks')).catch(() => [])).filter(
    (name) => !name.endsWith('.sample'),
  );
  const paths = [...single, ...hooks.slice(0, hooksMax).map((name) => `hooks/${name}`)];
  const found = await Promise.all(paths.map((path) => readGuarded(commonDir, path)));
  return found.filter((file) => file !== null);
}

export async function putBack(commonDir: string, file: GuardedFile): Promise<void> {
  const target = join(commonDir, file.path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(`${target}.untildone`, Buffer.from(file.base64, 'base64'));
  await chmod(`${target}.untildone`, file.mode);
  await rm(target, { recursive: true, force: true });
  await rename(`${target}.untildone`, target);
}

export async function takeAway(commonDir: string, path: string): Promise<void> {
  await rm(join(commonDir, path), { recursive: true, force: true });
}

/**
 * Names of the changed settings, if the user's normal work changes all of them: upstream branches and new
 * remotes. Null otherwise, because any other setting can make git run a program or read other files.
 */
export async function harmlessChanges(
  git: Git,
  before: GuardedFile,
  after: GuardedFile,
): Promise<string[] | null> {
  if (before.path !== 'config') return null;
  const [old, now] = await Promise.all([settingsOf(git, before), settingsOf(git, after)]);
  if (old === null || now === null) return null;
  const changed = [...now.symmetricDifference(old)];
  const remotes = new Set([...old].map(remoteOf));
  const isHarmless = changed.every((entry) => {
    if (/^branch\..*\.(remote|merge|rebase|description)(\n|$)/s.test(entry)) return true;
    return /^remote\..*\.(url|fetch)\n/s.test(entry) && !remotes.has(remoteOf(entry));
  });
  return isHarmless ? [...new Set(changed.map((entry) => entry.split('\n')[0] ?? entry))] : null;
}

async function settingsOf(git: Git, file: GuardedFile): Promise<Set<string> | null> {
  const input = Buffer.from(file.base64, 'base64').toString('utf8');
  const answer = await git.ask(['config', '-z', '--list', '--no-includes', '--file', '-'], { input });
  return answer.code === 0 ? new Set(split(answer.stdout)) : null;
}

function remoteOf(entry: string): string | undefined {
  return /^remote\.(.*)\.[^.\n]+\n/s.exec(entry)?.[1];
}

async function readGuarded(commonDir: string, path: string): Promise<GuardedFile | null> {
  const file = join(commonDir, path);
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile() || found.size > fileBytesMax) return null;
  const content = await readFile(file).catch(() => null);
  return content === null ? null : { path, mode: found.mode & 0o777, base64: content.toString('base64') };
}
