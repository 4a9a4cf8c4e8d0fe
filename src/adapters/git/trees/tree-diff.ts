// Shows the difference of two trees to people and reviewers, with a size limit.
import type { TreeDiff } from '#ports/trees.ts';
import { createGit, type Environment, type Git } from '#adapters/git/repo/git.ts';

const filesShown = 60;
// Larger files are named, not shown. Names are unquoted.
const settings = ['core.bigFileThreshold=256k', 'core.quotePath=false'];
// One file cannot crowd out the others, and the total leaves room for the task in a prompt.
const fileCharsMax = 12_000;
const charsMax = 60_000;

/** The whole difference as seen from a folder: paths outside of it begin with `../`. */
export async function treeDiff(git: Git, gitDir: string, compared: Compared): Promise<TreeDiff> {
  const diffs: TreeDiff[] = [];
  for (const level of levelsFrom(compared.folder)) {
    const { stat, patch } = await diffOf(git, gitDir, compared, level);
    if (stat !== '') diffs.push({ stat: fromBelow(stat, level.up), patch });
  }
  const [only = { stat: '', patch: '' }, ...others] = diffs;
  if (others.length === 0) return { stat: only.stat, patch: bounded(only.patch) };
  const { from, to } = compared;
  const sum = await git.tell(['diff-tree', '--shortstat', '--no-renames', '-r', from, to], { gitDir });
  return {
    stat: [...diffs.map(({ stat }) => stat.slice(0, stat.lastIndexOf('\n'))), sum].join('\n'),
    patch: bounded(diffs.map(({ patch }) => patch).join('')),
  };
}

export interface Compared {
  readonly from: string;
  readonly to: string;
  /** Relative to the root; '' is the root. */
  readonly folder: string;
}

interface Level {
  readonly under: string;
  /** The part of it that was already shown. */
  readonly besides: string | null;
  readonly up: string;
}

/** The folder itself, then each of its parents. */
function levelsFrom(folder: string): Level[] {
  const parts = folder.split('/').filter((part) => part !== '');
  const at = (depth: number): string => parts.slice(0, depth).join('/');
  return Array.from({ length: parts.length + 1 }, (_, height) => {
    const depth = parts.length - height;
    return { under: at(depth), besides: height === 0 ? null : at(depth + 1), up: '../'.repeat(height) };
  });
}

async function diffOf(
  git: Git,
  gitDir: string,
  { from, to }: Pick<Compared, 'from' | 'to'>,
  { under, besides, up }: Level,
): Promise<TreeDiff> {
  if (from === to) return { stat: '', patch: '' };
  const within = under === '' ? [] : [`--relative=${under}/`];
  const others = besides === null ? [] : ['--', `:(exclude,literal)${besides}`];
  const plain = '--no-ext-diff --no-textconv --no-renames --no-color'.split(' ');
  const how = [...plain, ...within, '-r', from, to, ...others];
  const names = ['diff-tree', '--stat=100', `--stat-count=${filesShown}`, ...how];
  const stat = await git.tell(names, { gitDir, settings });
  if (stat === '') return { stat, patch: '' };
  const lines = ['diff-tree', '-p', `--src-prefix=a/${up}`, `--dst-prefix=b/${up}`, ...how];
  const shown = await git.ask(lines, { gitDir, settings });
  return { stat, patch: shown.code === 0 ? shown.stdout : '[the change is too large to be shown]\n' };
}

/** Git prints paths of a summary relative to its folder, other than in the patch. */
function fromBelow(stat: string, up: string): string {
  return up === '' ? stat : stat.replaceAll(/^ ("?)(?=.* \| )(?!\.\.\.)/gm, ` $1${up}`);
}

/** For readers without a workspace. `under`: only files below that folder, relative to it. */
export function openTreeDiff(commonDir: string, env: Environment, under = '') {
  const git = createGit(commonDir, env);
  const level = { under: under.replace(/\/$/, ''), besides: null, up: '' };
  return async (from: string, to: string): Promise<TreeDiff> => {
    const { stat, patch } = await diffOf(git, commonDir, { from, to }, level);
    return { stat, patch: bounded(patch) };
  };
}

function bounded(patch: string): string {
  const files = patch.split(/^(?=diff --git )/m).map((file) => cut(file, fileCharsMax));
  let left = charsMax;
  const shown: string[] = [];
  for (const file of files) {
    if (file.length > left) break;
    left -= file.length;
    shown.push(file);
  }
  const missing = files.length - shown.length;
  return shown.join('') + (missing === 0 ? '' : `[… ${missing} more files are not shown here …]\n`);
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = text.lastIndexOf('\n', max) + 1 || max;
  return `${text.slice(0, end)}[… ${text.length - end} characters of this file are not shown here …]\n`;
}
