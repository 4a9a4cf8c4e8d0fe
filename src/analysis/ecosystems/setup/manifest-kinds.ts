// Lists the manifests that may declare dependencies if no lock file is committed. Pure.
import type { ManifestKind } from '#analysis/ecosystems/ecosystem.ts';
import { byManifest, factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { named } from './manifest-answers.ts';

const setups = factsOf('setup', byManifest);
const unread = setups.flatMap((each) => each.unread ?? []).map(({ source }) => source);

/** The first one that declares a dependency decides. */
export const manifestKinds: readonly ManifestKind[] = [
  ...setups.flatMap((each) => each.manifests ?? []),
  {
    file: new RegExp(unread.join('|')),
    judge: ({ path }) => named(`${path} exists, and its format is not read`),
  },
];

/** Whether a path is the manifest of a kind in a folder ('' or with a slash at its end). */
export function isManifest({ file }: Pick<ManifestKind, 'file'>, path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  const name = path.slice(folder.length);
  return typeof file === 'string' ? file === name : file.test(name);
}
