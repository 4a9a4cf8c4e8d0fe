// Small file operations that survive a crash.
import { randomBytes } from 'node:crypto';
import { constants, renameSync, rmSync, writeFileSync } from 'node:fs';
import { link, mkdir, open, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '#base/error-code.ts';
import { isMissing } from './io-error.ts';
import { parseJson } from '#base/parse-json.ts';

/** Zero where the platform has no such flag. */
const noFollow = constants.O_NOFOLLOW ?? 0;
/** Appends, and never through a symbolic link. */
export const appendOnly = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow;

/** Contract: a reader sees the old or the new content, also after a crash; on disk when it resolves. */
export async function replaceFile(file: string, content: string | Buffer, mode = 0o600): Promise<void> {
  const temporary = temporaryName(file);
  try {
    await writeSynced(temporary, content, mode);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(file));
}

/** As `replaceFile`, for a file that may be lost with the power: it is not synced. */
export function replaceFileSync(file: string, content: string): void {
  const temporary = temporaryName(file);
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Contract: of several concurrent calls exactly one wins, with whole content; false if the file existed. */
export async function createOnce(file: string, content: string, mode: number): Promise<boolean> {
  const temporary = temporaryName(file);
  try {
    await writeSynced(temporary, content, mode);
    await link(temporary, file);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
  await syncFolder(dirname(file));
  return true;
}

export async function writeSynced(file: string, content: string | Buffer, mode = 0o600): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** `mkdir -p` that survives a power loss. Node's own says ENOENT where a read-only file system says EROFS. */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  try {
    await mkdir(folder, mode);
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (!isMissing(error) || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder), mode);
    await mkdir(folder, mode).catch(ignoreExisting);
  }
  await syncFolder(dirname(folder));
}

function ignoreExisting(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error;
}

/** Null when there is no such file. */
export async function readIfThere(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Undefined unless it is a plain JSON file of at most `bytesMax`. Contract: never rejects. */
export async function readSmallJson(file: string, bytesMax: number): Promise<unknown> {
  const bytes = await readSmallFile(file, bytesMax).catch(() => null);
  return bytes === null ? undefined : parseJson(bytes.toString());
}

/** Null unless it is a plain file of at most `bytesMax`. Contract: a pipe does not block the reader. */
export async function readSmallFile(file: string, bytesMax: number): Promise<Buffer | null> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await handle.stat();
      return found.isFile() && found.size <= bytesMax ? await handle.readFile() : null;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Makes a rename in the folder survive a power loss. Windows cannot sync folders and need not. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function temporaryName(file: string): string {
  return `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
}
