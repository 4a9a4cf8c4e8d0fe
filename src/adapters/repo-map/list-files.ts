// Lists the files of a checkout with git's hash of each, so that unchanged files need not be read.
import { type Git, reading } from '#adapters/git/repo/git.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { HashName } from './read-source.ts';

export interface ListedFile {
  /** Relative to the root of the repository, with slashes. */
  readonly path: string;
  /** Git's blob of it; null if the file differs from it or is untracked. */
  readonly blob: string | null;
  /** Git ignores its state, as in a sparse checkout: it may be missing. */
  readonly isSkipped?: true;
}

export interface Listing {
  readonly files: readonly ListedFile[];
  readonly submodules: readonly string[];
  readonly hash: HashName;
  /** False for a partial listing. */
  readonly isWhole: boolean;
}

// The largest repositories have half a million; more is a mistake, such as a data folder not ignored.
const filesMax = 1_000_000;

/**
 * If `paths` are given, they and the folder are at the root; otherwise lists everything, from any folder of
 * the checkout. Links are skipped: their targets are listed under their own paths.
 */
export async function listFiles(git: Git, folder: string, paths: readonly string[]): Promise<Listing> {
  const where = { ...reading, cwd: folder };
  const only = ['--', ...(paths.length === 0 ? [':/'] : paths.map((path) => `:(literal)${path}`))];
  // One call for all: git reads its index and the files' state once.
  const kinds = ['-s', '-m', '-d', '-o', '--exclude-standard', '--full-name'];
  const { blobs, submodules, skipped } = readEntries(
    await git.tell(['ls-files', '-z', '-t', ...kinds, ...only], where),
  );
  if (blobs.size > filesMax) throw tooMany(blobs.size);
  const files = [...blobs].map(([path, blob]): ListedFile =>
    skipped.has(path) ? { path, blob, isSkipped: true } : { path, blob },
  );
  const hash = hashOf(files.find(({ blob }) => blob !== null)?.blob ?? '');
  return { files: files.sort(byPath), submodules, hash, isWhole: paths.length === 0 };
}

/** By length; any will do if git has no blob yet. */
function hashOf(blob: string): HashName {
  return blob.length === 64 ? 'sha256' : 'sha1';
}

/** `H mode blob stage\tpath` is unchanged, `C` and `R` are changed or gone, `? path` is new. */
function readEntries(listed: string) {
  const blobs = new Map<string, string | null>();
  const submodules = new Set<string>();
  const skipped = new Set<string>();
  const gone = new Set<string>();
  for (let at = 0, end = 0; at < listed.length; at = end + 1) {
    end = listed.indexOf('\0', at);
    if (end === -1) end = listed.length;
    const isNew = listed.startsWith('? ', at);
    const tab = isNew ? at + 1 : listed.indexOf('\t', at);
    const path = listed.slice(tab + 1, end);
    const mode = isNew ? '' : listed.slice(at + 2, at + 8);
    if (mode === '160000') submodules.add(path);
    else if (mode === '120000' || path.endsWith('/') || path === '') continue;
    else if (listed[at] === 'R') gone.add(path);
    // A file in conflict is listed up to three times, and its text is none of them; a changed file twice.
    else {
      if (listed[at] === 'S') skipped.add(path);
      const isClean = isKnown(listed, at, tab) && blobs.get(path) !== null;
      blobs.set(path, isClean ? listed.slice(at + 9, tab - 2) : null);
    }
  }
  for (const path of gone) blobs.delete(path);
  return { blobs, submodules: [...submodules], skipped };
}

/** Clean and not in conflict: `H … 0`. Git has not checked a skipped file, `S`. */
function isKnown(listed: string, at: number, tab: number): boolean {
  return listed[at] === 'H' && listed[tab - 1] === '0';
}

function byPath(a: ListedFile, b: ListedFile): number {
  return a.path < b.path ? -1 : 1;
}

function tooMany(count: number): OperatorError {
  return new OperatorError(
    'too-many-files',
    `There are ${count} files here, more than a map can hold.`,
    'Ignore data folders in .gitignore, or name the folders to map: `untildone map src`.',
  );
}
