// Builds the test environment for a sandbox, for `doctor` and the contract test: a home with secrets, a
// repository with a worktree and a remote, state, servers, and a process of ours.
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createProcesses } from '#adapters/processes/create-processes.ts';
import type { ProcessEnding } from '#kernel/model/ending.ts';
import type { Sandbox, SandboxRules } from '#ports/sandbox.ts';

export interface Attempt {
  readonly ending: ProcessEnding;
  readonly output: string;
}

type Variables = { readonly [name: string]: string };

export interface TrialGround {
  readonly folder: string;
  readonly home: string;
  readonly repo: string;
  readonly worktree: string;
  readonly rules: SandboxRules;
  /** A listed server and an unlisted one; both answer `planted`. */
  readonly allowedPort: number;
  readonly otherPort: number;
  /** A process of ours that programs inside must not reach; its environment contains `planted`. */
  readonly pid: number;
  isAlive(): boolean;
  read(path: string): string | null;
  git(...args: string[]): string;
  /** Runs a shell script in the worktree, with these additional variables. */
  attempt(sandbox: Sandbox, script: string, env?: Variables): Promise<Attempt>;
  dispose(): Promise<void>;
}

export async function makeTrialGround(ownProgram: readonly string[]): Promise<TrialGround> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'untildone-trial-')));
  const at = (path: string): string => join(folder, path);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  write('home/.ssh/id', 'planted');
  write('home/.aws/credentials', 'planted');
  write('home/.client/login.json', 'old');
  write('home/.client/settings.json', 'old');
  write('home/.client.json', 'old');
  write('home/.client/sessions/of-another', 'planted');
  write('home/dotfiles/steering.md', 'old');
  symlinkSync(at('home/dotfiles/steering.md'), at('home/.client/steering.md'));
  mkdirSync(at('state/own'), { recursive: true });
  write('repos/other/.env', 'planted');
  write('state/journal.jsonl', 'planted');
  write('state/inbox/README', 'planted');
  write('repos/app/a.txt', 'one\n');
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', at('repos/app'), ...identity, ...args], { encoding: 'utf8' }).trimEnd();
  makeRepository(git, at('remote.git'), at('state/worktrees/checkout'));
  write('repos/app/.git/hooks/post-commit', '#!/bin/sh\n');
  write('home/.ssh/settings', '[http]\n\textraheader = planted\n');
  plantInRepository(git, write, at('home/.ssh/settings'));
  const [allowed, other] = [await serve(), await serve()];
  const child = spawn('sleep', ['600'], { stdio: 'ignore', env: { ...process.env, SECRET: 'planted' } });
  const rules: SandboxRules = {
    workspaces: [at('state/worktrees')],
    commonDir: at('repos/app/.git'),
    home: at('home'),
    hidden: [folder],
    readable: [...ownProgram, at('home/.client/settings.json'), at('home/.client/steering.md')],
    writable: [at('home/.client')],
    copied: [at('home/.client.json')],
    own: [{ path: at('home/.client/sessions'), from: at('state/own') }],
    hosts: [`127.0.0.1:${allowed.port}`],
  };
  return {
    folder,
    home: at('home'),
    repo: at('repos/app'),
    worktree: at('state/worktrees/checkout'),
    rules,
    allowedPort: allowed.port,
    otherPort: other.port,
    pid: child.pid ?? 0,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    read: (path) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : null),
    git,
    attempt: (sandbox, script, env = {}) => attempt(sandbox, { script, env }, at),
    dispose: async () => {
      child.kill('SIGKILL');
      for (const { server } of [allowed, other]) server.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

const identity = '-c user.name=Ada -c user.email=ada@example.invalid -c commit.gpgsign=false'.split(' ');

function makeRepository(git: TrialGround['git'], remote: string, worktree: string): void {
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  git('init', '-q', '--bare', remote);
  git('remote', 'add', 'origin', remote);
  git('push', '-q', 'origin', 'main');
  git('worktree', 'add', '-q', '-b', 'work', worktree);
}

/** The places of a git folder known to contain passwords: settings above all, and recorded addresses. */
function plantInRepository(
  git: TrialGround['git'],
  write: (path: string, text: string) => void,
  outside: string,
): void {
  const host = 'git.example.invalid';
  const planted = {
    'remote.forge.url': `https://ada:planted@${host}/app.git`,
    'remote.forge.pushurl': `https://planted@${host}/app.git?token=planted`,
    'remote.forge.fetch': '+refs/heads/*:refs/remotes/forge/*',
    [`http.https://${host}/.extraheader`]: 'Authorization: Basic planted',
    'credential.helper': '!echo password=planted',
    [`url.https://planted@${host}/.insteadOf`]: `https://${host}/`,
    'submodule.lib.url': `https://planted:x@${host}/lib.git`,
    'include.path': outside,
    'sendemail.smtppass': 'planted',
    'core.sshCommand': 'ssh -o ProxyCommand=planted',
    'alias.publish': '!curl -H planted',
  };
  for (const [name, value] of Object.entries(planted)) git('config', name, value);
  const settings = `[remote "origin"]\n\turl = https://ada:planted@${host}/lib.git\n`;
  write('repos/app/.git/worktrees/checkout/config.worktree', `[http]\n\textraheader = planted\n`);
  write('repos/app/.git/modules/lib/HEAD', 'ref: refs/heads/main\n');
  write('repos/app/.git/modules/lib/config', settings);
  const noted = ['FETCH_HEAD', 'logs/refs/heads/other', 'modules/lib/FETCH_HEAD', 'modules/lib/logs/HEAD'];
  for (const name of [...noted, 'lfs/logs/crash.log', 'hooks/pre-push', 'git-crypt/keys/default', 'note'])
    write(`repos/app/.git/${name}`, `branch 'main' of https://ada:planted@${host}/app\n`);
}

/** Answers every connection by HTTP with `planted`. */
function serve(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\nplanted\n'),
    );
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({ server, port: typeof address === 'object' && address !== null ? address.port : 0 });
    });
  });
}

async function attempt(
  sandbox: Sandbox,
  { script, env }: { readonly script: string; readonly env: Variables },
  at: (path: string) => string,
): Promise<Attempt> {
  let output = '';
  const running = createProcesses({ confine: 'auto', sandbox }).start({
    command: ['/bin/sh', '-c', script],
    cwd: at('state/worktrees/checkout'),
    env: {
      PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
      HOME: at('home'),
      ...Object.fromEntries(
        ['AUTHOR', 'COMMITTER'].flatMap((who) => [
          [`GIT_${who}_NAME`, 'Agent'],
          [`GIT_${who}_EMAIL`, 'agent@example.invalid'],
        ]),
      ),
      ...env,
    },
    mark: `sandbox-trial/${process.pid}`,
    wallMs: 60_000,
    idleMs: null,
    graceMs: 500,
    input: null,
    onOutput: (chunk) => {
      output += chunk.toString('utf8');
    },
  });
  return { ending: await running.ended, output };
}
