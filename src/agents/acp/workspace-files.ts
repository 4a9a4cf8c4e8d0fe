// Reads and writes workspace files for an agent, and refuses links that lead out of the workspace.
import { lstat, realpath, mkdir, open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { constants, existsSync } from 'node:fs';
import { RpcError, rpcCodes } from '#agents/shared/json-rpc.ts';
import { textOf, type Fields } from '#agents/shared/json.ts';

export interface WorkspaceFiles {
  read(params: Fields): Promise<Fields>;
  write(params: Fields): Promise<Fields>;
}

/** A reply of this size is still one line. */
const fileBytesMax = 8 * 1024 * 1024;
const notFound = -32002;

export function createWorkspaceFiles(cwd: string, readOnly: boolean): WorkspaceFiles {
  return {
    read: async (params) => {
      const { root, path } = await confine(cwd, textOf(params['path']));
      const file = await openBelow(root, path, 'read').catch(() => null);
      if (file === null) throw new RpcError(notFound, `Resource not found: ${path}`);
      try {
        const found = await file.stat();
        if (!found.isFile()) throw new RpcError(rpcCodes.invalidParams, `${path} is not a file.`);
        if (found.size > fileBytesMax) throw new RpcError(rpcCodes.invalidParams, `${path} is too large.`);
        return { content: linesOf(await file.readFile('utf8'), params) };
      } finally {
        await file.close();
      }
    },
    write: async (params) => {
      if (readOnly)
        throw new RpcError(rpcCodes.invalidParams, 'This role is read-only: nothing may be written.');
      const { root, path } = await confine(cwd, textOf(params['path']));
      const file = await openBelow(root, path, 'write').catch(() => null);
      if (file === null) throw new RpcError(rpcCodes.invalidParams, `${path} cannot be written.`);
      try {
        if (!(await file.stat()).isFile())
          throw new RpcError(rpcCodes.invalidParams, `${path} is not a file.`);
        await file.truncate(0);
        await file.writeFile(textOf(params['content']));
        return {};
      } finally {
        await file.close();
      }
    },
  };
}

/** Contract: returns the real path below the real workspace; refuses all other paths and git's files. */
async function confine(cwd: string, path: string): Promise<{ readonly root: string; readonly path: string }> {
  if (!isAbsolute(path)) throw new RpcError(rpcCodes.invalidParams, 'The path must be absolute.');
  const root = await realpath(cwd);
  const real = await resolveLinks(path);
  const inside = relative(root, real);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  if (isOutside) throw new RpcError(rpcCodes.invalidParams, `${path} is outside the workspace.`);
  if (inside === '') throw new RpcError(rpcCodes.invalidParams, `${path} is not a file.`);
  if (inside.split(sep)[0]?.toLowerCase() === '.git')
    throw new RpcError(rpcCodes.invalidParams, `${path} belongs to git, not to the work.`);
  return { root, path: real };
}

/** A missing path resolves through its nearest existing folder. A dangling link is refused. */
async function resolveLinks(path: string): Promise<string> {
  const missing: string[] = [];
  for (let known = path; ; known = dirname(known)) {
    const real = await realpath(known).catch(() => null);
    if (real !== null) return join(real, ...missing);
    if (await isLink(known)) throw new RpcError(rpcCodes.invalidParams, `${path} leads nowhere.`);
    missing.unshift(basename(known));
  }
}

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isSymbolicLink() ?? false;
}

function linesOf(text: string, { line, limit }: Fields): string {
  if (typeof line !== 'number' && typeof limit !== 'number') return text;
  const from = typeof line === 'number' ? Math.max(line - 1, 0) : 0;
  return text
    .split('\n')
    .slice(from, typeof limit === 'number' ? from + limit : undefined)
    .join('\n');
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Gives an open folder a path. Elsewhere than on Linux, the checked name has to do. */
const openFiles = '/proc/self/fd';
const hasOpenFiles = process.platform === 'linux' && existsSync(openFiles);

/**
 * Opens a file while an agent works in the workspace. Each step starts from the open folder, not from its
 * name: a link swapped in for a folder cannot lead outside.
 * Contract: `path` is below `root`, both without links. Rejects if the path was replaced; never waits for a
 * pipe.
 */
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
