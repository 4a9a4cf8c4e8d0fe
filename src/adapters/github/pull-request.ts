// Pushes a branch and opens a pull request with `gh`. Asking for a pull request includes the push.
import type { Git } from '#adapters/git/repo/git.ts';
import { OperatorError } from '#base/operator-error.ts';
import { firstLine, gh } from './gh.ts';

export interface PullRequestOrder {
  readonly git: Git;
  readonly root: string;
  readonly commonDir: string;
  readonly env: { readonly [name: string]: string };
  readonly remote: string | null;
  /** The commit that is pushed as `branch`. */
  readonly commit: string;
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
}

export interface PullRequest {
  readonly url: string;
  readonly remote: string;
  /** False when this branch already had one. */
  readonly isNew: boolean;
}

export async function openPullRequest(order: PullRequestOrder): Promise<PullRequest> {
  const version = await gh(order, ['--version']);
  if (version?.code !== 0) throw noGh();
  const remote = await remoteOf(order);
  await push(order, remote);
  const named = ['--base', order.base, '--head', order.branch, '--title', order.title];
  const args = ['pr', 'create', ...named, '--body-file', '-', ...(order.isDraft ? ['--draft'] : [])];
  const made = await gh(order, args, { input: order.body });
  if (made === null) throw noGh();
  const url = /https?:\/\/\S+\/pull\/\d+/.exec(made.code === 0 ? made.stdout : made.stderr)?.[0];
  if (made.code === 0 && url !== undefined) return { url, remote, isNew: true };
  if (url !== undefined && /already exists/.test(made.stderr)) return { url, remote, isNew: false };
  throw new OperatorError(
    'pull-request-failed',
    `gh could not open the pull request: ${firstLine(made.stderr) || firstLine(made.stdout) || 'it gave no reason'}`,
    `The branch ${order.branch} is pushed to ${remote}; \`gh auth status\` says whether you are logged in.`,
  );
}

/** The remote of the target branch, else origin, else the only one. */
async function remoteOf({ git, commonDir, remote, base }: PullRequestOrder): Promise<string> {
  const gitDir = commonDir;
  const known = (await git.tell(['remote'], { gitDir })).split('\n').filter((name) => name !== '');
  const tracked = await git.ask(['config', '--get', `branch.${base}.remote`], { gitDir });
  const wishes = [remote, tracked.code === 0 ? tracked.stdout.trim() : null, 'origin'];
  if (remote === null && known.length === 1 && known[0] !== undefined) return known[0];
  const found = wishes.find((name) => name !== null && known.includes(name));
  if (found !== undefined && found !== null && (remote === null || found === remote)) return found;
  throw new OperatorError(
    'no-remote',
    remote === null ? 'There is no remote to push to.' : `There is no remote "${remote}".`,
    known.length === 0
      ? 'Add one: git remote add origin <url>'
      : `Name one with --remote: ${known.join(', ')}`,
  );
}

/** Never forced: commits of others on this branch stay. */
async function push({ git, commonDir, commit, branch }: PullRequestOrder, remote: string): Promise<void> {
  const args = ['push', '--no-follow-tags', '--quiet', remote, `${commit}:refs/heads/${branch}`];
  const answer = await git.ask(args, { gitDir: commonDir });
  if (answer.code === 0) return;
  const reason = answer.stderr.split('\n').find((line) => /rejected|fatal|error|denied/i.test(line));
  throw new OperatorError(
    'push-failed',
    `${branch} could not be pushed to ${remote}: ${(reason ?? 'git gave no reason').trim().slice(0, 300)}`,
    `Try it yourself: git push ${remote} ${branch}`,
  );
}

function noGh(): OperatorError {
  return new OperatorError(
    'gh-missing',
    'A pull request needs the GitHub command line, and `gh` was not found.',
    'Install it from https://cli.github.com, or push the branch yourself and use `untildone report` as the text.',
  );
}
