// Reads files of other processes that can block the reader: `environ` and `cmdline` need a lock on the memory
// of the process. A child reads them, because it can be killed. A blocked thread could not, and would keep
// our process alive.
import { spawn } from 'node:child_process';
import { readProcText } from './proc-table.ts';

/** Content of each path, null if unreadable. Null as a whole after a timeout or an ambiguous output. */
export type ReadFiles = (paths: readonly string[]) => Promise<readonly (string | null)[] | null>;

/** A reading child is killed after this long without a byte. */
const silenceMs = 3_000;
/** A path that did not answer is not read again for this long. */
const skipMs = 60_000;
const allMsMax = 20_000;
const readersMax = 8;
const bytesMax = 64 * 1024 * 1024;
/** Constant text between two files. If an environment contains it, there is one separator too many. */
const separatorFile = '/proc/version';

const skippedUntil = new Map<string, number>();

/** Contract: returns within seconds; a path that did not answer is not in the result. */
export async function readProcFiles(
  paths: readonly string[],
  read: ReadFiles = readByChild,
): Promise<ReadonlyMap<string, string | null>> {
  const startedAt = performance.now();
  for (const [path, until] of skippedUntil) if (until < startedAt) skippedUntil.delete(path);
  const asked = paths.filter((path) => !skippedUntil.has(path));
  const found = new Map<string, string | null>();
  if (asked.length === 0) return found;
  const together = await read(asked);
  if (together !== null) return new Map(asked.map((path, index) => [path, together[index] ?? null]));
  // Each by a separate child, so that only paths that do not answer are missing.
  const waiting = [...asked];
  const readAll = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (performance.now() - startedAt > allMsMax) return;
      const alone = await read([path]);
      if (alone === null) skippedUntil.set(path, performance.now() + skipMs);
      else found.set(path, alone[0] ?? null);
    }
  };
  await Promise.all(Array.from({ length: readersMax }, readAll));
  return found;
}

export const readByChild: ReadFiles = (paths) => {
  const { promise, resolve } = Promise.withResolvers<readonly (string | null)[] | null>();
  const args = paths.flatMap((path) => [path, separatorFile]);
  const child = spawn('cat', ['--', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  const complaints: Buffer[] = [];
  let bytes = 0;
  const giveUp = (): void => {
    child.kill('SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
    child.unref();
    resolve(null);
  };
  const silence = setTimeout(giveUp, silenceMs);
  child.stdout.on('data', (chunk: Buffer) => {
    silence.refresh();
    bytes += chunk.length;
    if (bytes > bytesMax) giveUp();
    else chunks.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => void complaints.push(chunk));
  // Without a child (a fork bomb leaves no room for one), read them directly.
  child.on('error', () => resolve(paths.map(readProcText)));
  child.on('close', () => {
    const output = { text: Buffer.concat(chunks).toString('latin1'), complaints: textOf(complaints) };
    resolve(apart(paths, output));
  });
  return promise.finally(() => clearTimeout(silence));
};

function apart(
  paths: readonly string[],
  { text, complaints }: { readonly text: string; readonly complaints: string },
): (string | null)[] | null {
  const separator = readProcText(separatorFile) ?? '\n';
  // For one file, only the last separator is ours.
  const pieces =
    paths.length === 1 && text.endsWith(separator)
      ? [text.slice(0, text.length - separator.length), '']
      : text.split(separator);
  if (pieces.length !== paths.length + 1) return null;
  return paths.map((path, index) => {
    const piece = pieces[index] ?? '';
    return piece === '' && complaints.includes(`${path}:`) ? null : piece;
  });
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('latin1');
}
