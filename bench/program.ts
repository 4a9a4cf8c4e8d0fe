// Starts the built program as people do, in its own repository, with its own state folder.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '#kernel/events/events.ts';

export interface Repository {
  readonly root: string;
  readonly stateHome: string;
  readonly env: NodeJS.ProcessEnv;
  git(...args: string[]): string;
}

/** As `UNTILDONE_SANDBOX` takes it. Most benchmarks measure without a sandbox. */
export type SandboxMode = 'none' | 'bubblewrap';

export function makeRepository(folder: string, sandbox: SandboxMode = 'none'): Repository {
  const root = join(folder, 'repository');
  const stateHome = join(folder, 'state');
  mkdirSync(root);
  // Not a device: its time changes whenever a program writes to it, and then the settings are read again.
  const gitSettings = join(folder, 'gitconfig');
  writeFileSync(gitSettings, '');
  // A variable of the person who measures must not change the result.
  const own = Object.entries(process.env).filter(([name]) => !/^(WIGGUM|UNTILDONE|GIT)_/.test(name));
  const env = {
    ...Object.fromEntries(own),
    XDG_STATE_HOME: stateHome,
    UNTILDONE_SANDBOX: sandbox,
    XDG_CONFIG_HOME: join(folder, 'config'),
    GIT_CONFIG_GLOBAL: gitSettings,
    NO_COLOR: '1',
  };
  const git = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'bench');
  git('config', 'user.email', 'bench@localhost');
  writeFileSync(join(root, 'README.md'), 'nothing yet\n');
  git('add', '.');
  git('commit', '-q', '-m', 'start');
  return { root, stateHome, env, git };
}

export function writeAgents(repository: Repository, agents: { readonly [name: string]: object }): void {
  writeSettings(repository, { agents });
}

export function writeSettings({ env }: Repository, settings: object): void {
  const folder = join(env['XDG_CONFIG_HOME'] ?? '', 'untildone');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.jsonc'), JSON.stringify(settings));
}

/** One attempt that no check can pass: the run has one session and is then exhausted. */
export const oneAttempt = ['--check', 'false', '--max-loops', '1', '--no-setup'];

export function startProgram(program: string, repository: Repository, args: readonly string[]): ChildProcess {
  return startCommand([process.execPath, program, ...args], repository);
}

/** For a program inside of another one, such as `perf`. */
export function startCommand(
  [file = '', ...args]: readonly string[],
  { root, env }: Repository,
): ChildProcess {
  return spawn(file, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Its standard error, once it has ended. */
async function complaintsOf(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000);
  });
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  return said.trim();
}

/** Contract: throws unless the run ended with its budget used up. */
export function exhausted(child: ChildProcess): Promise<void> {
  return endedWith(child, 3);
}

/** Contract: throws unless the run was completed. */
export function completed(child: ChildProcess): Promise<void> {
  return endedWith(child, 0);
}

async function endedWith(child: ChildProcess, code: number): Promise<void> {
  const complaints = await complaintsOf(child);
  if (child.exitCode !== code) throw new Error(`the run ended with ${child.exitCode}: ${complaints}`);
}

/** The facts of the newest run, read from its journal. */
export function newestEvents({ stateHome }: Repository): Event[] {
  const home = join(stateHome, 'untildone');
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('journal.jsonl'),
  );
  const newest = files.toSorted((one, other) => changedAt(home, one) - changedAt(home, other)).at(-1);
  if (newest === undefined) throw new Error('the program left no journal');
  const lines = readFileSync(join(home, newest), 'utf8').trimEnd().split('\n');
  return lines.flatMap((line) => (JSON.parse(line.slice(9)) as { readonly events: Event[] }).events);
}

function changedAt(home: string, file: string): number {
  return statSync(join(home, file)).mtimeMs;
}
