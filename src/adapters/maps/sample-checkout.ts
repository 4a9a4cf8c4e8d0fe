// For tests: a checkout to map, with a cache of its own.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { createGit } from '#adapters/workspaces/git/git.ts';
import { openMapCache } from './cache.ts';
import type { Words } from './file-record.ts';
import { listFiles } from './list-files.ts';
import { mapFiles, type MappedFiles } from './map-files.ts';

export const folder = mkdtempSync(join(tmpdir(), 'untildone-maps-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
let made = 0;

export const readWords = (text: string): Words => ({
  numbers: Uint32Array.of(text.length),
  chars: text.length,
});

interface Bed {
  readonly root: string;
  readonly cacheFolder: string;
  readonly git: (...args: string[]) => void;
  readonly write: (path: string, content: string | Buffer) => void;
  /** How many texts had to be parsed so far. */
  readonly parsed: () => number;
  readonly map: (paths?: readonly string[]) => Promise<MappedFiles>;
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
  let texts = 0;
  const counted = (text: string): Words => {
    texts += 1;
    return readWords(text);
  };
  const map = async (paths: readonly string[] = []): Promise<MappedFiles> => {
    const listing = await listFiles(createGit(root, env), root, paths);
    const cache = await openMapCache(cacheFolder, '1');
    const signal = new AbortController().signal;
    return mapFiles({ root, listing, cache, readWords: counted, signal });
  };
  return { root, cacheFolder, git, write, parsed: () => texts, map };
}

export function signaturesOf({ files }: MappedFiles, path: string): string | undefined {
  return files.find((file) => file.path === path)?.signatures;
}

export const one = 'export function one(): void {}\n';
export const two = 'export function two(): void {}\n';
