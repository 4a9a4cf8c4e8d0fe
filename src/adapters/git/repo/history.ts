// Reads recent commits and files of a tree, as context for the next session.
import { posix } from 'node:path';
import type { FileText } from '#ports/trees.ts';
import type { Git } from './git.ts';

/** One file cannot crowd out the others, and all of them leave room for the task in a prompt. */
const fileBytesMax = 24_000;
const bytesMax = 64_000;

export async function recentCommits(git: Git, gitDir: string, ref: string, count: number): Promise<string[]> {
  const shown = await git.ask(['log', `-${count}`, '--format=%h %s', '--no-color', ref, '--'], { gitDir });
  return shown.code === 0 ? shown.stdout.split('\n').filter((line) => line !== '') : [];
}

/** Paths are relative to the start folder of the run. */
export async function fileTexts(
  { git, gitDir, prefix }: { readonly git: Git; readonly gitDir: string; readonly prefix: string },
  tree: string,
  paths: readonly string[],
): Promise<FileText[]> {
  let left = bytesMax;
  const texts: FileText[] = [];
  for (const path of paths) {
    const full = posix.join(prefix, path);
    const size = await sizeOf(git, gitDir, tree, full);
    if (size === null || size > Math.min(left, fileBytesMax)) {
      texts.push({ path, text: null, isThere: size !== null });
      continue;
    }
    const { stdout, code } = await git.ask(['cat-file', 'blob', `${tree}:${full}`], { gitDir });
    const isText = code === 0 && !stdout.includes('\0');
    if (isText) left -= size;
    texts.push({ path, text: isText ? stdout : null, isThere: true });
  }
  return texts;
}

/** Null if the path is no file of the tree. */
async function sizeOf(git: Git, gitDir: string, tree: string, path: string): Promise<number | null> {
  const args = ['ls-tree', '--long', '-z', tree, '--', `:(literal)${path}`];
  const { stdout, code } = await git.ask(args, { gitDir });
  const found = /^\d+ blob [0-9a-f]+ +(\d+)\t/.exec(code === 0 ? stdout : '');
  return found === null ? null : Number(found[1]);
}
