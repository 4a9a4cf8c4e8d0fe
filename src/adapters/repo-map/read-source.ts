// Reads one source file of a checkout with limits: follows no link, waits for no pipe, reads a bounded size.
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '#base/error-code.ts';
import { isWithin } from '#base/is-within.ts';
import { orElse } from '#base/or-else.ts';

/** The hash by which git names objects in this repository. */
export type HashName = 'sha1' | 'sha256';

export type Source =
  | { readonly kind: 'text'; readonly text: string; readonly blobs: readonly string[] }
  | { readonly kind: 'unread'; readonly chars: number; readonly why: string }
  /** Gone since it was listed, or never a file. */
  | { readonly kind: 'missing' };

/** As in the parser: handwritten files are far smaller. */
const bytesMax = 1_000_000;

/** Reads files of one checkout; each folder is checked once. */
export function createSourceReader(root: string, hashName: HashName): (path: string) => Source {
  const top = realpathSync(root);
  const folders = new Map<string, boolean>();
  return (path) => {
    const folder = dirname(path);
    let isInside = folders.get(folder);
    if (isInside === undefined) {
      isInside = isFolderInside(top, folder);
      folders.set(folder, isInside);
    }
    return isInside ? readSource(join(top, path), hashName) : { kind: 'missing' };
  };
}

function isFolderInside(top: string, folder: string): boolean {
  return orElse(() => isWithin(realpathSync(join(top, folder)), top), false);
}

function readSource(file: string, hashName: HashName): Source {
  // Windows lacks some of these flags; undefined counts as 0 there.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let handle: number;
  try {
    handle = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    return errorCode(error) === 'EACCES'
      ? { kind: 'unread', chars: 0, why: 'may not be read' }
      : { kind: 'missing' };
  }
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) return { kind: 'missing' };
    if (stat.size > bytesMax) return { kind: 'unread', chars: stat.size, why: 'too large' };
    return asText(readBytes(handle, stat.size), hashName);
  } catch {
    return { kind: 'unread', chars: 0, why: 'cannot be read' };
  } finally {
    closeSync(handle);
  }
}

/** The file may grow or shrink meanwhile; the bytes that were read count. */
function readBytes(handle: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (let read = 1; read > 0 && length < buffer.length; length += read) {
    read = readSync(handle, buffer, length, buffer.length - length, length);
  }
  return buffer.subarray(0, length);
}

function asText(bytes: Buffer, hashName: HashName): Source {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return { kind: 'unread', chars: bytes.length >> 1, why: 'is not UTF-8' };
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  return { kind: 'text', text, blobs: blobsOf(bytes, hashName) };
}

/** The hashes of these bytes and of their version with git's line endings, which a checkout may change. */
function blobsOf(bytes: Buffer, hashName: HashName): string[] {
  const own = blobOf(bytes, hashName);
  if (!bytes.includes('\r\n')) return [own];
  const asGit = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return [own, blobOf(asGit, hashName)];
}

function blobOf(bytes: Buffer, hashName: HashName): string {
  return createHash(hashName).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
