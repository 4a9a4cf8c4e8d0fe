// What now stands where a pin was broken, and what that takes away: an acceptance is bound to the one, people read the other.
import type { BrokenPin } from '#kernel/criterion.ts';
import { readBlob, type TreeGround } from './pin-tree.ts';
import { weakeningsOf } from './weakening.ts';

// A change of a hundred files is told by their names; reading each would take longer than the checks.
const comparedMax = 100;

type Files = ReadonlyMap<string, string>;

export async function withContents(
  ground: TreeGround,
  broken: readonly BrokenPin[],
  base: Files,
  files: Files,
): Promise<BrokenPin[]> {
  const compared = await Promise.all(
    broken.slice(0, comparedMax).map(async (pin) => {
      const weakening = await weakeningOf(ground, pin, base, files);
      return { ...pin, content: contentOf(pin, files), ...(weakening.length === 0 ? {} : { weakening }) };
    }),
  );
  return [
    ...compared,
    ...broken.slice(comparedMax).map((pin) => ({ ...pin, content: contentOf(pin, files) })),
  ];
}

/** A part of a manifest is bound to the whole file: nothing beside it may slip through. */
function contentOf({ path }: BrokenPin, files: Files): string {
  return files.get(path) ?? files.get(fileOf(path)) ?? '';
}

async function weakeningOf(ground: TreeGround, pin: BrokenPin, base: Files, files: Files): Promise<string[]> {
  const path = fileOf(pin.path);
  const [old, now] = [base.get(path), files.get(path)];
  if (now === undefined || pin.path.includes('#')) return [];
  if (old?.startsWith('100755') === true && now.startsWith('100644')) return ['is no longer executable'];
  if (old !== undefined && old.split(' ')[0] !== now.split(' ')[0] && now.startsWith('120000'))
    return ['became a link'];
  const before = old === undefined ? '' : ((await readBlob(ground, old)) ?? '');
  return weakeningsOf(before, (await readBlob(ground, now)) ?? before);
}

function fileOf(path: string): string {
  return path.split('#')[0] ?? path;
}
