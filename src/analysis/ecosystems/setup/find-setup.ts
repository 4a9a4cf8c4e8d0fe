// Finds the command that installs the dependencies of a checkout: by lock file, else by manifest. Pure.
import type { DetectedSetup } from './detected-setup.ts';
import { isManifest, manifestKinds } from './manifest-kinds.ts';
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts';
import { lockKinds, lockTool } from './setup-files.ts';

export interface SetupFiles {
  /** Every path of the tree, relative to its root. */
  readonly paths: readonly string[];
  /** The texts of the manifests for which `isReadForSetup` holds, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Contract: lock files decide before manifests, and `prefix`, the start folder, before the root. */
export function findSetup({ paths, texts }: SetupFiles, prefix = ''): DetectedSetup {
  const present = new Set(paths);
  const folders = prefix === '' ? [''] : [`${prefix}/`, ''];
  const up = (folder: string, command: string): string =>
    folder === '' && prefix !== '' ? `cd ${upFrom(prefix)} && ${command}` : command;
  const judged = (folder: string): DetectedSetup[] => inFolder({ paths, texts }, present, folder);
  for (const folder of folders) {
    const lock = lockKinds.find(({ file }) => present.has(folder + file));
    if (lock === undefined) continue;
    const found = judged(folder);
    const command = up(folder, lock.command);
    const why = `${folder}${lock.file} is committed${leftOut(command, found)}`;
    const isEmpty = !found.some(({ kind }) => kind === 'command' || kind === 'ask');
    return { kind: 'command', command, why, ...(isEmpty ? { declaresNothing: true } : {}) };
  }
  for (const folder of folders) {
    const [first, ...others] = judged(folder);
    if (first === undefined) continue;
    if (first.kind !== 'command') return first;
    const command = up(folder, first.command);
    return { ...first, command, why: first.why + leftOut(command, others) };
  }
  return { kind: 'none', why: 'no manifest declares a dependency' };
}

/** A note about a manifest that the tool of another language does not install; only some languages ask. */
function leftOut(command: string, beside: readonly DetectedSetup[]): string {
  const asked = beside
    .map((one) => (one.kind === 'ask' ? one.asked : undefined))
    .find((one) => one !== undefined);
  if (asked === undefined || asked.tools.split(' ').includes(lockTool(command))) return '';
  return `; ${asked.manifest} is not installed, with --setup "${command} && …" it is`;
}

export function isReadForSetup(path: string, prefix = ''): boolean {
  const folders = prefix === '' ? [''] : [`${prefix}/`, ''];
  return folders.some((folder) => manifestKinds.some((kind) => isManifest(kind, path, folder)));
}

/** The setups of all manifests in the folder that declare a dependency, the deciding one first. */
function inFolder(
  { paths, texts }: SetupFiles,
  present: ReadonlySet<string>,
  folder: string,
): DetectedSetup[] {
  const has = (name: string): boolean => present.has(folder + name);
  const hasHereOrInRoot = (name: string): boolean => has(name) || present.has(name);
  const hasFolder = (name: string): boolean => paths.some((each) => each.startsWith(`${folder}${name}/`));
  return manifestKinds.flatMap((kind) =>
    paths
      .filter((path) => isManifest(kind, path, folder))
      .map((path) =>
        kind.judge({ path, text: texts.get(path) ?? '', has, hasHereOrInRoot, hasFolder } satisfies Manifest),
      )
      .filter((found) => found !== null),
  );
}

function upFrom(prefix: string): string {
  return prefix
    .split('/')
    .map(() => '..')
    .join('/');
}
