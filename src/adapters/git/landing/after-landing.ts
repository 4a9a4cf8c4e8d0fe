// Finds the files of a landed tree that run on the user's machine, by git's objects and settings.
import { posix, relative, resolve } from 'node:path';
import { split } from '#adapters/git/repo/git.ts';
import { listFiles, type TreeGround } from '#adapters/git/trees/pin-tree.ts';
import { runsAfterLanding } from '#analysis/tampering/after-landing.ts';
import type { RunsAfterLanding } from '#kernel/model/after-landing.ts';

export interface LandingGround extends TreeGround {
  /** The user's checkout. */
  readonly root: string;
}

export interface LandingTrees {
  readonly from: string;
  readonly to: string;
}

/** More would bloat the journal; the most dangerous come first. */
const entriesMax = 1_000;

export async function findRunsAfterLanding(
  ground: LandingGround,
  { from, to }: LandingTrees,
): Promise<RunsAfterLanding[]> {
  const hooksFolder = await hooksFolderInside(ground);
  const [before, after] = [await listFiles(ground, from), await listFiles(ground, to)];
  return runsAfterLanding({ before, after, hooksFolder }).slice(0, entriesMax);
}

/** As in the user's git settings; undefined if not set. */
export async function hooksPathOf({ git, gitDir }: TreeGround): Promise<string | undefined> {
  // The value of scope `command` is our own, which disables all hooks.
  const args = ['config', '-z', '--show-scope', '--type=path', '--get-all', 'core.hooksPath'];
  const found = split((await git.ask(args, { gitDir })).stdout);
  return found.filter((_, index) => index % 2 === 1 && found[index - 1] !== 'command').at(-1);
}

async function hooksFolderInside(ground: LandingGround): Promise<string | null> {
  const set = await hooksPathOf(ground);
  if (set === undefined) return null;
  const inside = posix.normalize(relative(ground.root, resolve(ground.root, set)));
  return inside === '.' || inside.startsWith('..') || inside.startsWith('/') ? null : inside;
}
