// For its contract test: @anthropic-ai/sandbox-runtime from the registry that npm is set to, once, outside of our own lock.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { findSrt, srtPackage } from '#adapters/sandbox/srt/find-srt.ts';

const version = '0.0.83';
const installMs = 50_000;

type Found = ReturnType<typeof findSrt>;

/** One that is installed is taken as it is. */
export async function installSrt(cacheDir: string): Promise<Found> {
  const own = findSrt();
  if ('path' in own || !own.problem.includes('is not installed')) return own;
  const folder = join(cacheDir, `srt-${version}`);
  const problem = existsSync(folder) ? null : await install(cacheDir, folder);
  if (problem !== null) return { problem };
  return findSrt(pathToFileURL(join(folder, 'package.json')).href);
}

async function install(cacheDir: string, folder: string): Promise<string | null> {
  mkdirSync(cacheDir, { recursive: true });
  const making = mkdtempSync(join(cacheDir, 'srt-new-'));
  try {
    writeFileSync(join(making, 'package.json'), '{"private":true}');
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${srtPackage}@${version}`];
    await promisify(execFile)('npm', args, { cwd: making, timeout: installMs });
    renameSync(making, folder);
    return null;
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    // Another test was quicker.
    if (existsSync(folder)) return null;
    return `npm could not install ${srtPackage} (${String(error).split('\n')[0] ?? ''})`;
  }
}
