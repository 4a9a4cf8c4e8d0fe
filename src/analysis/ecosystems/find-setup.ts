// Which command installs the dependencies of a checkout, by its committed files: the lock file, else the manifest. Pure.
import type { FoundSetup } from './found-setup.ts';
import { type Manifest, manifestKinds } from './manifest-setup.ts';
import { lockKinds } from './setup-files.ts';

export interface SetupFiles {
  /** Every path of the tree, relative to its root. */
  readonly paths: readonly string[];
  /** The texts of the manifests, by path: those for which `isReadForSetup` holds. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Contract: a lock file decides before any manifest, and `prefix`, the folder of the start, before the root. */
export function findSetup({ paths, texts }: SetupFiles, prefix = ''): FoundSetup {
  const present = new Set(paths);
  const folders = prefix === '' ? [''] : [`${prefix}/`, ''];
  const up = (folder: string, command: string): string =>
    folder === '' && prefix !== '' ? `cd ${upFrom(prefix)} && ${command}` : command;
  for (const folder of folders) {
    const lock = lockKinds.find(({ file }) => present.has(folder + file));
    if (lock !== undefined)
      return {
        kind: 'command',
        command: up(folder, lock.command),
        why: `${folder}${lock.file} is committed`,
      };
  }
  for (const folder of folders) {
    const found = inFolder({ paths, texts }, present, folder);
    if (found === undefined) continue;
    return found.kind === 'command' ? { ...found, command: up(folder, found.command) } : found;
  }
  return { kind: 'none', why: 'no manifest declares a dependency' };
}

/** Whether `findSetup` needs the text of this file. */
export function isReadForSetup(path: string, prefix = ''): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isHere = path === name || path === `${prefix}/${name}`;
  return isHere && manifestKinds.some(({ file }) => file === name);
}

/** Undefined where the folder has no manifest, or none that declares a dependency. */
function inFolder(
  { paths, texts }: SetupFiles,
  present: ReadonlySet<string>,
  folder: string,
): FoundSetup | undefined {
  for (const { file, judge } of manifestKinds) {
    const path = folder + file;
    if (!present.has(path)) continue;
    const manifest: Manifest = {
      path,
      text: texts.get(path) ?? '',
      has: (name) => present.has(folder + name),
      hasFolder: (name) => paths.some((each) => each.startsWith(`${folder}${name}/`)),
    };
    const found = judge(manifest);
    if (found !== null) return found;
  }
  return undefined;
}

function upFrom(prefix: string): string {
  return prefix
    .split('/')
    .map(() => '..')
    .join('/');
}
