// Which file uses which, as the last map found it: known again while no file came, went, or changed what it imports.
// Contract: what cannot be used for any reason is found anew; losing it costs time and nothing else.
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, replaceFile } from '#adapters/stores/embedded/files.ts';
import { checksum } from './checksum.ts';

/** Places in a list of files: those that the first file names, then those of the second, up to its end, and so on. */
export interface FileLinks {
  readonly targets: Int32Array;
  readonly ends: Int32Array;
}

interface Linking {
  readonly path: string;
  readonly importsSum: number;
}

/** Change it with how imports are resolved. */
const format = 'untildone-links 4';
/** Below, finding them is as quick as reading them. */
const filesMin = 300;

export async function recallLinks<T extends Linking>(
  { folder, version }: { readonly folder: string; readonly version: string },
  files: readonly T[],
  find: (files: readonly T[]) => FileLinks,
): Promise<FileLinks> {
  if (files.length < filesMin) return find(files);
  const file = join(folder, 'links');
  const head = `${format} ${version} ${keyOf(files)}`;
  const known = await load(file, head, files.length);
  if (known !== null) return known;
  const { ends, targets } = find(files);
  const numbers = new Int32Array(ends.length + targets.length);
  numbers.set(ends);
  numbers.set(targets, ends.length);
  const body = bytesOf(numbers);
  await makeFolder(folder)
    .then(() => replaceFile(file, Buffer.concat([Buffer.from(`${head} ${checksum(body)}\n`), body])))
    .catch(() => undefined);
  return { ends, targets };
}

function keyOf(files: readonly Linking[]): string {
  const paths = files.map(({ path }) => path).join('\0');
  const sums = Int32Array.from(files, ({ importsSum }) => importsSum);
  return `${hash('sha1', paths)} ${hash('sha1', bytesOf(sums))}`;
}

async function load(file: string, head: string, size: number): Promise<FileLinks | null> {
  const bytes = await readFile(file).catch(() => null);
  const headEnd = bytes?.indexOf(10) ?? -1;
  if (bytes === null || headEnd === -1) return null;
  if (!bytes.toString('latin1', 0, headEnd).startsWith(`${head} `)) return null;
  // Copied, because numbers of four bytes must begin at a multiple of four.
  const body = new Uint8Array(bytes.subarray(headEnd + 1));
  const isWhole = bytes.toString('latin1', 0, headEnd) === `${head} ${checksum(body)}`;
  if (!isWhole || body.length % 4 !== 0) return null;
  const numbers = new Int32Array(body.buffer);
  return { ends: numbers.subarray(0, size), targets: numbers.subarray(size) };
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
