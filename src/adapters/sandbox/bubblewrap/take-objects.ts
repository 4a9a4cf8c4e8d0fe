// Imports the objects that a program made in its copy of a repository. Their hashes are computed again, so
// that no object can be passed off as another.
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createGit, type Git } from '#adapters/git/repo/git.ts';

/**
 * Never rejects: a lost object is harmless, because only the files count. The program can write anything into
 * its copy, and we run outside of the sandbox. So links are not followed, and its list of alternates is not
 * read.
 */
export async function takeObjects(objects: string, commonDir: string): Promise<void> {
  try {
    if (!(await lstat(objects)).isDirectory()) return;
    await rm(join(objects, 'info'), { recursive: true, force: true });
    const git = createGit(commonDir, process.env);
    const packs = await packsIn(objects);
    const loose = await looseIn(objects);
    if (loose.length > 0) packs.push(await packed(git, loose, { objects, commonDir }));
    for (const pack of packs) await take(git, pack, commonDir);
  } catch {
    // A broken object or a full disk.
  }
}

async function looseIn(objects: string): Promise<string[]> {
  const folders = (await readdir(objects, { withFileTypes: true })).filter(
    (entry) => entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name),
  );
  const names = await Promise.all(
    folders.map(async ({ name }) => (await filesIn(join(objects, name))).map((rest) => name + rest)),
  );
  return names.flat().filter((name) => /^[0-9a-f]{40,64}$/.test(name));
}

async function packsIn(objects: string): Promise<string[]> {
  const folder = join(objects, 'pack');
  const found = await lstat(folder).catch(() => null);
  if (found?.isDirectory() !== true) {
    // Git itself would follow it.
    await rm(folder, { recursive: true, force: true });
    return [];
  }
  const names = await filesIn(folder);
  return names.filter((name) => /^pack-[0-9a-f]+\.pack$/.test(name)).map((name) => join(folder, name));
}

/** Returns plain files and removes everything else, so that git does not open it. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries)
    if (!entry.isFile()) await rm(join(folder, entry.name), { recursive: true, force: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function packed(
  git: Git,
  names: readonly string[],
  { objects, commonDir }: { readonly objects: string; readonly commonDir: string },
): Promise<string> {
  const base = join(objects, 'taken');
  const env = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(commonDir, 'objects') };
  const input = `${names.join('\n')}\n`;
  const hash = await git.tell(['pack-objects', '-q', base], { gitDir: commonDir, env, input });
  return `${base}-${hash.trim()}.pack`;
}

async function take(git: Git, pack: string, commonDir: string): Promise<void> {
  const index = pack.replace(/\.pack$/, '.idx');
  await rm(index, { force: true });
  await git.tell(['index-pack', pack], { gitDir: commonDir });
  const to = join(commonDir, 'objects', 'pack', basename(pack).replace(/^taken/, 'pack'));
  await rename(pack, to).catch(() => moveAcross(pack, to));
  await rename(index, to.replace(/\.pack$/, '.idx')).catch(() =>
    moveAcross(index, to.replace(/\.pack$/, '.idx')),
  );
}

/** Scratch folders are often on another disk. */
async function moveAcross(from: string, to: string): Promise<void> {
  const { copyFile } = await import('node:fs/promises');
  await copyFile(from, `${to}.tmp`);
  await rename(`${to}.tmp`, to);
}
