// Builds, packs and installs the program once per test run. Tests start only this copy.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { buildWhenStale } from '../../scripts/build.mjs';
import { root } from '../tidy/repository.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder into which the packed package was installed globally. */
    readonly packagePrefix: string;
  }
}

const run = promisify(execFile);

let folder: string | null = null;

export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'untildone-e2e-package-'));
  await buildWhenStale();
  await npm('pack', '--ignore-scripts', '--pack-destination', folder);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('`npm pack` made no package');
  const prefix = join(folder, 'prefix');
  const quick = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  await npm('install', '--global', '--prefix', prefix, ...quick, join(folder, tarball));
  project.provide('packagePrefix', prefix);
}

export async function teardown(): Promise<void> {
  if (folder !== null) await rm(folder, { recursive: true, force: true });
}

async function npm(...args: string[]): Promise<void> {
  // What npm told the script that started us is not meant for this npm.
  const foreign = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const env = { ...Object.fromEntries(foreign), PATH: path };
  await run('npm', args, { cwd: root, env, timeout: 1_200_000 });
}
