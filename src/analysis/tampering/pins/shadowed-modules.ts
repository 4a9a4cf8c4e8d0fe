// Finds files that replace what the tests load: packages, modules, classes, vendored code. Planted failures
// find a replaced runner; only these rules find a library that is wrong for one test or in a green check.
import { posix } from 'node:path';
import { checkPrograms } from '#analysis/tampering/optional-files.ts';
import type { BrokenPin } from '#kernel/model/criterion.ts';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { notThere } from './not-there.ts';
import {
  manifestsAbove,
  nameOf,
  programsOf,
  wantedBy,
} from '#analysis/ecosystems/javascript/package-names.ts';
import { textOf, textsOf, treeChanges, type TreeReader, type Trees } from './tree-reader.ts';

const pins = factsOf('pins');
const testLibraries = pins.flatMap((each) => each.testLibraries ?? []);
const instead = 'is loaded instead of what has that name';
// A repository with thousands of packages has their names in its lock file as well.
const manifestsMax = 500;

export async function takenNames(read: TreeReader, trees: Trees): Promise<BrokenPin[]> {
  const broken: BrokenPin[] = [];
  for (const path of treeChanges(trees).present) {
    const name = posix.basename(path);
    if (name === 'package.json' && (await takesPackage(read, trees, path)))
      broken.push({ path: `${path}#name`, change: 'changed', why: instead });
    if (name === 'package.json' && (await takesProgram(read, trees, path)))
      broken.push({
        path: `${path}#bin`,
        change: 'changed',
        why: 'is started instead of the program of that name',
      });
    for (const { takes } of pins) broken.push(...((await takes?.[name]?.(read, trees, path)) ?? []));
    if (!trees.base.has(path) && shadowsTests(path, trees.base))
      broken.push({ path, change: 'added', why: notThere(path, instead) });
  }
  for (const { vendored } of pins) broken.push(...((await vendored?.(read, trees)) ?? []));
  return broken;
}

/** A new file that replaces a test library: sources and tests of a project load before its dependencies. */
export function shadowsTests(path: string, base: ReadonlyMap<string, string>): boolean {
  const taken = testLibraries.flatMap((place) => place.exec(path)?.[1] ?? [])[0];
  if (taken === undefined) return false;
  const folder = path.slice(0, path.indexOf(taken) + taken.length);
  return ![...base.keys()].some((each) => each.startsWith(folder));
}

/** A package may import itself by name, and a workspace links its own: both precede installed packages. */
async function takesPackage(read: TreeReader, trees: Trees, path: string): Promise<boolean> {
  const [before, after] = [await textOf(read, trees.base, path), await textOf(read, trees.now, path)];
  const name = nameOf(after);
  if (name === null || nameOf(before) === name) return false;
  const above = await textsOf(read, trees.base, manifestsAbove(path));
  return wantedBy(above.values()).has(name) && !(await ownPackages(read, trees)).has(name);
}

/** Packagers link the programs of members into `node_modules/.bin`, first on the PATH of scripts. */
async function takesProgram(read: TreeReader, trees: Trees, path: string): Promise<boolean> {
  const folder = posix.join(posix.dirname(path), '.');
  const [before, after] = await Promise.all(
    [trees.base, trees.now].map(async (files) => programsOf(await textOf(read, files, path), folder, files)),
  );
  const added = [...(after ?? [])].filter((name) => before?.has(name) !== true);
  if (added.length === 0) return false;
  const wanted = wantedBy((await textsOf(read, trees.base, manifestsAbove(path))).values());
  return added.some((name) => checkPrograms.includes(name) || wanted.has(name));
}

/** Names of the packages that the base itself held: they may move. */
export async function ownPackages(read: TreeReader, { base }: Trees): Promise<Set<string>> {
  const paths = [...base.keys()].filter((path) => posix.basename(path) === 'package.json');
  const texts = await textsOf(read, base, paths.slice(0, manifestsMax));
  return new Set([...texts.values()].flatMap((text) => nameOf(text) ?? []));
}
