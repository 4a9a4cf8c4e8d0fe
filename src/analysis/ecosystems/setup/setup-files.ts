// Finds files that decide dependencies: lock files, manifests, settings of package managers. Pure.
import type { Lock, SetupTool } from '#analysis/ecosystems/ecosystem.ts';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';

export interface LockKind {
  readonly file: string;
  /** Installs exactly the versions in the lock file. */
  readonly command: string;
  /** Its tool needs the file whenever it starts a program of the project. */
  readonly isReadLater?: true;
}

const setups = factsOf('setup');
const locks = setups.flatMap((each) => each.locks ?? []);

/** Lock files that a command installs from. */
export const lockKinds: readonly LockKind[] = kindsOf('install');

/** Their tool installs from them on a build; if none is committed, the run keeps the first setup's. */
const builtFromLocks = kindsOf('build');

function kindsOf(kind: Lock['use']['kind']): LockKind[] {
  return locks.flatMap(({ file, use }) => {
    if (use.kind === 'fetch' || use.kind !== kind) return [];
    const { command, isReadLater } = use;
    return [{ file, command, ...(isReadLater === true ? { isReadLater } : {}) }];
  });
}

/** Names of the lock files that a run keeps if none is committed. */
export const keptLockNames: readonly string[] = [...lockKinds, ...builtFromLocks].map(({ file }) => file);

export function isLockFile(path: string): boolean {
  return locks.some(({ file }) => file === nameOf(path));
}

/** The kind of a lock file that a command installs from. */
export function lockKindOf(path: string): LockKind | undefined {
  return lockKinds.find(({ file }) => file === nameOf(path));
}

/** The kind of a lock file that a run keeps if none is committed. */
export function keptLockKindOf(path: string): LockKind | undefined {
  return lockKindOf(path) ?? builtFromLocks.find(({ file }) => file === nameOf(path));
}

/** The program of a setup command: `npm` of `cd .. && npm install`. */
export function lockTool(command: string): string {
  return command.replace(/^cd [./]+ && /, '').split(' ')[0] ?? '';
}

/** The environment for choosing versions; `updatesLock`: it updates a lock older than the manifest. */
export function resolving(command: string): {
  readonly env: { readonly [name: string]: string };
  readonly updatesLock: boolean;
} {
  const tool = toolOf(command);
  return { env: tool?.env ?? {}, updatesLock: tool?.updatesLock === true };
}

/** Files that a command creates next to the manifest; empty if unknown. */
export function madeBy(command: string): readonly string[] {
  return toolOf(command)?.makes?.split(' ') ?? [];
}

function toolOf(command: string): SetupTool | undefined {
  const name = lockTool(command);
  return setups.map(({ tools }) => tools?.[name]).find((tool) => tool !== undefined);
}

const inputs = setups.flatMap((each) => each.inputs ?? []);

export function decidesSetup(path: string): boolean {
  const name = nameOf(path);
  const isInput = inputs.some((input) => (typeof input === 'string' ? input === name : input.test(path)));
  return isInput || lockKindOf(path) !== undefined;
}

const offers = setups.flatMap((each) => each.offers ?? []);

/** Manifests in the root that declare the offers of a package. */
export const offeringManifests: readonly string[] = offers.flatMap(({ manifests }) => manifests.split(' '));
const shippingFiles = new Set([
  ...offeringManifests,
  ...offers.flatMap(({ shipping }) => shipping?.split(' ') ?? []),
]);

/** Whether the text of a manifest says that the package offers a file to others. */
export function isOfferedBy(manifest: string, text: string, path: string): boolean {
  return offers.some(
    ({ manifests, isOffered }) => manifests.split(' ').includes(nameOf(manifest)) && isOffered(path, text),
  );
}

/** Whether a file names other files of the product, for its users. */
export function namesProduct(path: string): boolean {
  return shippingFiles.has(nameOf(path));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
