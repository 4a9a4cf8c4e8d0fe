// Reads the settings of a repository that our own calls depend on: one git process, once.
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';
import { cutShort, type GitCall, runGit } from './run-git.ts';
import { endedCode } from './storage-trouble.ts';

export type Setting = readonly [name: string, value: string];

export interface KnownSettings {
  /** `filter.<name>.<clean, smudge or process>`. */
  readonly filters: readonly Setting[];
  /** `core.excludesfile` and `core.attributesfile`, as paths. */
  readonly files: readonly Setting[];
  /** Whether commits must be signed; null when only git can tell. */
  readonly isSigning: boolean | null;
  /** The user is named as author and committer. False when only git can tell. */
  readonly hasIdentity: boolean;
}

interface Read extends KnownSettings {
  /** False when git rejects the settings: a session may have damaged them, and they will be restored. */
  readonly isWhole: boolean;
  /** Another git folder of the same repository may have other settings. */
  readonly isConditional: boolean;
}

const filterNames = String.raw`filter\..*\.(clean|smudge|process)`;
const fileNames = String.raw`core\.(excludesfile|attributesfile)`;
const people = String.raw`(user|author|committer)\.(name|email)`;
const signing = String.raw`commit\.gpgsign`;
const conditions = String.raw`includeif\..*|extensions\.worktreeconfig`;

/**
 * Contract: a repository is read once, so that changes by a session have no effect here. Rejects if git was ended
 * while it read: without the settings, git could start a program of an agent.
 */
export function createKnownSettings(): (gitDir: string, call: GitCall) => Promise<KnownSettings> {
  const known = new Map<string, Promise<Read>>();
  const once = async (key: string, call: GitCall): Promise<Read> => {
    const reading = known.get(key) ?? read(call);
    known.set(key, reading);
    const isWhole = await reading.then(
      (found) => found.isWhole,
      () => false,
    );
    if (!isWhole) known.delete(key);
    return reading;
  };
  return async (gitDir, call) => {
    const shared = await once(commonOf(gitDir), call);
    return shared.isConditional ? once(`of ${gitDir}`, call) : shared;
  };
}

/** The git folder of the repository that a linked worktree belongs to. */
export function commonOf(gitDir: string): string {
  return basename(dirname(gitDir)) === 'worktrees' ? dirname(dirname(gitDir)) : gitDir;
}

async function read(call: GitCall): Promise<Read> {
  const { settings, isWhole } = await list(
    ['--get-regexp', `^(${[filterNames, fileNames, people, signing, conditions].join('|')})$`],
    call,
  );
  const matching = (names: string): Setting[] =>
    settings.filter(([name]) => new RegExp(`^(${names})$`, 's').test(name));
  return {
    filters: matching(filterNames),
    files: await asPaths(matching(fileNames), call),
    isSigning: isWhole ? signingOf(matching(signing)) : null,
    hasIdentity: isWhole && namesUser(matching(people), call),
    isConditional: matching(conditions).length > 0,
    isWhole,
  };
}

/** Git knows more words for yes and no. */
function signingOf(settings: readonly Setting[]): boolean | null {
  const [, value = 'false'] = settings.at(-1) ?? [];
  return value === 'true' ? true : value === 'false' ? false : null;
}

/** Other names, and variables, come before the user's. Git refuses a name without a letter or digit. */
function namesUser(settings: readonly Setting[], { env }: GitCall): boolean {
  const isUsual = settings.every(([name]) => name.startsWith('user.'));
  const hasVariables = Object.keys(env).some((name) => /^GIT_(AUTHOR|COMMITTER)_/.test(name));
  const isNamed = (key: string): boolean =>
    /[A-Za-z0-9]/.test(settings.findLast(([name]) => name === key)?.[1] ?? '');
  return isUsual && !hasVariables && isNamed('user.name') && isNamed('user.email');
}

/** Git expands other beginnings: `~user`, `%(prefix)`, `:(optional)`. */
async function asPaths(files: readonly Setting[], call: GitCall): Promise<readonly Setting[]> {
  if (files.some(([, value]) => !/^(\/|~\/)/.test(value)))
    return (await list(['--type=path', '--get-regexp', `^${fileNames}$`], call)).settings;
  const home = call.env['HOME'] ?? homedir();
  return files.map(([name, value]) => [name, value.startsWith('~/') ? join(home, value.slice(2)) : value]);
}

interface Listed {
  readonly settings: readonly Setting[];
  readonly isWhole: boolean;
}

/** Git exits with 1 when no setting matches. */
async function list(args: readonly string[], call: GitCall): Promise<Listed> {
  const { code, stdout, stderr } = await runGit(['config', '-z', ...args], call);
  if (code === null) throw notRead(stderr);
  const entries = stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '');
  const settings = entries.map((entry): Setting => {
    const [name = '', value = ''] = entry.split(/\n(.*)/s);
    return [name, value];
  });
  return { settings, isWhole: code <= 1 };
}

function notRead(stderr: string): OperatorError {
  const short = cutShort(stderr);
  return new OperatorError(
    endedCode,
    `git config ${short?.how ?? 'was ended'}.`,
    short?.hint ?? 'Start again.',
  );
}
