// Files that decide which dependencies a checkout gets: lock files, manifests, and settings of package managers. Pure.
import type { Lock, SetupTool } from '#analysis/ecosystems/ecosystem.ts';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';

export interface LockKind {
  readonly file: string;
  /** Installs exactly what the lock file says. */
  readonly command: string;
  /** Its tool needs the file whenever it starts a program of the project. */
  readonly isReadLater?: true;
}

const setups = factsOf('setup');
const locks = setups.flatMap((each) => each.locks ?? []);

/** Lock files that a command installs from. */
export const lockKinds: readonly LockKind[] = kindsOf('install');

/** Their tool installs from them when it builds; where none is committed, the run keeps the one that the first setup makes. */
const builtFromLocks = kindsOf('build');

function kindsOf(kind: Lock['use']['kind']): LockKind[] {
  return locks.flatMap(({ file, use }) => {
    if (use.kind === 'fetch' || use.kind !== kind) return [];
    const { command, isReadLater } = use;
    return [{ file, command, ...(isReadLater === true ? { isReadLater } : {}) }];
  });
}

/** Names of the lock files that a run keeps where none is committed. */
export const keptLockNames: readonly string[] = [...lockKinds, ...builtFromLocks].map(({ file }) => file);

export function isLockFile(path: string): boolean {
  return locks.some(({ file }) => file === nameOf(path));
}

/** The kind of a lock file that a command installs from. */
export function lockKindOf(path: string): LockKind | undefined {
  return lockKinds.find(({ file }) => file === nameOf(path));
}

/** The kind of a lock file that a run keeps where none is committed. */
export function keptLockKindOf(path: string): LockKind | undefined {
  return lockKindOf(path) ?? builtFromLocks.find(({ file }) => file === nameOf(path));
}

/** The program of a setup command: `npm` of `cd .. && npm install`. */
export function lockTool(command: string): string {
  return command.replace(/^cd [./]+ && /, '').split(' ')[0] ?? '';
}

/** How a command runs that is to choose versions; `updatesLock`: it brings a lock file of an older manifest up to date. */
export function resolving(command: string): {
  readonly env: { readonly [name: string]: string };
  readonly updatesLock: boolean;
} {
  const tool = toolOf(command);
  return { env: tool?.env ?? {}, updatesLock: tool?.updatesLock === true };
}

/** What a command makes beside the manifest; none where that is not known. */
export function madeBy(command: string): readonly string[] {
  return toolOf(command)?.makes?.split(' ') ?? [];
}

function toolOf(command: string): SetupTool | undefined {
  const name = lockTool(command);
  return setups.map(({ tools }) => tools?.[name]).find((tool) => tool !== undefined);
}

const inputs = setups.flatMap((each) => each.inputs ?? []);

/** Whether a file decides what a setup command installs. */
export function decidesSetup(path: string): boolean {
  const name = nameOf(path);
  const isInput = inputs.some((input) => (typeof input === 'string' ? input === name : input.test(path)));
  return isInput || lockKindOf(path) !== undefined;
}

const offers = setups.flatMap((each) => each.offers ?? []);

/** Manifests in the root that say what a package offers. */
export const offeringManifests: readonly string[] = offers.flatMap(({ manifests }) => manifests.split(' '));
const shippingFiles = new Set([
  ...offeringManifests,
  ...offers.flatMap(({ shipping }) => shipping?.split(' ') ?? []),
]);

/** Whether a package offers a file to others, by the text of a manifest. */
export function isOfferedBy(manifest: string, text: string, path: string): boolean {
  return offers.some(
    ({ manifests, isOffered }) => manifests.split(' ').includes(nameOf(manifest)) && isOffered(path, text),
  );
}

/** Whether a file names others of the product, for those who install it. */
export function namesProduct(path: string): boolean {
  return shippingFiles.has(nameOf(path));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
