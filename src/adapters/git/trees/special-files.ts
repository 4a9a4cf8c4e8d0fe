// Removes pipes, sockets and devices that git would open: it waits forever for a pipe named `.gitignore`.
import type { Dirent, Stats } from 'node:fs';
import { chmod, lstat, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';
import { isNestedGit, uncheckedTarget } from './nested-git.ts';

export interface SpecialPlace {
  readonly root: string;
  readonly commonDir: string;
  /** In the user's own checkout, only files that git would open are removed. */
  readonly inPlace?: boolean;
}

/** Folders read in parallel; more gain nothing. */
const readersMax = 4;
const namedMax = 10;
/** The folders that git reads in its own; a bare one may contain the user's checkouts. */
const gitFolders = new Set(['hooks', 'info', 'logs', 'modules', 'objects', 'refs', 'worktrees']);
/** Files whose text leads git to another folder. */
const pointers = /^(\.git|commondir)$/i;

/**
 * Returns a sentence that names the removed files, or null. Links in the checkout stay, except below a
 * `.git`: elsewhere git does not follow them.
 */
export async function removeSpecialFiles(place: SpecialPlace): Promise<string | null> {
  const { root, commonDir } = place;
  const inCheckout = await walk(root, testInCheckout(place), (path) => path !== commonDir);
  return removed([...inCheckout, ...(await hangsInGitFolder(commonDir))], root);
}

/** Enough before calls of git that read no files of a checkout. */
export async function removeSpecialGitFiles({ root, commonDir }: SpecialPlace): Promise<string | null> {
  return removed(await hangsInGitFolder(commonDir), root);
}

async function removed(found: readonly SpecialFile[], root: string): Promise<string | null> {
  for (const { path } of found) await remove(path);
  if (found.length === 0) return null;
  const names = found.slice(0, namedMax).map(({ path, kind }) => `${nameOf(path, root)} (${kind})`);
  const more = found.length > namedMax ? ` and ${found.length - namedMax} more` : '';
  return `Removed special files, which git cannot store and may block on: ${names.join(', ')}${more}.`;
}

interface SpecialFile {
  readonly path: string;
  readonly kind: string;
}

type Kinds = Pick<Dirent | Stats, 'isFIFO' | 'isSocket' | 'isBlockDevice' | 'isCharacterDevice'>;
type Test = (path: string, entry: Dirent) => Promise<string | null> | string | null;

function isSpecial(_: string, entry: Kinds): string | null {
  if (entry.isFIFO()) return 'a named pipe';
  if (entry.isSocket()) return 'a socket';
  return entry.isBlockDevice() || entry.isCharacterDevice() ? 'a device' : null;
}

function testInCheckout(place: SpecialPlace): Test {
  const inPlace = place.inPlace === true;
  return async (path, entry) => {
    const special = inPlace ? isOpenedByGit(path, entry) : isSpecial(path, entry);
    if (special !== null || !isNestedGit(place.root, path)) return special;
    const hang = await isHangInGitFolder(path, entry);
    if (hang !== null) return hang;
    const target = await uncheckedTarget(path, entry, place);
    if (target === null) return null;
    // A git folder of the user's own repositories may be elsewhere.
    const mayStay = inPlace && (await hangsInGitFolder(target)).length === 0;
    return mayStay ? null : 'leads to unchecked files';
  };
}

function hangsInGitFolder(gitDir: string): Promise<SpecialFile[]> {
  return walk(
    gitDir,
    isHangInGitFolder,
    (path) => dirname(path) !== gitDir || gitFolders.has(basename(path)),
  );
}

/** Sockets of the user's programs stay, and so do pipes with names that git does not open. */
function isOpenedByGit(path: string, entry: Dirent): string | null {
  return /^\.(git.*|mailmap)$/i.test(basename(path)) ? isSpecial(path, entry) : null;
}

/** Git follows links here. Sockets stay: git cannot open them, and its own daemon has one. */
async function isHangInGitFolder(path: string, entry: Dirent): Promise<string | null> {
  const target = entry.isSymbolicLink() ? await stat(path).catch(() => null) : entry;
  if (target === null || target.isSocket() || (await isNull(target))) return null;
  return isSpecial(path, target);
}

async function isNull(target: Dirent | Stats): Promise<boolean> {
  if (!target.isCharacterDevice() || !('rdev' in target)) return false;
  return target.rdev === (await stat('/dev/null')).rdev;
}

async function walk(top: string, test: Test, mayEnter: (path: string) => boolean): Promise<SpecialFile[]> {
  const found: SpecialFile[] = [];
  const waiting = [top];
  const readAll = async (): Promise<void> => {
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const entry of await entriesOf(folder)) {
        if (entry.isFile() && !pointers.test(entry.name)) continue;
        const path = join(folder, entry.name);
        const kind = entry.isDirectory() ? null : await test(path, entry);
        if (kind !== null) found.push({ path, kind });
        else if (entry.isDirectory() && mayEnter(path)) waiting.push(path);
      }
    }
  };
  // A reader ends when the queue is empty, although another reader may be about to add to it.
  while (waiting.length > 0) await Promise.all(Array.from({ length: readersMax }, readAll));
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Git opens a file by name even in a folder that cannot be listed. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  const read = (): Promise<Dirent[]> => readdir(folder, { withFileTypes: true });
  return read().catch(async () => {
    await openFolder(folder);
    return read().catch(() => []);
  });
}

async function openFolder(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  if (found?.isDirectory() === true) await chmod(folder, found.mode | 0o700).catch(() => {});
}

async function remove(path: string): Promise<void> {
  await rm(path, { force: true }).catch(async () => {
    await openFolder(dirname(path));
    await rm(path, { force: true }).catch(() => {
      throw new OperatorError(
        'special-file',
        `${path} is a pipe or a device and cannot be removed; git could block on it.`,
        'Remove it, then resume the run.',
      );
    });
  });
}

function nameOf(path: string, root: string): string {
  const inside = relative(root, path);
  return inside.startsWith('..') ? path : inside;
}
