// Real sources to map, from Debian's packages, unpacked in a temporary folder; none of them is kept.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Repository } from './program.ts';
import { makeRepository } from './program.ts';

interface Package {
  readonly name: string;
  readonly packages: readonly string[];
  /** Below the folder into which they were unpacked. */
  readonly sources: string;
}

const packages: readonly Package[] = [
  {
    name: "Python's library",
    packages: ['libpython3.11-minimal', 'libpython3.11-stdlib'],
    sources: 'usr/lib/python3.11',
  },
  { name: 'golang-src', packages: ['golang-1.19-src'], sources: 'usr/share/go-1.19/src' },
  { name: 'rust-src (library)', packages: ['rust-src'], sources: 'usr/src' },
  {
    name: 'openjdk-source (java.base)',
    packages: ['openjdk-17-source'],
    sources: 'usr/lib/jvm/openjdk-17/lib',
  },
];

const smallest: Package = {
  name: "Python's smallest library",
  packages: ['libpython3.11-minimal'],
  sources: 'usr/lib/python3.11',
};

export const notFetched = 'the package could not be fetched';

interface Tree {
  readonly name: string;
  /** Null if the package is not available here; that is also printed. */
  readonly tree: Repository | null;
}

/** At scale 0 a part of this repository and the smallest package. */
export function treesIn(place: string, scale: number): Tree[] {
  const isTiny = scale === 0;
  return [
    { name: isTiny ? 'the kernel' : 'this repository', tree: ownTree(place, isTiny ? 'src/kernel' : '') },
    ...(isTiny ? [smallest] : packages).map((one) => ({ name: one.name, tree: fetchTree(place, one) })),
  ];
}

function ownTree(place: string, part: string): Repository {
  const home = join(place, 'own');
  mkdirSync(home);
  const tracked = join(home, 'tracked');
  run('git', ['clone', '-q', '--depth', '1', `file://${resolve(import.meta.dirname, '..')}`, tracked], home);
  rmSync(join(tracked, '.git'), { recursive: true });
  return repositoryOf(home, join(tracked, part));
}

function fetchTree(place: string, { name, packages: names, sources }: Package): Repository | null {
  const home = join(place, name.replaceAll(/\W+/g, '-'));
  mkdirSync(home);
  for (const one of names) run('apt-get', ['download', one], home);
  for (const deb of readdirSync(home).filter((file) => file.endsWith('.deb')))
    run('dpkg', ['-x', deb, 'unpacked'], home);
  const from = sourcesIn(join(home, 'unpacked', sources));
  if (from !== null) return repositoryOf(home, from);
  console.error(`NOT MEASURED: ${names.join(', ')} could not be fetched by apt-get and unpacked by dpkg.`);
  return null;
}

function sourcesIn(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const zip = join(folder, 'src.zip');
  if (existsSync(zip)) {
    run('python3', ['-m', 'zipfile', '-e', zip, folder], folder);
    return join(folder, 'java.base');
  }
  const [rustc] = readdirSync(folder).filter((name) => name.startsWith('rustc-'));
  return rustc === undefined ? folder : join(folder, rustc, 'library');
}

/** Committed, as in a user's repository. */
function repositoryOf(home: string, sources: string): Repository {
  const repository = makeRepository(home);
  cpSync(sources, repository.root, { recursive: true, verbatimSymlinks: true });
  repository.git('add', '-A');
  repository.git('commit', '-q', '-m', 'sources');
  return repository;
}

function run(program: string, args: readonly string[], cwd: string): void {
  spawnSync(program, args, { cwd, stdio: 'ignore' });
}
