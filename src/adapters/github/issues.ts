// Lists the open issues of a GitHub repository with `gh`.
import { OperatorError } from '#base/operator-error.ts';
import { type GhPlace, firstLine, gh } from './gh.ts';

export interface IssueWish {
  readonly labels: readonly string[];
  readonly limit: number;
}

/** Bodies may be long; beyond this the list would be truncated. */
const charsMax = 20_000_000;

export async function listIssues(place: GhPlace, { labels, limit }: IssueWish): Promise<string> {
  const answer = await gh(
    place,
    [
      ...`issue list --state open --limit ${limit}`.split(' '),
      ...labels.flatMap((label) => ['--label', label]),
      '--json',
      'number,title,body,labels',
    ],
    { charsMax },
  );
  if (answer === null)
    throw new OperatorError(
      'gh-missing',
      'Reading issues needs the GitHub command line, and `gh` was not found.',
      'Install it from https://cli.github.com, or save them elsewhere and give the file: untildone import issues.json --from github',
    );
  if (answer.code === 0) return answer.stdout;
  // `gh` exits with 4 if it is not logged in.
  const isStranger = answer.code === 4 || /gh auth login|not logged in/i.test(answer.stderr);
  throw new OperatorError(
    isStranger ? 'gh-login' : 'gh-failed',
    isStranger
      ? '`gh` is not logged in, so the issues cannot be read.'
      : `gh could not list the issues: ${firstLine(answer.stderr) || 'it gave no reason'}`,
    isStranger
      ? 'Log in with `gh auth login`, then try again.'
      : 'Try it yourself: gh issue list --json number,title,body,labels',
  );
}
