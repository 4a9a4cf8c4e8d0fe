// Which files decide a check, by their names and by the words of the command. Pure.
import { posix } from 'node:path';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { isInstruction } from './instruction-files.ts';

const pins = factsOf('pins');

/** Settings of a tool by their names, one pattern for each tool: of a kind that the base has, one more takes the place of the other. */
export const toolSettings: readonly RegExp[] = pins.flatMap((each) => each.settings ?? []);

/** Settings of test runners, and what runs before every test without being named, by their paths. */
export const runnerSettings: readonly RegExp[] = pins.flatMap((each) => each.runnerSettings ?? []);

const deciding: readonly RegExp[] = [
  ...runnerSettings,
  ...pins.flatMap((each) => each.deciding ?? []),
  // Our own: they open the sandbox of the next run, and name what is started with a person's rights.
  /(^|\/)\.untildone\/config\.jsonc$/,
];

/** Programs that packagers run on their own; their settings are judged by their keys. */
export const packagerFiles = pins.flatMap((each) => each.packagerFiles ?? []);
/** Names that test runners look for on their own. */
export const runnerFiles = pins.flatMap((each) => each.runnerFiles ?? []);
/** Settings of a build that a runner reads as well: through them it loads tests and work alike. */
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

/** Why a file is pinned by its name alone; null when it is not. */
export function whyPinned(path: string): string | null {
  if (isTest(path)) return testWhy;
  const name = posix.basename(path);
  if (deciding.some((pattern) => pattern.test(path)) || toolSettings.some((tool) => tool.test(name)))
    return 'decides how the work is checked';
  if (isInstruction(path)) return 'instructs the reviewers of the work';
  return null;
}

/** Words of a command or script that could be paths, as they stand and without quotes or `name=`. */
export function wordsOf(text: string): string[] {
  const words = text.split(/[\s;&|<>()`"'$={},:[\]]+/);
  return [...new Set(words)]
    .map((word) => word.replace(/^\.\//, ''))
    .filter((word) => word !== '' && word.length < 300);
}

/** A path of the tree that a word in the folder `cwd` means; null when it leads out of the tree. */
export function resolveIn(cwd: string, word: string): string | null {
  if (word.startsWith('/') || word.startsWith('-')) return null;
  const path = posix.normalize(posix.join(cwd, word)).replace(/\/$/, '');
  return path.startsWith('..') || path === '.' ? null : path;
}

const recipes = pins.flatMap((each) => each.recipes ?? []);
const ownSettings = pins.flatMap((each) => each.ownSettings ?? []);

/** What the tools of a command read in the folder where they are started. */
export function recipeFiles(command: string): string[] {
  return [...recipes, ...ownSettings].flatMap(([tool, files]) => (tool.test(command) ? files : []));
}

/** Names that must stay free in a folder: a second recipe beside one that is there, and settings that a tool reads on its own. */
export function rivalFiles(command: string, isThere: (name: string) => boolean): string[] {
  const used = recipes.filter(([tool, files]) => tool.test(command) && files.some(isThere));
  const read = ownSettings.filter(([tool]) => tool.test(command));
  return [...used, ...read].flatMap(([, files]) => files);
}
