// The repository as a sandboxed program sees it: read-only objects, and copies of everything else. It can
// commit, branch and configure; no ref, hook or setting of the real repository changes.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { settingsInside } from '#adapters/sandbox/git-settings.ts';
import { hiddenOfModules, modulesIn, shownHooks, shownOfGit } from '#adapters/sandbox/git-secrets.ts';
import { takeObjects } from './take-objects.ts';
import type { Mount } from './mounts.ts';
import { orElse } from '#base/or-else.ts';
import { adminOf } from '#adapters/sandbox/workspace-of.ts';

export interface GitView {
  readonly mounts: readonly Mount[];
  /** Imports new objects, because the checkout's index may name them; refs stay unchanged. */
  settle(): Promise<void>;
}

const shown = ['modules', 'lfs/objects'];
const baseObjects = 'objects-outside';

export function openGitView(workspace: string, commonDir: string, scratch: string): GitView {
  const copy = join(scratch, 'git');
  copyFolder(commonDir, copy);
  const objects = join(copy, 'objects');
  mkdirSync(join(objects, 'info'), { recursive: true });
  mkdirSync(join(objects, 'pack'));
  mkdirSync(join(copy, baseObjects));
  const borrowed = alternatesOf(join(commonDir, 'objects'));
  writeFileSync(
    join(objects, 'info', 'alternates'),
    `${[join(commonDir, baseObjects), ...borrowed].join('\n')}\n`,
  );
  const admin = adminOf(workspace, commonDir);
  const head = admin === null ? null : readIfThere(join(admin, 'HEAD'));
  return {
    mounts: [
      { kind: 'write', path: commonDir, from: copy },
      { kind: 'read', path: join(commonDir, baseObjects), from: join(commonDir, 'objects') },
      ...borrowed.map((path): Mount => ({ kind: 'read', path })),
      ...shown.map((name): Mount => ({ kind: 'read', path: join(commonDir, name) })),
      ...hookMounts(commonDir, scratch),
      ...moduleMounts(commonDir, scratch),
      ...adminMounts(admin, workspace, scratch),
    ],
    settle: async () => {
      await takeObjects(objects, commonDir);
      if (admin === null || head === null) return;
      straighten(admin);
      putHeadBack(join(admin, 'HEAD'), head);
    },
  };
}

function copyFolder(commonDir: string, copy: string): void {
  mkdirSync(copy);
  for (const name of shownOfGit) {
    const from = join(commonDir, name);
    if (!existsSync(from)) continue;
    // Refs of runs are not shown inside.
    const filter = (path: string): boolean => relative(commonDir, path) !== join('refs', 'untildone');
    cpSync(from, join(copy, name), { recursive: true, preserveTimestamps: true, filter });
  }
  mkdirSync(join(copy, 'refs'), { recursive: true });
  writeFileSync(join(copy, 'config'), settingsInside(join(commonDir, 'config')));
}

/** A copy without the hooks that a commit does not run: one mount instead of one for each hidden file. */
function hookMounts(commonDir: string, scratch: string): Mount[] {
  const path = join(commonDir, 'hooks');
  if (!existsSync(path)) return [];
  const from = join(scratch, 'hooks');
  mkdirSync(from);
  for (const name of shownHooks(commonDir))
    cpSync(join(path, name), join(from, name), {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    });
  return [{ kind: 'read', path, from }];
}

/** Submodules have their own settings and addresses. */
function moduleMounts(gitDir: string, scratch: string): Mount[] {
  return modulesIn(gitDir).flatMap((module): Mount[] => [
    shownSettings(join(module, 'config'), scratch),
    ...hiddenOfModules(module).map((path): Mount => ({ kind: 'hide', path })),
  ]);
}

function shownSettings(path: string, scratch: string): Mount {
  const folder = join(scratch, 'settings');
  mkdirSync(folder, { recursive: true });
  const from = join(folder, String(readdirSync(folder).length));
  writeFileSync(from, settingsInside(path));
  return { kind: 'read', path, from };
}

/** The checkout's git folder is real, because its index is read after a hook. Its pointers are read-only. */
function adminMounts(admin: string | null, workspace: string, scratch: string): Mount[] {
  if (admin === null) return [];
  const fixed = [join(admin, 'commondir'), join(admin, 'gitdir'), join(workspace, '.git')];
  const settings = join(admin, 'config.worktree');
  // A missing file could be created inside, with programs that git would run outside.
  if (!existsSync(settings)) writeFileSync(settings, '');
  return [
    { kind: 'write', path: admin, from: admin },
    ...fixed.filter((path) => existsSync(path)).map((path): Mount => ({ kind: 'read', path, from: path })),
    shownSettings(settings, scratch),
    ...moduleMounts(admin, scratch),
  ];
}

function alternatesOf(objects: string): string[] {
  const lines = (readIfThere(join(objects, 'info', 'alternates')) ?? '').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (isAbsolute(line) ? line : resolve(objects, line)))
    .filter((path) => existsSync(path));
}

/** A branch created inside does not exist outside. */
function putHeadBack(file: string, before: string): void {
  const now = readIfThere(file);
  if (now !== null && (now === before || !now.startsWith('ref:'))) return;
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, before, { flag: 'wx' });
}

function readIfThere(file: string): string | null {
  return orElse(() => readFileSync(file, 'utf8'), null);
}

/**
 * Removes everything but files and folders where we read and write next: a link would lead us out, a pipe
 * would block. Contract: the program cannot replace the folder itself; never throws.
 */
function straighten(folder: string): void {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    for (const entry of entries)
      if (!entry.isFile() && !entry.isDirectory()) rmSync(join(folder, entry.name), { force: true });
    for (const entry of entries) if (entry.isDirectory()) straighten(join(folder, entry.name));
  } catch {
    // We cannot read a folder that we cannot enter.
  }
}
