// Objects that a program made in its copy of a repository, into the real one. Their names are computed anew from what they hold,
// so that nothing can be passed off as something else.
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createGit, type Git } from '#adapters/workspaces/git/git.ts';

/** Never rejects: what cannot be taken is no loss, because the files themselves are what counts. */
export async function takeObjects(objects: string, commonDir: string): Promise<void> {
  try {
    const git = createGit(commonDir, process.env);
    const packs = await packsIn(objects);
    const loose = await looseIn(objects);
    if (loose.length > 0) packs.push(await packed(git, loose, { objects, commonDir }));
    for (const pack of packs) await take(git, pack, commonDir);
  } catch {
    // A broken object, a full disk.
  }
}

async function looseIn(objects: string): Promise<string[]> {
  const folders = (await readdir(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const names = await Promise.all(
    folders.map(async (folder) => (await readdir(join(objects, folder))).map((rest) => folder + rest)),
  );
  return names.flat().filter((name) => /^[0-9a-f]{40,64}$/.test(name));
}

async function packsIn(objects: string): Promise<string[]> {
  const names = await readdir(join(objects, 'pack')).catch(() => []);
  return names
    .filter((name) => /^pack-[0-9a-f]+\.pack$/.test(name))
    .map((name) => join(objects, 'pack', name));
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

/** Scratch folders often lie on another disk. */
async function moveAcross(from: string, to: string): Promise<void> {
  const { copyFile } = await import('node:fs/promises');
  await copyFile(from, `${to}.tmp`);
  await rename(`${to}.tmp`, to);
}
