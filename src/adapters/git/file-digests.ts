// Digests of files as they are on the disk, whatever git makes of them.
import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Contract: files that are absent, or neither file nor link, are left out. */
export async function fileDigests(
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (const path of paths) {
    const bytes = await bytesOf(join(root, path));
    if (bytes !== null) digests.set(path, createHash('sha256').update(bytes).digest('hex'));
  }
  return digests;
}

async function bytesOf(file: string): Promise<Buffer | string | null> {
  const stat = await lstat(file).catch(() => null);
  if (stat?.isSymbolicLink() === true) return readlink(file);
  return stat?.isFile() === true ? readFile(file) : null;
}
