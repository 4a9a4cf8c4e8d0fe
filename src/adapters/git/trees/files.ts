// Compares the files of a checkout with trees and makes them equal.
import { lstat, rm, rmdir } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';
import { type Git, split } from '#adapters/git/repo/git.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { copyIndex, withIndexCopy } from './snapshot.ts';

export interface Files {
  readonly git: Git;
  readonly commonDir: string;
  readonly root: string;
  snapshot(): Promise<string>;
  keep(tree: string, name: string): Promise<string>;
}

export interface ChangedPath {
  readonly path: string;
  readonly status: 'added' | 'changed' | 'deleted';
}

// Enough for any prompt or view; more is a generated folder.
const pathsMax = 5_000;

export async function changedPaths(
  files: Pick<Files, 'git' | 'commonDir'>,
  from: string,
  to: string,
): Promise<ChangedPath[]> {
  return (await differences(files, from, to)).slice(0, pathsMax);
}

/** Added and changed test files, relative to the folder `prefix`. */
export function testChanges(
  changed: readonly ChangedPath[],
  prefix: string,
): { readonly path: string; readonly status: 'added' | 'changed' }[] {
  return changed.flatMap(({ path, status }) =>
    status === 'deleted' || !isTest(path) ? [] : [{ path: posix.relative(prefix, path), status }],
  );
}

/** Contract: ignored files stay; the present files are kept under the returned ref before any change. */
export async function restoreFiles(
  files: Files,
  indexFile: string,
  tree: string,
  name: string,
): Promise<string | null> {
  const present = await files.snapshot();
  if (present === tree) return null;
  const ref = await files.keep(present, name);
  // The index of the last snapshot has every present file, so git removes those that the tree lacks.
  await withIndexCopy(indexFile, async (mine) => {
    const place = { cwd: files.root, gitDir: files.commonDir, workTree: files.root, indexFile: mine };
    await files.git.tell(['read-tree', '--reset', '-u', tree], place);
    await copyIndex(mine, indexFile);
  });
  const after = await files.snapshot();
  if (after !== tree) throw notRestored(await changedPaths(files, tree, after), ref);
  return ref;
}

export async function removeAdded(files: Files, tree: string): Promise<void> {
  const added = (await differences(files, tree, await files.snapshot())).filter(
    ({ status }) => status === 'added',
  );
  for (const { path } of added) {
    await rm(join(files.root, path), { force: true });
    await removeEmptyFolders(files.root, dirname(path));
  }
}

async function differences(
  { git, commonDir }: Pick<Files, 'git' | 'commonDir'>,
  from: string,
  to: string,
): Promise<ChangedPath[]> {
  if (from === to) return [];
  const how = '-r -z --name-status --no-renames --no-ext-diff --ignore-submodules=none'.split(' ');
  const parts = split(await git.tell(['diff-tree', ...how, from, to], { gitDir: commonDir }));
  const found: ChangedPath[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    found.push({ path: parts[at + 1] ?? '', status: statusOf(parts[at] ?? '') });
  }
  return found;
}

function statusOf(letter: string): ChangedPath['status'] {
  if (letter === 'A') return 'added';
  return letter === 'D' ? 'deleted' : 'changed';
}

async function removeEmptyFolders(root: string, folder: string): Promise<void> {
  for (let path = folder; path !== '.' && path !== ''; path = dirname(path)) {
    const isLink = (await lstat(join(root, path)).catch(() => null))?.isSymbolicLink() === true;
    if (
      isLink ||
      !(await rmdir(join(root, path)).then(
        () => true,
        () => false,
      ))
    )
      return;
  }
}

function notRestored(left: readonly ChangedPath[], ref: string): OperatorError {
  const paths = left
    .slice(0, 5)
    .map(({ path }) => path)
    .join(', ');
  return new OperatorError(
    'restore-failed',
    `These files could not be restored: ${paths}.`,
    `Check which program holds or recreates them; the previous content is kept as ${ref}.`,
  );
}
