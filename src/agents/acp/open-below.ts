// Opens a file of the workspace while an agent is at work in it: a folder that it puts a link in the place of, between our look and our
// step, leads nobody out. Each step begins where the last one arrived, not at the name.
import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';

const { O_RDONLY, O_WRONLY, O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Where the system gives an open folder a name; elsewhere the name that was looked at has to do. */
const openFiles = '/proc/self/fd';
const hasOpenFiles = process.platform === 'linux' && existsSync(openFiles);

/** Contract: `path` is below `root`, both without links. Rejects when something else has come in its place; waits for no pipe. */
export async function openBelow(root: string, path: string, how: 'read' | 'write'): Promise<FileHandle> {
  const flags = (how === 'read' ? O_RDONLY : O_WRONLY | O_CREAT) | O_NOFOLLOW | O_NONBLOCK;
  if (!hasOpenFiles) {
    if (how === 'write') await mkdir(dirname(path), { recursive: true });
    return open(path, flags);
  }
  const folder = await openFolder(root, dirname(path), how === 'write');
  try {
    return await open(join(openFiles, String(folder.fd), basename(path)), flags);
  } finally {
    await folder.close();
  }
}

async function openFolder(root: string, path: string, isMade: boolean): Promise<FileHandle> {
  let at = await open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const parts = relative(root, path)
    .split(sep)
    .filter((part) => part !== '');
  for (const part of parts) {
    const next = join(openFiles, String(at.fd), part);
    try {
      if (isMade) await mkdir(next).catch(() => undefined);
      const below = await open(next, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      await at.close();
      at = below;
    } catch (error) {
      await at.close();
      throw error;
    }
  }
  return at;
}
