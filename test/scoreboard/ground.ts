// A repository, a home and a state folder for one scenario, separate from those of the person who measures.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { toolFolders } from './cases/toolchains.ts';

export interface Ground {
  readonly folder: string;
  readonly repo: string;
  readonly stateHome: string;
  readonly env: { readonly [name: string]: string };
  git(...args: string[]): string;
  remove(): void;
}

/** Of the tools that checks need, wherever version managers keep them. */
export const programFolders = [
  dirname(process.execPath),
  ...toolFolders(),
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
];

export function makeGround(): Ground {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-scoreboard-')));
  const repo = join(folder, 'repo');
  for (const name of ['home', 'state', 'config/untildone', 'tmp', 'repo'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'home/.gitconfig'), '[user]\nname = Ada\nemail = ada@example.invalid\n');
  const env = {
    // The first folder is writable for every program of the user, as on many machines.
    PATH: [join(folder, 'home/bin'), ...programFolders].join(':'),
    HOME: join(folder, 'home'),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    TMPDIR: join(folder, 'tmp'),
    UNTILDONE_SANDBOX: 'none',
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    GOCACHE: process.env['GOCACHE'] ?? '',
    npm_config_update_notifier: 'false',
    PYTHONDONTWRITEBYTECODE: '1',
  };
  return {
    folder,
    repo,
    stateHome: env.XDG_STATE_HOME,
    env,
    git: (...args) =>
      execFileSync('git', args, {
        cwd: repo,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }).trim(),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  };
}

/** `prepare` is shell in the repository, before its files are committed. */
export function commitFiles(
  ground: Ground,
  files: { readonly [path: string]: string },
  prepare = '',
): string {
  ground.git('init', '-q', '-b', 'main');
  for (const [path, text] of Object.entries(files)) {
    const file = join(ground.repo, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  if (prepare !== '') execFileSync('/bin/sh', ['-ec', prepare], { cwd: ground.repo, env: ground.env });
  ground.git('add', '.');
  ground.git('commit', '-q', '-m', 'base');
  return ground.git('rev-parse', 'HEAD');
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
