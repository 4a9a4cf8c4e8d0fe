// Names that must stay free because a check would take a file of that name: includes, targets of make, programs, modules of Python.
import { posix } from 'node:path';
import { fileTargets, makeGoals, optionalIncludes } from '#analysis/tampering/make-targets.ts';
import { checkPrograms, optionalFiles, programFolders } from '#analysis/tampering/optional-files.ts';
import { importRootOf, isPythonsOwn, pathFolders, pythonModule } from '#analysis/tampering/python-modules.ts';
import type { BrokenPin, Pin } from '#kernel/model/criterion.ts';
import { absent, type AddPin, notThere, pinName } from './absent-pins.ts';
import { resolveIn } from './pin-rules.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import { textOf, type TreeReader, type Trees } from './tree-reader.ts';

type Files = ReadonlyMap<string, string>;

export interface Followed {
  readonly text: string;
  /** Where it is started, and where it lies. */
  readonly folders: readonly string[];
  /** Null for a command. */
  readonly file: string | null;
  /** The command of a check itself may name work that is still to be written. */
  readonly isCheck: boolean;
}

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

/** A file or a folder with the name of a target makes make call the target up to date. */
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

const usesPython = /\b(?:python[\d.]*|pytest|py\.test|tox|nox|uv|poetry|hatch|pdm|pipenv|coverage)\b/;
const moduleMark = '#python-modules';

function pinModules(text: string, folder: string, pin: AddPin): void {
  if (!usesPython.test(text)) return;
  const own = posix.join(folder, '.').replace(/^\.$/, '');
  const folders = [own, ...pathFolders(text).map((each) => resolveIn(folder, each))];
  for (const each of folders)
    if (each !== null)
      pin(`${each}${moduleMark}`, 'python-modules', 'is imported instead of a module of Python');
}

export function isModulePin({ hash }: Pin): boolean {
  return hash === 'python-modules';
}

export function brokenModules({ path, why }: Pin, trees: Trees): BrokenPin[] {
  return shadowsIn([path.slice(0, -moduleMark.length)], trees).map((each) => ({
    path: each,
    change: 'added',
    why: notThere(each, why),
  }));
}

/** New modules with a name of Python's own in the root, and in the folders that pytest puts on the path for its tests. */
export function shadowsAmongTests(trees: Trees): string[] {
  const tests = [...trees.base.keys(), ...trees.now.keys()].filter(
    (path) => path.endsWith('.py') && isTest(path),
  );
  if (!tests.some((path) => trees.base.has(path))) return [];
  const roots = tests.map((test) => importRootOf(test, (path) => trees.now.has(path)));
  return shadowsIn([...new Set(['', ...roots])], trees);
}

/** A module that the repository had under this name is its own, and may be worked on. */
function shadowsIn(roots: readonly string[], { base, now }: Trees): string[] {
  const added = [...now.keys()].filter((path) => !base.has(path));
  return roots.flatMap((root) => {
    const prefix = root === '' ? '' : `${root}/`;
    const moduleAt = (path: string): string | null =>
      path.startsWith(prefix) ? pythonModule(path.slice(prefix.length)) : null;
    const own = new Set([...base.keys()].map(moduleAt));
    return added.filter((path) => {
      const module = moduleAt(path);
      return module !== null && isPythonsOwn(module) && !own.has(module);
    });
  });
}
