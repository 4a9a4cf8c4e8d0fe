// Decides which files decide a check, by their names and by the words of the command. Pure.
import { posix } from 'node:path';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { isInstruction } from './instruction-files.ts';

const pins = factsOf('pins');

/** Settings of a tool by name, one pattern per tool: a second file of a kind replaces the first. */
export const toolSettings: readonly RegExp[] = pins.flatMap((each) => each.settings ?? []);

/** Settings of test runners, and files that run before every test unnamed, by their paths. */
export const runnerSettings: readonly RegExp[] = pins.flatMap((each) => each.runnerSettings ?? []);

const deciding: readonly RegExp[] = [
  ...runnerSettings,
  ...pins.flatMap((each) => each.deciding ?? []),
  // Our own settings: they open the next run's sandbox, and name programs with the user's rights.
  /(^|\/)\.untildone\/config\.jsonc$/,
];

/** Programs that packagers run by themselves; their settings are judged by key. */
export const packagerFiles = pins.flatMap((each) => each.packagerFiles ?? []);
/** File names that test runners find by themselves. */
export const runnerFiles = pins.flatMap((each) => each.runnerFiles ?? []);
/** Build settings that a runner reads as well: they decide how it loads tests and work. */
export const readByRunner: { readonly [runner: string]: readonly string[] } = Object.fromEntries(
  pins.flatMap((each) => Object.entries(each.readByRunner ?? {})),
);

export function isDependency(path: string): boolean {
  return /(^|\/)node_modules(\/|$)/.test(path);
}

export function usesPackager(command: string): boolean {
  return /\b(npm|npx|pnpm|pnpx|yarn|node|bunx?)\b/.test(command);
}

export const testWhy = 'a test that was there at the start';

/** Why a file is pinned by its name alone; null if it is not. */
export function whyPinned(path: string): string | null {
  if (isTest(path)) return testWhy;
  const name = posix.basename(path);
  if (deciding.some((pattern) => pattern.test(path)) || toolSettings.some((tool) => tool.test(name)))
    return 'decides how the work is checked';
  if (isInstruction(path)) return 'instructs the reviewers of the work';
  return null;
}

/** Words of a command or script that could be paths, without quotes or `name=`. */
export function wordsOf(text: string): string[] {
  const words = text.split(/[\s;&|<>()`"'$={},:[\]]+/);
  return [...new Set(words)]
    .map((word) => word.replace(/^\.\//, ''))
    .filter((word) => word !== '' && word.length < 300);
}

/** The path in the tree that a word in the folder `cwd` means; null if it leads out of the tree. */
export function resolveIn(cwd: string, word: string): string | null {
  if (word.startsWith('/') || word.startsWith('-')) return null;
  const path = posix.normalize(posix.join(cwd, word)).replace(/\/$/, '');
  return path.startsWith('..') || path === '.' ? null : path;
}

const recipes = pins.flatMap((each) => each.recipes ?? []);
const ownSettings = pins.flatMap((each) => each.ownSettings ?? []);

/** Files that the tools of a command read in the start folder. */
export function recipeFiles(command: string): string[] {
  return [...recipes, ...ownSettings].flatMap(([tool, files]) => (tool.test(command) ? files : []));
}

/** Names that must stay free in a folder: a second recipe, and settings that a tool reads by itself. */
export function rivalFiles(command: string, isThere: (name: string) => boolean): string[] {
  const used = recipes.filter(([tool, files]) => tool.test(command) && files.some(isThere));
  const read = ownSettings.filter(([tool]) => tool.test(command));
  return [...used, ...read].flatMap(([, files]) => files);
}
