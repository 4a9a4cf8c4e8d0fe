// Opens a pull request for proven work: pushes the run's branch, with the report as the text.
import type { PullRequest } from '#adapters/github/pull-request.ts';
import { landingTitle } from '#views/report/landing-message.ts';
import { markdownReport } from '#views/report/markdown-report.ts';
import type { Proof } from '#app/prove/find-proof.ts';
import { gitOf } from '#app/git-of.ts';
import { reportOf } from '#app/prove/report.ts';
import type { Site } from '#app/site.ts';

export interface ProposeOrder {
  readonly branch: string;
  readonly remote: string | null;
  readonly isDraft: boolean;
}

export async function proposeProof(
  site: Site,
  { run, subject }: Proof,
  order: ProposeOrder,
): Promise<PullRequest> {
  const { openPullRequest } = await import('#adapters/github/pull-request.ts');
  return openPullRequest({
    git: await gitOf(site),
    root: site.root,
    commonDir: site.commonDir,
    env: site.ownEnv,
    remote: order.remote,
    commit: subject.commit,
    branch: run.config.repo.branch,
    base: order.branch,
    title: landingTitle(run),
    body: markdownReport(await reportOf(site, run)),
    isDraft: order.isDraft,
  });
}
