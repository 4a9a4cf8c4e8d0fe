// Untracked files of the user's checkout that checks need (`copy` in the configuration), such as `.env.test`.
import { cp, lstat, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import picomatch from 'picomatch';
import { OperatorError } from '#base/operator-error.ts';
import { type Git, reading, split } from '#adapters/git/repo/git.ts';
import type { Repository } from '#adapters/git/repo/repository.ts';

const filesMax = 10_000;
const neverEntered = new Set(['.git', '.untildone']);

/** Returns paths relative to the root; patterns are relative to the start folder or the root. */
export async function copiedPaths(
  git: Git,
  repository: Repository,
  patterns: readonly string[],
): Promise<string[]> {
  if (patterns.length === 0) return [];
  const found = new Set<string>();
  for (const pattern of patterns) {
    for (const from of new Set([repository.prefix, ''])) {
      for (const path of await matching(repository.root, from, pattern)) found.add(path);
    }
  }
  const paths = [...found];
  if (paths.length === 0) return [];
  const args = ['ls-files', '-z', '--cached', '--full-name'];
  const options = { cwd: repository.root, ...reading };
  // Before git 2.40 `ls-files` reads no list from a file, so a long list is split.
  const specs = paths.map((path) => `:(top,literal)${path}`);
  const tracked = new Set<string>();
  for (let from = 0; from < specs.length; from += 500) {
    const listed = await git.tell([...args, '--', ...specs.slice(from, from + 500)], options);
    for (const path of split(listed)) tracked.add(path);
  }
  return paths.filter((path) => !tracked.has(path)).toSorted();
}

/** Contract: existing files of the checkout stay. */
export async function copyInto(fromRoot: string, toRoot: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const target = join(toRoot, path);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(fromRoot, path), target, {
      force: false,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    });
  }
}

/** A line of an ignore file that matches exactly this path. */
export function ignoreLine(path: string): string {
  return `/${path.replace(/[\\*?[\]!# ]/g, String.raw`\$&`)}`;
}

async function matching(root: string, from: string, pattern: string): Promise<string[]> {
  const { base, isGlob } = picomatch.scan(pattern);
  const folder = posix.join(from, base);
  if (folder.startsWith('..') || posix.isAbsolute(folder)) return [];
  const isMatch = isGlob ? picomatch(posix.join(from, pattern), { dot: true }) : () => true;
  const inside = await filesUnder(root, folder === '.' ? '' : folder, isGlob);
  return inside.filter((path) => isMatch(path));
}

async function filesUnder(root: string, start: string, isGlob: boolean): Promise<string[]> {
  const found: string[] = [];
  const open = [start];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const entry = await lstat(join(root, path)).catch(() => null);
    if (entry?.isFile() === true || entry?.isSymbolicLink() === true) found.push(path);
    if (entry?.isDirectory() !== true) continue;
    if (found.length + open.length > filesMax) throw tooMany();
    const names = await readdir(join(root, path));
    const entered = names.filter((name) => !neverEntered.has(name) && !(isGlob && name === 'node_modules'));
    open.push(...entered.map((name) => posix.join(path, name)));
  }
  return found;
}

function tooMany(): OperatorError {
  return new OperatorError(
    'copy-too-much',
    `A \`copy\` pattern reaches more than ${filesMax} files.`,
    'Name the files, or install dependencies with `setup` instead.',
  );
}
