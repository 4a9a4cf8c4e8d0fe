// The built program in a separate folder, so that a new build does not change a running scenario.
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenStale } from '../../scripts/build.mjs';
import { root } from '../tidy/repository.ts';

export interface Program {
  readonly launcher: string;
  remove(): void;
}

export async function copyProgram(): Promise<Program> {
  await buildWhenStale();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-scoreboard-program-')));
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return {
    launcher: join(folder, 'bin', 'untildone.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
