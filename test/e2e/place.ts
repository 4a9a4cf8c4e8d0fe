// A place of its own for a scenario: a real repository, a home, state and settings for this test alone.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { fromTemplate } from '#test/git/sample-repository.ts';
import type { Finished, Running, StartOptions } from './package.ts';
import { pathWithNode, start } from './package.ts';
import { livingWith, send } from './processes.ts';
import type { Living } from './processes.ts';
import { sandboxHere } from './sandboxed.ts';

export interface Place {
  readonly folder: string;
  readonly repo: string;
  readonly env: { readonly [name: string]: string };
  readonly stateHome: string;
  /** Writes a file below the folder of the place and returns its path. */
  write(path: string, text: string): string;
  read(path: string): string;
  makeExecutable(path: string): void;
  git(...args: string[]): string;
  untildone(args: readonly string[], options?: Partial<StartOptions>): Promise<Finished>;
  start(args: readonly string[], options?: Partial<StartOptions>): Running;
  /** Everything alive that the program started here, itself included. */
  living(): Living[];
}

export interface PlaceOptions {
  /** Files of the first commit. */
  readonly files?: { readonly [path: string]: string };
  readonly repoName?: string;
  /** False for a folder that is no repository. */
  readonly isRepository?: boolean;
  /** As most people have it: agents and checks in the sandbox, where this machine has one. */
  readonly isSandboxed?: boolean;
}

const places: Place[] = [];

/** Nothing of a scenario outlives its file of tests; what would have is a failure of it. */
afterAll(() => {
  const left = places.splice(0).flatMap((place) => {
    const living = place.living();
    for (const { pid } of living) send(pid, 'SIGKILL');
    rmSync(place.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    return living;
  });
  if (left.length > 0) throw new Error(`left alive: ${JSON.stringify(left)}`);
});

export function makePlace({
  files,
  repoName = 'repo',
  isRepository = true,
  isSandboxed = false,
}: PlaceOptions = {}): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-e2e-')));
  const repo = join(folder, repoName);
  const env = { ...environment(folder), ...(isSandboxed ? { UNTILDONE_SANDBOX: sandboxHere() } : {}) };
  for (const name of ['home', 'state', 'config', 'tmp', repoName])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'home/.gitconfig'), '[user]\nname = Ada\nemail = ada@example.invalid\n');
  const place = createPlace(folder, repo, env);
  places.push(place);
  if (isRepository) makeRepository(place, files ?? { 'README.md': 'A sample.\n' });
  return place;
}

function createPlace(folder: string, repo: string, env: Place['env']): Place {
  const options = (given: Partial<StartOptions> = {}): StartOptions => ({
    cwd: repo,
    outputDir: join(folder, 'output'),
    ...given,
    env: { ...env, ...given.env },
  });
  return {
    folder,
    repo,
    env,
    stateHome: join(folder, 'state'),
    write: (path, text) => {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    makeExecutable: (path) => chmodSync(join(folder, path), 0o755),
    git: (...args) => execFileSync('git', args, { cwd: repo, env, encoding: 'utf8' }).trim(),
    untildone: (args, given) => start(args, options(given)).ended,
    start: (args, given) => start(args, options(given)),
    living: () => livingWith(`XDG_STATE_HOME=${env['XDG_STATE_HOME'] ?? ''}\0`),
  };
}

/** Hermetic: nothing of the person or the machine that runs the tests. */
function environment(folder: string): Place['env'] {
  return {
    PATH: pathWithNode(),
    HOME: join(folder, 'home'),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    TMPDIR: join(folder, 'tmp'),
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    // Its default is below TMPDIR, which is empty here: every first start would compile everything.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    WIGGUM_COOLDOWN_SECONDS: '0',
    // A check that turned green is repeated for seconds; tests about luck set this.
    UNTILDONE_CHECK_RUNS: '1',
    // Scenarios reach for files and servers beside the repository; those about the sandbox say so.
    UNTILDONE_SANDBOX: process.env['UNTILDONE_SANDBOX'] ?? 'none',
  };
}

function makeRepository({ repo, env }: Place, files: { readonly [path: string]: string }): void {
  fromTemplate(JSON.stringify(files), repo, (folder) => {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' });
    git('init', '-q', '-b', 'main');
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    if (Object.keys(files).length === 0) return;
    git('add', '.');
    git('commit', '-q', '-m', 'base');
  });
}

/** Folders of this place's runs, oldest first: the authority, not a view of it. */
export function runFolders(place: Place): string[] {
  const authority = join(place.stateHome, 'untildone');
  return (
    entries(authority)
      .flatMap((repoId) => entries(join(authority, repoId)).map((runId) => join(authority, repoId, runId)))
      // One that is being made has another name a moment later.
      .filter((folder) => !basename(folder).startsWith('.') && entries(folder).includes('journal.jsonl'))
      // Names tell the minute; two runs may be of the same one.
      .map((folder) => ({ folder, born: statSync(folder).birthtimeMs }))
      .toSorted((a, b) => a.born - b.born || (a.folder < b.folder ? -1 : 1))
      .map(({ folder }) => folder)
  );
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
