// Tests what this machine has and can guarantee, for `doctor`.
import { execFile } from 'node:child_process';
import { access, constants, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBrowser, type Browser } from './find-browser.ts';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import { makeFolder } from '#adapters/files/files.ts';
import { otherStateHome, whyNotWritable, writeError } from '#adapters/files/io-error.ts';
import { takeLock } from '#adapters/files/lock.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import type { Confinement } from '#ports/processes.ts';

export interface Probe {
  readonly node: string;
  readonly git: { readonly version: string } | { readonly problem: string };
  readonly platform: string;
  readonly confinement: Confinement;
  readonly agents: readonly { readonly name: string; readonly version: string | null }[];
  readonly browser: Browser;
  /** `problem` has no full stop; `hint` is null if there is none. */
  readonly state: { readonly folder: string; readonly problem: string | null; readonly hint: string | null };
}

export interface ProbeInput {
  readonly env: { readonly [name: string]: string };
  readonly stateHome: string;
  /** Names of known clients on PATH. */
  readonly clients: readonly string[];
}

export async function probeMachine({ env, stateHome, clients }: ProbeInput): Promise<Probe> {
  const [git, state, versions] = await Promise.all([
    versionOf('git', env),
    tryState(stateHome),
    Promise.all(clients.map(async (name) => ({ name, version: await versionOf(name, env) }))),
  ]);
  return {
    node: process.version,
    git: git === null ? { problem: 'git cannot be started' } : { version: git },
    platform: `${process.platform} ${process.arch}`,
    confinement: createProcesses({ confine: 'auto' }).confinement,
    agents: versions,
    browser: findBrowser(env, env['CHROME_PATH'] ?? null),
    state: { folder: join(stateHome, 'untildone'), ...state },
  };
}

/** The first number in `program --version`; null if it cannot start or takes too long. */
export async function versionOf(
  program: string,
  env: { readonly [name: string]: string },
  timeout = 10_000,
): Promise<string | null> {
  const printed = await printedBy([program, '--version'], env, timeout);
  if (printed === null) return null;
  const version = printed.trim().slice(0, 40);
  return /\d+(\.\d+)+/.exec(printed)?.[0] ?? (version === '' ? null : version);
}

/** Standard output; null if the program cannot start, fails or takes too long. */
export async function printedBy(
  [program, ...args]: readonly [string, ...string[]],
  env: { readonly [name: string]: string },
  timeout: number,
): Promise<string | null> {
  try {
    const asked = promisify(execFile)(program, args, { env, timeout, killSignal: 'SIGKILL' });
    // A program that reads its input would wait for us.
    asked.child.stdin?.end();
    return (await asked).stdout;
  } catch {
    return null;
  }
}

/** Writes and takes a lock there, as a run would. */
async function tryState(stateHome: string): Promise<Pick<Probe['state'], 'problem' | 'hint'>> {
  const folder = join(stateHome, 'untildone');
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK);
    (await takeLock(file, otherStateHome))?.release();
    return { problem: null, hint: null };
  } catch (error) {
    const { message, hint } = writeError(error, 'The state', folder, otherStateHome);
    return { problem: whyNotWritable(error) ?? withoutFullStop(message), hint };
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}
