// Finds dependencies that only subfolders declare: no command is certain, but the user learns where. Pure.
import { findSetup, isReadForSetup, type SetupFiles } from './find-setup.ts';
import type { DetectedSetup } from './detected-setup.ts';
import { isLockFile } from './setup-files.ts';

const depthMax = 2;
/** A repository of samples may have hundreds. */
const foldersMax = 30;
const namedMax = 3;

/** Folders that are not part of the product, or are installed already. */
const aside =
  /^([._].*|node_modules|vendor|third[_-]party|dist|build|docs?|tests?|spec|fixtures?|testdata|examples?|samples?|demos?|templates?|bench(marks?)?|scripts?|tools?)$/i;

/** Folders with a manifest or a lock file, up to two levels below the start. */
export function foldersBelow(paths: readonly string[], prefix = ''): string[] {
  const start = prefix === '' ? '' : `${prefix}/`;
  const found = new Set<string>();
  for (const path of paths) {
    if (!path.startsWith(start)) continue;
    const parts = path.slice(start.length).split('/').slice(0, -1);
    const folder = start + parts.join('/');
    if (parts.length === 0 || parts.length > depthMax || parts.some((part) => aside.test(part))) continue;
    if (isReadForSetup(path, folder) || isLockFile(path)) found.add(folder);
  }
  return [...found].slice(0, foldersMax);
}

/** Contract: for a tree whose `findSetup` is `none`; null if no such folder declares a dependency either. */
export function findSetupBelow(files: SetupFiles, prefix = ''): DetectedSetup | null {
  const found = foldersBelow(files.paths, prefix).flatMap((folder) => {
    const setup = findSetup(files, folder);
    const isNeeded = setup.kind === 'ask' || (setup.kind === 'command' && setup.declaresNothing !== true);
    return isNeeded ? [{ folder: folder.slice(prefix === '' ? 0 : prefix.length + 1), setup }] : [];
  });
  if (found.length === 0) return null;
  const shown = found.slice(0, namedMax);
  const more = found.length > namedMax ? ` and ${found.length - namedMax} more folders` : '';
  const commands = shown.map(
    ({ folder, setup }) => `(cd ${quoted(folder)} && ${setup.kind === 'command' ? setup.command : '…'})`,
  );
  return {
    kind: 'ask',
    why: `only subfolders declare dependencies: ${shown.map(({ setup }) => fileIn(setup.why)).join(', ')}${more}`,
    hint: `Install them: --setup "${commands.join(' && ')}", or --no-setup to install nothing.`,
  };
}

/** The reason of a found setup begins with the deciding file. */
function fileIn(why: string): string {
  return /^(.+?) (declares|declare|is|and) /.exec(why)?.[1] ?? why;
}

function quoted(folder: string): string {
  return /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`;
}
