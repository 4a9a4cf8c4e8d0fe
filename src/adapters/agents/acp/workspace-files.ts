// The files an agent may read and write through us: those of the workspace, and no way out of it by links.
import { lstat, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { RpcError, rpcCodes, textOf } from '#adapters/agents/json-rpc.ts';
import type { Fields } from '#adapters/agents/json-rpc.ts';

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
      const path = await confine(cwd, textOf(params['path']));
      const found = await stat(path).catch(() => null);
      if (found === null) throw new RpcError(notFound, `Resource not found: ${path}`);
      if (!found.isFile()) throw new RpcError(rpcCodes.invalidParams, `${path} is not a file.`);
      if (found.size > fileBytesMax) throw new RpcError(rpcCodes.invalidParams, `${path} is too large.`);
      return { content: linesOf(await readFile(path, 'utf8'), params) };
    },
    write: async (params) => {
      if (readOnly)
        throw new RpcError(rpcCodes.invalidParams, 'This role is read-only: nothing may be written.');
      const path = await confine(cwd, textOf(params['path']));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, textOf(params['content']));
      return {};
    },
  };
}

/** Contract: returns the real path below the real workspace; refuses every other. */
async function confine(cwd: string, path: string): Promise<string> {
  if (!isAbsolute(path)) throw new RpcError(rpcCodes.invalidParams, 'The path must be absolute.');
  const root = await realpath(cwd);
  const real = await resolveLinks(path);
  const inside = relative(root, real);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  if (isOutside) throw new RpcError(rpcCodes.invalidParams, `${path} is outside the workspace.`);
  return real;
}

/** What does not exist yet is resolved by the nearest folder that does. A dangling link resolves nowhere: refused. */
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
