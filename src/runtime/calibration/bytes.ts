// Pinned files must have the bytes of a base checkout: attributes and filters change bytes, not blobs.
import { posix } from 'node:path';
import type { Calibration } from '#kernel/model/calibration.ts';
import type { Trees } from '#ports/trees.ts';
import type { CheckContext } from '#runtime/checks/check-context.ts';

/** Null if there is nothing to compare: then bytes can differ only if blobs do. */
export async function compareBytes(
  { run, world }: CheckContext,
  trees: Trees,
  workTree: string,
): Promise<Calibration | null> {
  if (run.base === null || run.base.tree === workTree) return null;
  const [before, after] = [await trees.list(run.base.tree), await trees.list(workTree)];
  const all = new Set([...before.keys(), ...after.keys()]);
  const attributes = [...all].filter(
    (path) => posix.basename(path) === '.gitattributes' && before.get(path) !== after.get(path),
  );
  const pinned = run.base.pins.map(({ path }) => path);
  const same = pinned.filter((path) => before.has(path) && before.get(path) === after.get(path));
  if (attributes.length === 0 || same.length === 0) return null;
  const [old, now] = [await digests(world, run.base.tree, same), await digests(world, workTree, same)];
  if (old === null || now === null) return null;
  const differing = same.filter((path) => old.get(path) !== now.get(path));
  const known = { kind: 'bytes', runs: 0, durationMs: 0, logs: [] } as const;
  if (differing.length === 0)
    return { ...known, verdict: 'passed', reason: 'Pinned files have the bytes of a base checkout.' };
  const [first = ''] = differing;
  const more = differing.length === 1 ? '' : ` and ${differing.length - 1} more`;
  const reason = `${first}${more}: other bytes in the checkout than on the base, by ${attributes.join(', ')}. Pinned files must stay as they were.`;
  return { ...known, verdict: 'refused', reason, files: differing.slice(0, 50) };
}

async function digests(
  { workspace }: CheckContext['world'],
  tree: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string> | null> {
  const checkout = await workspace.cleanCheckout(tree);
  try {
    return (await checkout.digests?.(paths)) ?? null;
  } finally {
    await checkout.dispose();
  }
}
