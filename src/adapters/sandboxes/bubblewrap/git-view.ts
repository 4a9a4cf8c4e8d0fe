// The repository as a program inside sees it: its objects to read, everything else a copy. It can commit, branch and set what it
// likes; no ref, hook or setting of the real one moves.
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { takeObjects } from './take-objects.ts';
import type { Mount } from './mounts.ts';

export interface GitView {
  readonly mounts: readonly Mount[];
  /** Takes over the objects that were made, so that what the checkout's index names is there; refs stay as they were. */
  settle(): Promise<void>;
}

/** Small files and folders of a git folder; its objects, logs and other checkouts stay out, and so does what we keep there. */
const copied = ['HEAD', 'config', 'packed-refs', 'shallow', 'info', 'refs', 'reftable', 'index', 'ORIG_HEAD'];
const shown = ['hooks', 'modules', 'lfs'];
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
      ...adminMounts(admin, workspace),
    ],
    settle: async () => {
      await takeObjects(objects, commonDir);
      if (admin !== null && head !== null) putHeadBack(join(admin, 'HEAD'), head);
    },
  };
}

function copyFolder(commonDir: string, copy: string): void {
  mkdirSync(copy);
  for (const name of copied) {
    const from = join(commonDir, name);
    if (!existsSync(from)) continue;
    // Ours: what a run keeps is nobody's business inside.
    const filter = (path: string): boolean => relative(commonDir, path) !== join('refs', 'untildone');
    cpSync(from, join(copy, name), { recursive: true, preserveTimestamps: true, filter });
  }
  mkdirSync(join(copy, 'refs'), { recursive: true });
}

/** The checkout's own part of the git folder is real: its index is looked at after a hook. Where it points may not change. */
function adminMounts(admin: string | null, workspace: string): Mount[] {
  if (admin === null) return [];
  const fixed = ['commondir', 'gitdir', 'config.worktree'].map((name) => join(admin, name));
  return [
    { kind: 'write', path: admin, from: admin },
    ...[...fixed, join(workspace, '.git')]
      .filter((path) => existsSync(path))
      .map((path): Mount => ({ kind: 'read', path, from: path })),
  ];
}

/** Null for the main checkout, whose `.git` is the whole folder; and for one that says it belongs elsewhere. */
function adminOf(workspace: string, commonDir: string): string | null {
  const file = join(workspace, '.git');
  if (statSync(file).isDirectory()) return null;
  const said = /^gitdir: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const admin = resolve(workspace, said);
  return dirname(admin) === join(commonDir, 'worktrees') && basename(admin) !== '' ? admin : null;
}

function alternatesOf(objects: string): string[] {
  const lines = (readIfThere(join(objects, 'info', 'alternates')) ?? '').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (isAbsolute(line) ? line : resolve(objects, line)))
    .filter((path) => existsSync(path));
}

/** A branch that was made inside does not exist out here. */
function putHeadBack(file: string, before: string): void {
  const now = readIfThere(file);
  if (now === null || (now !== before && now.startsWith('ref:'))) writeFileSync(file, before);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
