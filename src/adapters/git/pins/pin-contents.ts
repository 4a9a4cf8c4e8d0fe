// Adds to each broken pin the present content, to which an acceptance is bound, and how it weakens the tests.
import type { BrokenPin } from '#kernel/model/criterion.ts';
import { isTestFile } from '#analysis/tampering/test-material.ts';
import { keepsLines } from '#analysis/tampering/keeps-lines.ts';
import { readBlob, type TreeGround } from '#adapters/git/trees/pin-tree.ts';
import { weakeningsOf } from '#analysis/tampering/weakening.ts';

// Beyond a hundred files, names suffice: reading each would take longer than the checks.
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
      if (weakening.length > 0) return { ...pin, content: contentOf(pin, files), weakening };
      const keeps = await keepsTests(ground, pin, base, files);
      return { ...pin, content: contentOf(pin, files), ...(keeps ? { keepsLines: true as const } : {}) };
    }),
  );
  return [
    ...compared,
    ...broken.slice(comparedMax).map((pin) => ({ ...pin, content: contentOf(pin, files) })),
  ];
}

/** An acceptance of a manifest section is bound to the whole file, so that no other change slips through. */
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

/** True if lines were added to a test file and nothing else changed. */
async function keepsTests(
  ground: TreeGround,
  { path, change }: BrokenPin,
  base: Files,
  files: Files,
): Promise<boolean> {
  const [old, now] = [base.get(path), files.get(path)];
  if (change !== 'changed' || old === undefined || now === undefined) return false;
  if (old.split(' ')[0] !== now.split(' ')[0]) return false;
  const [before, after] = [await readBlob(ground, old), await readBlob(ground, now)];
  return (
    before !== null && after !== null && isTestFile({ path, before, after }) && keepsLines(before, after)
  );
}

function fileOf(path: string): string {
  return path.split('#')[0] ?? path;
}
