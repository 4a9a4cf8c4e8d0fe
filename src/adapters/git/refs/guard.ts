// Records the user's refs, HEAD and git files before a session, to restore them, also after a crash.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, reading } from '#adapters/git/repo/git.ts';
import { OperatorError } from '#base/operator-error.ts';
import { graphState } from './commit-graph.ts';
import { type GuardedFile, readGuardedFiles } from './guarded-files.ts';
import type { Repository } from '#adapters/git/repo/repository.ts';

export interface Standing {
  /** Ref name to object, without `refs/untildone/`. */
  readonly refs: { readonly [ref: string]: string };
  /** HEAD of the user's checkout: `ref: refs/heads/x`, or a commit. */
  readonly head: string;
  readonly files: readonly GuardedFile[];
  /** State of the commit-graph files; absent in older guards. */
  readonly graph?: string;
}

export interface GuardGround {
  readonly git: Git;
  readonly commonDir: string;
  readonly repository: Repository;
  readonly runId: string;
  readonly branch: string;
  readonly guardDir: string;
  /** The run works in the user's own checkout. */
  readonly inPlace: boolean;
}

export async function readStanding(ground: GuardGround): Promise<Standing> {
  const { git, commonDir } = ground;
  const format = '%(refname)%00%(objectname)%00%(symref)';
  const listed = await git.tell(['for-each-ref', `--format=${format}`], { gitDir: commonDir, ...reading });
  const refs = listed
    .split('\n')
    .map((line) => line.split('\0'))
    // A symbolic ref (`refs/remotes/origin/HEAD`) follows what it points to.
    .filter(([name = '', , target]) => name !== '' && target === '' && !name.startsWith('refs/untildone/'))
    .map(([name = '', object = '']) => [name, object] as const);
  return {
    refs: Object.fromEntries(refs),
    head: await readHead(ground.repository),
    files: await readGuardedFiles(commonDir),
    graph: await graphState(commonDir),
  };
}

export async function writeGuard(ground: GuardGround, stepId: string): Promise<void> {
  const standing = await readStanding(ground);
  await mkdir(ground.guardDir, { recursive: true });
  const file = guardFile(ground.guardDir, stepId);
  await writeFile(`${file}.new`, JSON.stringify(standing), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Null when it was never written or is already restored. */
export async function readGuard(guardDir: string, stepId: string): Promise<Standing | null> {
  const text = await readFile(guardFile(guardDir, stepId), 'utf8').catch(() => null);
  return text === null ? null : parseStanding(text);
}

/** Only we write it, by rename, outside the workspace; a session without a sandbox can still reach it. */
function parseStanding(text: string): Standing {
  try {
    return JSON.parse(text) as Standing;
  } catch {
    throw new OperatorError(
      'state-damaged',
      'The record of your branches from before the session is damaged, so they cannot be restored from it.',
      'Check `git reflog` and your branches, then start a new run.',
    );
  }
}

export async function dropGuard(guardDir: string, stepId: string): Promise<void> {
  await rm(guardFile(guardDir, stepId), { force: true });
}

export async function readHead(repository: Repository): Promise<string> {
  return (await readFile(join(repository.gitDir, 'HEAD'), 'utf8').catch(() => '')).trim();
}

function guardFile(guardDir: string, stepId: string): string {
  return join(guardDir, `${encodeURIComponent(stepId)}.json`);
}
