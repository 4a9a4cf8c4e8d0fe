// Which files a checkout has, with the hash that git knows of each: what did not change need not be read.
import { type Git, reading, split } from '#adapters/workspaces/git/git.ts';
import { OperatorError } from '#ports/operator-error.ts';

export interface ListedFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  /** The blob that git has of it; null where the file differs from it, or git has none. */
  readonly blob: string | null;
}

export interface Listing {
  readonly files: readonly ListedFile[];
  readonly submodules: readonly string[];
  /** False when only a part was asked for. */
  readonly isWhole: boolean;
}

// The largest repositories have half a million; more is a mistake, such as a data folder that is not ignored.
const filesMax = 1_000_000;

/** `paths` are from the root; none means everything. Links are left out: what they lead to is found where it is. */
export async function listFiles(git: Git, root: string, paths: readonly string[]): Promise<Listing> {
  const where = { ...reading, cwd: root };
  const only = paths.length === 0 ? [] : ['--', ...paths.map((path) => `:(literal)${path}`)];
  const [staged, changed, others] = await Promise.all([
    git.tell(['ls-files', '-z', '-s', ...only], where),
    git.tell(['ls-files', '-z', '-m', '-d', ...only], where),
    git.tell(['ls-files', '-z', '-o', '--exclude-standard', ...only], where),
  ]);
  const dirty = new Set(split(changed));
  const { blobs, submodules } = readStaged(staged, dirty);
  for (const path of split(others)) if (!path.endsWith('/')) blobs.set(path, null);
  if (blobs.size > filesMax) throw tooMany(blobs.size);
  const files = [...blobs].map(([path, blob]) => ({ path, blob }));
  return { files: files.sort(byPath), submodules, isWhole: paths.length === 0 };
}

function readStaged(staged: string, dirty: ReadonlySet<string>) {
  const blobs = new Map<string, string | null>();
  const submodules: string[] = [];
  for (const entry of split(staged)) {
    const tab = entry.indexOf('\t');
    const path = entry.slice(tab + 1);
    const [mode = '', blob = '', stage = ''] = entry.slice(0, tab).split(' ');
    if (mode === '160000') submodules.push(path);
    // A file in conflict is listed up to three times, and its text is none of them.
    else if (mode !== '120000') blobs.set(path, stage === '0' && !dirty.has(path) ? blob : null);
  }
  return { blobs, submodules };
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
