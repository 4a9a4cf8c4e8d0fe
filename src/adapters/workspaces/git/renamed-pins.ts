// Deleted pinned files whose content is in a new file: a person is asked about a rename, not about a deletion.
import type { BrokenPin } from '#kernel/criterion.ts';
import { split } from './git.ts';
import type { PinGround } from './pins.ts';

export async function withRenames(
  { git, gitDir, base }: PinGround,
  broken: readonly BrokenPin[],
  tree: string,
): Promise<BrokenPin[]> {
  if (!broken.some(({ change }) => change === 'deleted')) return [...broken];
  const args = ['diff-tree', '-r', '-z', '-M', '--name-status', '--diff-filter=R', base, tree];
  const { code, stdout } = await git.ask(args, { gitDir });
  const renames = code === 0 ? renamesIn(split(stdout)) : new Map<string, never>();
  return broken.map((pin) => {
    const renamedTo = pin.change === 'deleted' ? renames.get(pin.path) : undefined;
    return renamedTo === undefined ? pin : { ...pin, renamedTo };
  });
}

/** `R087`, the old path, the new path, and so on. */
function renamesIn(fields: readonly string[]): Map<string, NonNullable<BrokenPin['renamedTo']>> {
  const renames = new Map<string, NonNullable<BrokenPin['renamedTo']>>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [status = '', from = '', path = ''] = fields.slice(at, at + 3);
    renames.set(from, { path, similarPercent: Number(status.slice(1)) });
  }
  return renames;
}
