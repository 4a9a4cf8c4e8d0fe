// For tests: a checkout to map, with a cache of its own.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { createGit } from '#adapters/git/repo/git.ts';
import { type MapCache, openMapCache } from '#adapters/repo-map/cache.ts';
import { listFiles, type Listing } from '#adapters/repo-map/list-files.ts';
import { mapFiles, type MapCounts } from '#adapters/repo-map/map-files.ts';
import type { HashName } from '#adapters/repo-map/read-source.ts';
import { createReaders, type Readers } from '#adapters/repo-map/readers.ts';
import { readWords } from './sample-words.ts';

export const folder = mkdtempSync(join(tmpdir(), 'untildone-maps-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
let made = 0;

interface Bed {
  readonly root: string;
  readonly cacheFolder: string;
  readonly git: (...args: string[]) => void;
  readonly write: (path: string, content: string | Buffer) => void;
  readonly map: (paths?: readonly string[]) => Promise<Mapped>;
}

/** A map of which everything was asked for. */
interface Mapped extends MapCounts {
  readonly files: readonly {
    readonly path: string;
    readonly note: string;
    readonly chars: number;
    readonly signatures: string;
  }[];
}

export function readersOf(root: string, hash: HashName, signal = new AbortController().signal): Readers {
  return createReaders({ root, hash, readWords, signal });
}

/** Contract: only the map reads the files. */
export async function mapAll(root: string, listing: Listing, cache: MapCache): Promise<Mapped> {
  const readers = readersOf(root, listing.hash);
  const { files, counts, signaturesOf: ask, save } = await mapFiles({ root, listing, cache, readers });
  const signatures = await ask([...files.keys()]);
  await save();
  const shown = files.map(({ path, note, chars }, at) => ({
    path,
    note,
    chars,
    signatures: signatures[at] ?? '',
  }));
  return { files: shown, ...counts };
}

export function bed(
  files: { readonly [path: string]: string | Buffer },
  { commits = true, format = 'sha1' }: { readonly commits?: boolean; readonly format?: string } = {},
): Bed {
  made += 1;
  const root = join(folder, `repository ${made}`);
  const cacheFolder = join(folder, `cache-${made}`);
  mkdirSync(root);
  const git = (...args: string[]): void => {
    const { status, stderr } = spawnSync('git', args, { cwd: root, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  git('init', '-q', `--object-format=${format}`);
  for (const [path, content] of Object.entries(files)) write(path, content);
  if (commits) {
    git('add', '-A');
    git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'start');
  }
  const map = async (paths: readonly string[] = []): Promise<Mapped> => {
    const listing = await listFiles(createGit(root, env), root, paths);
    return mapAll(root, listing, await openMapCache(cacheFolder, '1'));
  };
  return { root, cacheFolder, git, write, map };
}

export function signaturesOf({ files }: Mapped, path: string): string | undefined {
  return files.find((file) => file.path === path)?.signatures;
}

export const one = 'export function one(): void {}\n';
export const two = 'export function two(): void {}\n';
