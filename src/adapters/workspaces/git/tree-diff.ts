// What two trees differ in, as people and reviewers read it; bounded however large the change is.
import type { TreeDiff } from '#ports/workspace.ts';
import { createGit, type Environment, type Git } from './git.ts';

// A screen or two of files.
const filesShown = 60;
// Larger files are named, not shown: nobody reads a bundle line by line.
const fileSettings = ['core.bigFileThreshold=256k'];
// One file cannot crowd out the others, and the whole leaves a prompt room for the task.
const fileCharsMax = 12_000;
const charsMax = 60_000;

export function treeDiff(git: Git, gitDir: string, from: string, to: string): Promise<TreeDiff> {
  return diffUnder(git, gitDir, { from, to, under: '' });
}

interface Compared {
  readonly from: string;
  readonly to: string;
  readonly under: string;
}

async function diffUnder(git: Git, gitDir: string, { from, to, under }: Compared): Promise<TreeDiff> {
  if (from === to) return { stat: '', patch: '' };
  const within = under === '' ? [] : [`--relative=${under.replace(/\/$/, '')}/`];
  const how = ['--no-ext-diff', '--no-textconv', '--no-renames', '--no-color', ...within, '-r', from, to];
  const stat = await git.tell(['diff-tree', '--stat=100', `--stat-count=${filesShown}`, ...how], { gitDir });
  const shown = await git.ask(['diff-tree', '-p', ...how], { gitDir, settings: fileSettings });
  return { stat, patch: shown.code === 0 ? bounded(shown.stdout) : '[the change is too large to be shown]' };
}

/** For who only looks, without a workspace. `under`: only what lies below that folder, named from there. */
export function openTreeDiff(commonDir: string, env: Environment, under = '') {
  const git = createGit(commonDir, env);
  return (from: string, to: string): Promise<TreeDiff> => diffUnder(git, commonDir, { from, to, under });
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
