// Reads files of the tree under check: nothing outside of it, no special file, and never more than a limit.
import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isWithin } from '#base/is-within.ts';
import { errorCode } from '#base/error-code.ts';

/** Source and settings are far smaller; a larger file was generated. */
export const bytesMax = 16 * 1024 * 1024;

export type ConfinedPath =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder' }
  | { readonly kind: 'missing' }
  /** Exists, but must not count as a file of the tree; `problem` continues "PATH …". */
  | { readonly kind: 'refused'; readonly problem: string };

/** Resolves `path` in the checkout at `root`. Follows links as long as they stay inside. */
export async function placeOf(root: string, path: string): Promise<ConfinedPath> {
  const outside = { kind: 'refused', problem: 'is not inside the checkout' } as const;
  if (path === '' || path.includes('\0') || isAbsolute(path)) return outside;
  const top = await realpath(root);
  const wanted = resolve(top, path);
  if (!isWithin(wanted, top)) return outside;
  const stray = await strayLink(top, wanted);
  if (stray !== null) return { kind: 'refused', problem: stray };
  try {
    const real = await realpath(wanted);
    const stat = await lstat(real);
    if (stat.isFile()) return { kind: 'file', path: real };
    return stat.isDirectory() ? { kind: 'folder' } : { kind: 'refused', problem: `is ${nameOf(stat)}` };
  } catch (error) {
    if (isMissing(error)) return { kind: 'missing' };
    return { kind: 'refused', problem: `cannot be looked at (${codeOf(error)})` };
  }
}

export type Reading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-large'; readonly bytes: number }
  | { readonly kind: 'refused'; readonly problem: string };

/** Contract: waits for no pipe, follows no link, holds at most `bytesMax`. `path` is from `placeOf`. */
export async function readConfined(path: string): Promise<Reading> {
  // Windows lacks some of these flags; undefined counts as 0 there.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => codeOf(error));
  if (typeof file === 'string') return { kind: 'refused', problem: `cannot be read (${file})` };
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return { kind: 'refused', problem: `is ${nameOf(stat)}` };
    if (stat.size > bytesMax) return { kind: 'too-large', bytes: stat.size };
    // It may grow while it is read.
    const buffer = Buffer.alloc(Math.min(stat.size + 1, bytesMax));
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read) {
      read = (await file.read(buffer, length, buffer.length - length, length)).bytesRead;
    }
    return { kind: 'text', text: buffer.toString('utf8', 0, length) };
  } finally {
    await file.close();
  }
}

/** Finds a link on the path that leaves the checkout, enters git's folder or is dangling. */
async function strayLink(top: string, wanted: string): Promise<string | null> {
  let at = top;
  for (const part of relative(top, wanted).split(sep)) {
    at = join(at, part);
    if (part.toLowerCase() === '.git') return 'belongs to git, not to the work';
    const stat = await lstat(at).catch(() => null);
    if (stat === null) return null;
    if (!stat.isSymbolicLink()) continue;
    const real = await realpath(at).catch(() => null);
    if (real === null) return 'is a link that leads nowhere';
    if (!isWithin(real, top)) return 'is a link that leads out of the checkout';
    if (relative(top, real).split(sep).includes('.git')) return 'belongs to git, not to the work';
    at = real;
  }
  return null;
}

function nameOf(stat: {
  isDirectory(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isSymbolicLink(): boolean;
}): string {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a pipe, not a file';
  if (stat.isSocket()) return 'a socket, not a file';
  return stat.isSymbolicLink() ? 'a link, not a file' : 'a device, not a file';
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return errorCode(error) ?? String(error);
}
