// Runs git with our own environment: no hooks, no prompts, no programs named by a repository's configuration.
import { constants } from 'node:fs';
import { markVariable } from '#adapters/processes/proc-table.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import { OperatorError } from '#base/operator-error.ts';
import { endedCode, storageCode, storageLine } from './storage-trouble.ts';
import { limitMsOf } from './git-limits.ts';
import { settingsWithoutPipes } from './outside-files.ts';
import { createKnownSettings, type KnownSettings } from './known-settings.ts';
import { ownFilters } from './own-filters.ts';
import { cutShort, folderMissing, type GitCall as Call, isThere, runGit } from './run-git.ts';
import { isOnPath } from '#adapters/processes/program.ts';

export interface GitOptions {
  readonly cwd?: string;
  /** Uses this repository and these files, whatever a `.git` in the folder says. */
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  readonly input?: string;
  readonly env?: Environment;
  /** A longer answer ends git. */
  readonly bytesMax?: number;
  /** Settings for this call alone, `key=value`. */
  readonly settings?: readonly string[];
}

export interface GitAnswer {
  /** Null when it was killed or exceeded a limit: never a success. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Git {
  /** Contract: never rejects for an error of git; rejects with an OperatorError only if git cannot start or was ended before. */
  ask(args: readonly string[], options?: GitOptions): Promise<GitAnswer>;
  /** Standard output of a call that must succeed, without its last newline. */
  tell(args: readonly string[], options?: GitOptions): Promise<string>;
  /** Contract: one git process for all calls about a repository, until `forgetSettings`. */
  settings(options?: GitOptions): Promise<KnownSettings>;
  /** Settings are read again for the next call: those that were read may be a session's. */
  forgetSettings(): void;
  readonly hasLfs: boolean;
}

export type Environment = { readonly [name: string]: string | undefined };

/** Git processes of a run carry `mark` (`<runId>/…`), by which they are found and ended. */
export function markedEnvironment(env: Environment, mark: string): Environment {
  return { ...env, [markVariable]: mark };
}

// Configuration written by a session must neither run a program nor hide a change.
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  // Git trusts this cache for the tree and parents of each commit.
  'core.commitGraph=false',
  'core.sparseCheckout=false',
  'core.trustctime=true',
  'core.checkStat=default',
  'core.quotePath=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'advice.detachedHead=false',
  'advice.addEmbeddedRepo=false',
];
const withoutLfs = ['clean=', 'smudge=', 'process=', 'required=false'].map((rest) => `filter.lfs.${rest}`);

// Variables by which a surrounding git (a hook, an alias) would redirect us to another repository.
const outsideVariables =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|CONFIG|CONFIG_PARAMETERS|IMPLICIT_WORK_TREE|GRAFT_FILE|REPLACE_REF_BASE|SHALLOW_FILE|QUARANTINE_PATH|EXEC_PATH|LITERAL_PATHSPECS|GLOB_PATHSPECS|NOGLOB_PATHSPECS|ICASE_PATHSPECS|TRACE.*|EXTERNAL_DIFF|DIFF_OPTS)$/;

export function createGit(cwd: string, env: Environment): Git {
  const base = gitEnvironment(env);
  const hasLfs = isOnPath('git-lfs', env);
  const always = [...settings, ...(hasLfs ? [] : withoutLfs)];

  let settingsOf = createKnownSettings();
  const forgetSettings = (): void => {
    settingsOf = createKnownSettings();
  };

  const callOf = (args: readonly string[], options: GitOptions): Call => {
    const place = {
      ...(options.gitDir === undefined ? {} : { GIT_DIR: options.gitDir }),
      ...(options.workTree === undefined ? {} : { GIT_WORK_TREE: options.workTree }),
      ...(options.indexFile === undefined ? {} : { GIT_INDEX_FILE: options.indexFile }),
    };
    const env: Environment = { ...base, ...options.env, ...place };
    const bytesMax = options.bytesMax === undefined ? {} : { bytesMax: options.bytesMax };
    const { input = '' } = options;
    return { cwd: options.cwd ?? cwd, env, input, limitMs: limitMsOf(args), ...bytesMax };
  };

  const ask = async (args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> => {
    const call = callOf(args, options);
    const own = [...always, ...(await known(args, options, call)), ...(options.settings ?? [])];
    const set = own.flatMap((setting) => ['-c', setting]);
    const { code, stdout, stderr } = await runGit([...set, ...args], call);
    return { code, stdout: stdout.toString('utf8'), stderr };
  };

  /** Read once: changes by a session are reverted. */
  const known = async (args: readonly string[], options: GitOptions, call: Call): Promise<string[]> => {
    const { gitDir = cwd, workTree = null } = options;
    const isOfRun = call.env[markVariable] !== undefined;
    const isFiltering = startsFilters(args, options);
    if (!isOfRun && !isFiltering) return [];
    const { files, filters } = await settingsOf(gitDir, settingsCall(call));
    const shown = isOfRun ? settingsWithoutPipes(files, call) : [];
    return isFiltering ? [...shown, ...ownFilters(filters, { gitDir, workTree })] : shown;
  };

  const readSettings = (options: GitOptions = {}): Promise<KnownSettings> =>
    settingsOf(options.gitDir ?? cwd, settingsCall(callOf(['config'], options)));

  const tell = async (args: readonly string[], options: GitOptions = {}): Promise<string> => {
    const answer = await ask(args, options);
    if (answer.code !== 0) throw gitFailed(args, answer);
    return answer.stdout.endsWith('\n') ? answer.stdout.slice(0, -1) : answer.stdout;
  };

  return { ask, tell, settings: readSettings, forgetSettings, hasLfs };
}

/** Without what belongs to the call for which the settings are read. */
function settingsCall({ cwd, env, limitMs }: Call): Call {
  return { cwd, env, input: '', limitMs };
}

function startsFilters([command]: readonly string[], { workTree }: GitOptions): boolean {
  return workTree !== undefined || command === 'worktree';
}

/** Reads take no lock, so that they cannot disturb the user's own git. */
export const reading: GitOptions = { env: { GIT_OPTIONAL_LOCKS: '0' } };

export function gitFailed(args: readonly string[], answer: GitAnswer): OperatorError {
  const gone = /^fatal: not a git repository: '(.*)'$/m.exec(answer.stderr)?.[1];
  if (gone !== undefined && !isThere(gone, constants.F_OK)) return folderMissing(gone);
  const name = `git ${args[0] ?? ''}`;
  const short = answer.code === null ? cutShort(answer.stderr) : null;
  if (short !== null) return new OperatorError(endedCode, `${name} ${short.how}.`, short.hint);
  const storage = storageLine(answer.stderr);
  if (storage !== null)
    return new OperatorError(
      storageCode,
      `${name} failed: ${withoutFullStop(storage)}.`,
      'Free some space on that disk or make it writable, then start again.',
    );
  const reason = reasonIn(answer.stderr) || `exit ${String(answer.code)}`;
  return new OperatorError(
    'git-failed',
    `${name} failed: ${withoutFullStop(reason)}.`,
    'Check that the disk is not full and that the repository is whole (`git fsck`), then start again.',
  );
}

/** Null-separated output as a list. */
export function split(text: string): string[] {
  return text.split('\0').filter((part) => part !== '');
}

function reasonIn(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  const telling = lines.filter((line) => /^(fatal|error):/.test(line));
  return (telling.at(-1) ?? lines.at(-1) ?? '').slice(0, 300);
}

function gitEnvironment(env: Environment): Environment {
  const kept = Object.entries(env).filter(([name]) => !outsideVariables.test(name));
  return {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    // `git replace` would let a session swap one object for another.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_FLUSH: '0',
    LC_ALL: 'C',
  };
}
