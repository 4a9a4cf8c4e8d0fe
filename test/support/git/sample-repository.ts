// Real repositories in temporary folders, for the tests of this folder.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Processes } from '#ports/processes.ts';
import type { Redactor } from '#ports/redactor.ts';
import { agentGitEnv } from '#adapters/git/repo/identity.ts';
import { findRepository, type Repository } from '#adapters/git/repo/repository.ts';
import { createGitWorkspace, type GitWorkspaceOptions } from '#adapters/git/workspace.ts';
import type { Workspace } from '#ports/workspace.ts';

export interface Sample {
  /** Holds everything; removed by `remove`. */
  readonly home: string;
  readonly root: string;
  readonly env: { readonly [name: string]: string };
  write(path: string, text: string, mode?: number): void;
  git(...args: string[]): string;
  gitIn(cwd: string, ...args: string[]): string;
  commit(message: string): string;
  remove(): void;
}

export function makeSample(name = 'repo', initArgs: readonly string[] = []): Sample {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-git-')));
  const root = join(home, name);
  mkdirSync(root, { recursive: true });
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\n\tname = User\n\temail = user@example.com\n[init]\n\tdefaultBranch = main\n',
  );
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', TZ: 'UTC' };
  const gitIn = (cwd: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  const git = (...args: string[]): string => gitIn(root, ...args);
  fromTemplate(`init ${initArgs.join(' ')}`, root, (folder) => void gitIn(folder, 'init', '-q', ...initArgs));
  return {
    home,
    root,
    env,
    gitIn,
    git,
    write(path, text, mode) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text, mode === undefined ? {} : { mode });
    },
    commit(message) {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD');
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

const templates = new Map<string, string>();

/** Fills `target` with a copy of what `make` made the first time: copying takes a fraction of what git takes. */
export function fromTemplate(key: string, target: string, make: (folder: string) => void): void {
  let template = templates.get(key);
  if (template === undefined) {
    template = mkdtempSync(join(tmpdir(), 'untildone-template-'));
    make(template);
    templates.set(key, template);
  }
  cpSync(template, target, { recursive: true });
}

afterAll(() => {
  for (const template of templates.values()) rmSync(template, { recursive: true, force: true });
  templates.clear();
});

export interface Opened {
  readonly workspace: Workspace;
  readonly repository: Repository;
  readonly options: GitWorkspaceOptions;
  readonly notes: string[];
}

/** As an agent of the run would call git, in the run's own checkout. */
export function gitAsAgent(sample: Sample, { workspace }: Opened, args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: workspace.root,
    env: { ...sample.env, ...agentGitEnv('run1') },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

export interface Wishes {
  readonly cwd?: string;
  readonly runId?: string;
  readonly inPlace?: boolean;
  /** A command; null finds it from the committed files. */
  readonly setup?: string | null;
  readonly copy?: readonly string[];
  readonly processes?: Processes;
  /** As without a sandbox: what steers checks from the home is watched. */
  readonly isUnsandboxed?: boolean;
  readonly path?: string;
}

export async function openSample(sample: Sample, wishes: Wishes = {}): Promise<Opened> {
  const repository = await findRepository(wishes.cwd ?? sample.root, sample.env);
  const runId = wishes.runId ?? 'run1';
  const state = join(sample.home, 'state', runId);
  const notes: string[] = [];
  const options: GitWorkspaceOptions = {
    repository,
    runId,
    worktreeDir: join(state, 'worktree'),
    indexFile: join(state, 'index'),
    cacheDir: join(sample.home, 'cache'),
    cacheSealKey: Buffer.alloc(32, 1),
    config: configFor(repository, wishes),
    setupReport: {
      logFile: join(state, 'logs', 'setup.log'),
      redactor: noSecrets,
      hint: 'Give another setup command.',
    },
    lockFolders: [join(state, 'setup')],
    processes: wishes.processes ?? noProcesses,
    env: sample.env,
    setupEnv: {
      ...sample.env,
      SETUP_ONLY: 'yes',
      UNTILDONE_KEY: 'x',
      ...(wishes.path === undefined ? {} : { PATH: wishes.path }),
    },
    ...(wishes.isUnsandboxed === true ? { home: sample.home } : {}),
    protectedBranches: ['main', 'master'],
    onNote: (text) => void notes.push(text),
  };
  return { workspace: createGitWorkspace(options), repository, options, notes };
}

const noSecrets: Redactor = {
  redact: (text) => text,
  stream: () => ({ push: (text) => text, end: () => '' }),
};

const noProcesses: Processes = {
  start: () => {
    throw new Error('this workspace has no setup command');
  },
  sweep: () => Promise.resolve([]),
  isRoot: false,
  confinement: { kind: 'process-group', promise: 'none' },
};

function configFor(repository: Repository, wishes: Wishes): RunConfig {
  const { commit } = repository.head;
  const repo = {
    repoId: 'id',
    baseCommit: commit,
    branch: '',
    inPlace: wishes.inPlace ?? false,
    prefix: repository.prefix,
  };
  const setup = {
    command: wishes.setup ?? null,
    isDetected: wishes.setup === null,
    copy: wishes.copy ?? [],
  };
  // A workspace reads these two alone.
  return { repo, setup } as unknown as RunConfig;
}
