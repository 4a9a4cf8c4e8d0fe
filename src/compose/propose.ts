// Proven work → a pull request: the run's branch, pushed, with the report as its text.
import type { PullRequest } from '#adapters/landing/pull-request.ts';
import { landingTitle } from '#views/landing-message.ts';
import { markdownReport } from '#views/markdown-report.ts';
import type { Proof } from './find-proof.ts';
import { gitOf } from './find-proof.ts';
import { reportOf } from './report.ts';
import type { Site } from './site.ts';

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
  const { openPullRequest } = await import('#adapters/landing/pull-request.ts');
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
