// Adds what plain `git add -A` cannot: files of repositories inside the checkout, and unreadable files.
import { chmod, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';
import { type Git, type GitOptions, split } from '#adapters/git/repo/git.ts';

// Repositories in repositories: deeper than any accidental nesting.
const depthMax = 8;

export type IndexPlace = GitOptions & { readonly workTree: string };

/** Adds the files of embedded repositories as ordinary files; `submodules` stay links. */
export async function takeEmbedded(
  git: Git,
  place: IndexPlace,
  submodules: ReadonlySet<string>,
): Promise<void> {
  const links = await newLinks(git, place, submodules);
  const left = split(await git.tell(['ls-files', '-z', '-o', '-m', '-d', '--exclude-standard'], place));
  const folders = [
    ...new Set([...links, ...left.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1))]),
  ];
  await change(git, place, ['--force-remove'], links);
  const files = await Promise.all(folders.map((folder) => filesIn(git, place, folder, 1)));
  const { taken, gone } = await sortOut(
    place.workTree,
    left.filter((path) => !path.endsWith('/')),
  );
  await change(git, place, ['--force-remove'], gone);
  await change(git, place, ['--add', '--remove'], [...files.flat(), ...taken]);
}

/** Stores the files of the index as git did at first, whatever it says about them. Links to commits stay. */
export async function storeAgain(git: Git, place: IndexPlace): Promise<void> {
  const staged = split(await git.tell(['ls-files', '-z', '-s'], place));
  const paths = staged
    .filter((line) => !line.startsWith('160000 '))
    .map((line) => line.slice(line.indexOf('\t') + 1));
  await change(git, place, ['--force-remove'], paths);
  await change(git, place, ['--add'], paths);
}

async function newLinks(git: Git, place: IndexPlace, submodules: ReadonlySet<string>): Promise<string[]> {
  const staged = split(await git.tell(['ls-files', '-z', '-s'], place));
  return staged
    .filter((line) => line.startsWith('160000 '))
    .map((line) => line.slice(line.indexOf('\t') + 1))
    .filter((path) => !submodules.has(path));
}

/** With the folder itself as work tree, git skips its `.git` and lists the rest. */
async function filesIn(git: Git, place: IndexPlace, folder: string, depth: number): Promise<string[]> {
  if (depth > depthMax) return [];
  const inside = join(place.workTree, folder);
  const options = { ...place, cwd: inside, workTree: inside, indexFile: `${place.indexFile ?? ''}.none` };
  const listed = split(await git.tell(['ls-files', '-z', '-o', '--exclude-standard'], options));
  const paths = listed.map((path) => `${folder}/${path}`);
  const deeper = paths
    .filter((path) => path.endsWith('/'))
    .map((path) => filesIn(git, place, path.slice(0, -1), depth + 1));
  return [...paths.filter((path) => !path.endsWith('/')), ...(await Promise.all(deeper)).flat()];
}

/**
 * A file of the run without read permission gets it; one of another owner is an error that names it. Other
 * kinds (a pipe, a socket) are no part of a tree.
 */
async function sortOut(root: string, paths: readonly string[]): Promise<{ taken: string[]; gone: string[] }> {
  const taken: string[] = [];
  const gone: string[] = [];
  for (const path of paths) {
    const file = join(root, path);
    const found = await lstat(file).catch(() => null);
    if (found?.isFile() === true && (found.mode & 0o400) === 0) await openFile(file, path, found.mode);
    if (found?.isFile() === true || found?.isSymbolicLink() === true) taken.push(path);
    else gone.push(path);
  }
  return { taken, gone };
}

async function openFile(file: string, path: string, mode: number): Promise<void> {
  try {
    await chmod(file, mode | 0o400);
  } catch {
    throw new OperatorError(
      'file-unreadable',
      `The file ${path} of the run's checkout cannot be read.`,
      'Give it back read permission, or delete it.',
    );
  }
}

async function change(
  git: Git,
  place: IndexPlace,
  how: readonly string[],
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  const input = paths.map((path) => `${path}\0`).join('');
  await git.tell(['update-index', ...how, '-z', '--stdin'], { ...place, input });
}
