// A small project in a temporary folder, with a command that runs its tests.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { RunnerContext } from '#analysis/test-runners/test-runner.ts';

export type Files = Readonly<Record<string, string>>;

export interface ProjectRun {
  readonly exit: number | null;
  readonly output: string;
}

/** The packages of this repository. */
export const ownModules = resolve(import.meta.dirname, '../../node_modules');

export function runProject(
  files: Files,
  [program, ...args]: readonly [string, ...string[]],
  { hasOwnModules = false } = {},
): ProjectRun {
  const folder = mkdtempSync(join(tmpdir(), 'runner-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    if (hasOwnModules) symlinkSync(ownModules, join(folder, 'node_modules'));
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      env: environment(folder),
    });
    return { exit: status, output: `${stdout}${stderr}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without the settings of the runner that runs this test. */
function environment(folder: string): NodeJS.ProcessEnv {
  const own = /^(?:NODE_|VITEST|TEST|FORCE_COLOR|PYTEST|CARGO_TARGET)/;
  const kept = Object.entries(process.env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(kept), NO_COLOR: '1', TMPDIR: folder, PYTHONDONTWRITEBYTECODE: '1' };
}

export function contextOf(command: string, more: Partial<RunnerContext> = {}): RunnerContext {
  return { command, scripts: [], output: '', dependencies: [], settings: [], ...more };
}

/** Whether a program is at hand; a test that needs it says so in its title when it is skipped. */
export function hasProgram(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
