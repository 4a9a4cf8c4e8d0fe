// Pins names that must stay free because a check would use the file: includes, targets, programs, modules.
import { posix } from 'node:path';
import { fileTargets, makeGoals, optionalIncludes } from '#analysis/tampering/make-targets.ts';
import { checkPrograms, optionalFiles, programFolders } from '#analysis/tampering/optional-files.ts';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import type { ModuleFacts } from '#analysis/ecosystems/pin-facts.ts';
import type { BrokenPin, Pin } from '#kernel/model/criterion.ts';
import { absent, type AddPin, pinName } from './absent-pins.ts';
import { notThere } from './not-there.ts';
import { resolveIn } from './pin-rules.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { textOf, treeChanges, type TreeReader, type Trees } from './tree-reader.ts';

type Files = ReadonlyMap<string, string>;

export interface Followed {
  readonly text: string;
  /** The start folder, and the folder of the file. */
  readonly folders: readonly string[];
  /** Null for a command. */
  readonly file: string | null;
  /** The command of a check itself may name work that is still to be written. */
  readonly isCheck: boolean;
}

const modules = factsOf('pins').flatMap((each) => each.modules ?? []);
const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];
const isRecipe = /(^|\/)([Mm]akefile|GNUmakefile)$|\.mk$/;

export async function pinIncluded(
  read: TreeReader,
  files: Files,
  { text, folders, file, isCheck }: Followed,
  pin: AddPin,
): Promise<void> {
  const optional = [
    ...(isCheck ? [] : optionalFiles(text)),
    ...(file !== null && isRecipe.test(file) ? optionalIncludes(text) : []),
  ];
  const goals = makeGoals(text);
  for (const folder of folders) {
    for (const name of optional)
      pinFree(files, resolveIn(folder, name), 'would be read by a script of a check', pin);
    for (const each of programFolders(text).map((name) => resolveIn(folder, name)))
      if (each !== null)
        pinName(
          files,
          posix.join(each, `{${checkPrograms.join(',')}}`),
          'is started instead of a program',
          pin,
        );
    const recipe = makefiles.map((name) => posix.join(folder, name)).find((path) => files.has(path));
    if (goals.length > 0 && recipe !== undefined)
      pinTargets(files, { folder, targets: fileTargets(await textOf(read, files, recipe), goals) }, pin);
    pinModules(text, folder, pin);
  }
}

function pinFree(files: Files, path: string | null, why: string, pin: AddPin): void {
  if (path === null || files.has(path)) return;
  if (/[*?[{]/.test(posix.basename(path))) pinName(files, path, why, pin);
  else pin(path, absent, why);
}

/** A file or a folder with the name of a target makes make consider the target up to date. */
function pinTargets(
  files: Files,
  { folder, targets }: { folder: string; targets: readonly string[] },
  pin: AddPin,
): void {
  for (const target of targets) {
    const path = resolveIn(folder, target);
    const isThere =
      path === null || [...files.keys()].some((each) => each === path || each.startsWith(`${path}/`));
    if (isThere) continue;
    pin(path, absent, `make would call its target ${target} up to date`);
    pin(`${path}/**`, absent, `make would call its target ${target} up to date`);
  }
}

function pinModules(text: string, folder: string, pin: AddPin): void {
  const own = posix.join(folder, '.').replace(/^\.$/, '');
  for (const { users, mark, why, foldersIn } of modules) {
    if (!users.test(text)) continue;
    const folders = [own, ...foldersIn(text).map((each) => resolveIn(folder, each))];
    for (const each of folders) if (each !== null) pin(`${each}#${mark}`, mark, why);
  }
}

export function isModulePin({ hash }: Pin): boolean {
  return modules.some(({ mark }) => mark === hash);
}

export function brokenModules({ path, hash }: Pin, trees: Trees): BrokenPin[] {
  const root = path.slice(0, -`#${hash}`.length);
  return modules.flatMap((kind) => (kind.mark === hash ? shadowsIn(kind, [root], trees) : []));
}

/** New modules that shadow the language's own, in the root and in the load folders of its tests. */
export function shadowsAmongTests(trees: Trees): BrokenPin[] {
  return modules.flatMap((kind) => {
    const tests = [...trees.base.keys(), ...treeChanges(trees).added].filter(
      (path) => kind.sources.test(path) && isTest(path),
    );
    if (!tests.some((path) => trees.base.has(path))) return [];
    const roots = tests.map((test) => kind.rootOf(test, (path) => trees.now.has(path)));
    return shadowsIn(kind, [...new Set(['', ...roots])], trees);
  });
}

/** A module that the base already had under this name is the repository's own, and may change. */
function shadowsIn(kind: ModuleFacts, roots: readonly string[], { base, now }: Trees): BrokenPin[] {
  const { added } = treeChanges({ base, now });
  const paths = roots.flatMap((root) => {
    const prefix = root === '' ? '' : `${root}/`;
    const moduleAt = (path: string): string | null =>
      path.startsWith(prefix) ? kind.nameOf(path.slice(prefix.length)) : null;
    const taken = added.filter((path) => {
      const module = moduleAt(path);
      return module !== null && kind.isTaken(module);
    });
    if (taken.length === 0) return [];
    const own = new Set([...base.keys()].map(moduleAt));
    return taken.filter((path) => !own.has(moduleAt(path)));
  });
  return paths.map((path) => ({ path, change: 'added', why: notThere(path, kind.why) }));
}
