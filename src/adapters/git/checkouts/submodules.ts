// Submodules of a checkout, filled from the user's own copies: nothing is fetched.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refuseForged } from '#adapters/git/repo/verify-objects.ts';
import { type Git, split } from '#adapters/git/repo/git.ts';
import { listFiles } from '#adapters/git/trees/pin-tree.ts';
import { hasObject } from '#adapters/git/refs/refs.ts';

export interface Link {
  readonly path: string;
  readonly commit: string;
}

export interface Superproject {
  readonly git: Git;
  /** Where the user's copies are: `<here>/modules/<name>`. */
  readonly commonDir: string;
  readonly root: string;
  readonly note: (text: string) => void;
}

export async function linksOf(git: Git, gitDir: string, tree: string): Promise<Link[]> {
  return [...(await listFiles({ git, gitDir }, tree))].flatMap(([path, file]) => {
    const commit = /^160000 (\w+)$/.exec(file)?.[1];
    return commit === undefined ? [] : [{ commit, path }];
  });
}

/** Contract: a submodule that is missing or lacks its commit stays empty, and a note says so. */
export async function fillSubmodules(project: Superproject, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const names = await namesByPath(project);
  for (const link of links) {
    const name = names.get(link.path) ?? link.path;
    if (!(await fill(project, link, join(project.commonDir, 'modules', name)))) {
      project.note(
        `The submodule ${link.path} is not in the run's checkout: fetch it with \`git submodule update --init\` first.`,
      );
    }
  }
}

async function fill(project: Superproject, link: Link, source: string): Promise<boolean> {
  const folder = join(project.root, link.path);
  if (existsSync(join(folder, '.git'))) return true;
  if (!existsSync(source)) return false;
  if (!(await hasObject(project.git, source, `${link.commit}^{commit}`))) return false;
  await refuseForged(project.git, source, `${link.commit}^{tree}`);
  const settings = ['protocol.file.allow=always'];
  const cloned = await project.git.ask(
    ['clone', '--quiet', '--local', '--no-checkout', '--', source, folder],
    { settings },
  );
  if (cloned.code !== 0) return false;
  const out = await project.git.ask(['checkout', '--quiet', '--detach', link.commit], { cwd: folder });
  if (out.code !== 0) return false;
  const inner = await linksOf(project.git, join(folder, '.git'), link.commit);
  await fillSubmodules({ ...project, commonDir: source, root: folder }, inner);
  return true;
}

async function namesByPath({ git, root }: Superproject): Promise<Map<string, string>> {
  const paths = String.raw`^submodule\..*\.path$`;
  const answer = await git.ask(['config', '-z', '-f', join(root, '.gitmodules'), '--get-regexp', paths]);
  const pairs = split(answer.stdout).map((line): [string, string] => {
    const [key = '', path = ''] = line.split('\n');
    return [path, key.slice('submodule.'.length, -'.path'.length)];
  });
  return new Map(pairs);
}
