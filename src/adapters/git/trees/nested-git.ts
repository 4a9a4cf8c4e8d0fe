// Finds where a `.git` inside the checkout leads: git follows its links and pointer files anywhere.
import type { Dirent } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { devNull } from 'node:os';
import { basename, dirname, parse, relative, resolve, sep } from 'node:path';
import { isWithin } from '#base/is-within.ts';
import { readConfined } from '#adapters/files/confined-file.ts';

export interface NestedPlace {
  readonly root: string;
  readonly commonDir: string;
}

/** True for a `.git` of the checkout and everything below it. `path` must have no link in it. */
export function isNestedGit(root: string, path: string): boolean {
  return relative(root, path).split(sep).some(isGit);
}

/**
 * The first target of git that was not checked for special files, or null. Checked are the repository's own
 * git folder and everything below a `.git` of the checkout.
 */
export async function uncheckedTarget(
  path: string,
  entry: Dirent,
  { root, commonDir }: NestedPlace,
): Promise<string | null> {
  const targets = await targetsOf(path, entry);
  if (targets.length === 0) return null;
  const top = (await realOf(root)) ?? root;
  const own = (await realOf(commonDir)) ?? commonDir;
  const isChecked = (target: string): boolean =>
    target === devNull || isWithin(target, own) || (isWithin(target, top) && isNestedGit(top, target));
  return targets.find((target) => !isChecked(target)) ?? null;
}

/** The target of a link and of a pointer file: `gitdir: <folder>` in `.git`, `<folder>` in `commondir`. */
async function targetsOf(path: string, entry: Dirent): Promise<string[]> {
  const real = await realOf(path);
  if (real === null) return [];
  const targets = entry.isSymbolicLink() ? [real] : [];
  if (!isGit(basename(path)) && basename(path).toLowerCase() !== 'commondir') return targets;
  const reading = await readConfined(real);
  // Git would load all of it into memory.
  if (reading.kind === 'too-large') return [parse(real).root];
  if (reading.kind === 'refused') return targets;
  const folder = reading.text.replace(/^gitdir: /, '').replace(/[\r\n]+$/, '');
  const named = await realOf(resolve(dirname(path), folder));
  return named === null ? targets : [...targets, named];
}

function isGit(name: string): boolean {
  return name.toLowerCase() === '.git';
}

async function realOf(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}
