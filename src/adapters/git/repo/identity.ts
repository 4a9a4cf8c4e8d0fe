// Checks before a run whether the user can commit, and defines the git identities of agents and of ourselves.
import { OperatorError } from '#base/operator-error.ts';
import { type Environment, type Git, type GitOptions, reading } from './git.ts';

/** The committer of agents, to distinguish their ref changes from the user's. */
export function agentGitEnv(runId: string): { readonly [name: string]: string } {
  const { name, email } = agentIdentity(runId);
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

export function agentIdentity(runId: string): { readonly name: string; readonly email: string } {
  return { name: 'untildone agent', email: `${runId}@agent.untildone.invalid` };
}

/** Contract: makes nothing reachable; rejects with an OperatorError if a commit cannot be made or signed. */
export async function checkIdentity(git: Git, place: GitOptions, tree: string): Promise<void> {
  const { hasIdentity } = await git.settings(place);
  if (!hasIdentity) await askIdentity(git, place);
  if (!(await isSigning(git, place))) return;
  const signed = await git.ask(['commit-tree', '-S', tree, '-m', 'untildone: can this be signed?'], place);
  if (signed.code === 0) return;
  throw new OperatorError(
    'signing-failed',
    `Commits must be signed here (commit.gpgSign) and signing failed: ${firstLine(signed.stderr)}`,
    'Unlock your key so that `git commit -S` works without a prompt, or run `git config commit.gpgSign false` here.',
  );
}

async function askIdentity(git: Git, place: GitOptions): Promise<void> {
  const strict = { ...place, ...reading, settings: ['user.useConfigOnly=true'] };
  for (const who of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    const answer = await git.ask(['var', who], strict);
    if (answer.code === 0) continue;
    throw new OperatorError(
      'identity-missing',
      'git does not know who you are, so a commit would fail.',
      'Run `git config --global user.name "Your Name"` and `git config --global user.email you@example.com`.',
    );
  }
}

export async function isSigning(git: Git, place: GitOptions): Promise<boolean> {
  const known = (await git.settings(place)).isSigning;
  if (known !== null) return known;
  const answer = await git.ask(['config', '--type=bool', '--get', 'commit.gpgSign'], place);
  return answer.code === 0 && answer.stdout.trim() === 'true';
}

/** For internal commits: equal trees give equal commits, and no user identity is needed. */
export const ownIdentity: Environment = {
  GIT_AUTHOR_NAME: 'untildone',
  GIT_AUTHOR_EMAIL: 'run@untildone.invalid',
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'untildone',
  GIT_COMMITTER_EMAIL: 'run@untildone.invalid',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
};

function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? 'no reason given').slice(0, 200);
}
