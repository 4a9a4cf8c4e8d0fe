import type { IssueWish } from '#adapters/github/issues.ts';
import type { Site } from './site.ts';

/** The open issues of this repository on GitHub, as JSON. */
export async function issuesOf(site: Pick<Site, 'root' | 'ownEnv'>, wish: IssueWish): Promise<string> {
  const { listIssues } = await import('#adapters/github/issues.ts');
  return listIssues({ root: site.root, env: site.ownEnv }, wish);
}
