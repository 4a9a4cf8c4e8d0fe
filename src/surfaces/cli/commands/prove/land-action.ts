import { refuseCleaned } from '#app/clean/refuse-cleaned.ts';
import type { Landing } from '#app/land/land.ts';
import type { Proof } from '#app/prove/find-proof.ts';
import type { Site } from '#app/site.ts';
import { whyNotApproved } from '#kernel/decide/reopen.ts';
import type { Run } from '#kernel/fold/run.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import { OperatorError } from '#base/operator-error.ts';
import { abortOnInterrupt } from '#surfaces/cli/abort-on-interrupt.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { pickProof } from '#surfaces/cli/pick/pick-proof.ts';
import { print, printJson, printNote } from '#surfaces/cli/output.ts';
import { busy, busyChecks } from '#surfaces/cli/render/busy.ts';
import { afterLandingLines } from '#views/lines/after-end.ts';
import { isReviewedOnly } from '#views/report/proof.ts';
import { verificationText } from '#views/report/verification-text.ts';

export interface LandOptions {
  readonly branch?: string;
  readonly squash?: boolean;
  /** False by --no-ff. */
  readonly ff?: boolean;
  readonly pr?: boolean;
  readonly draft?: boolean;
  readonly remote?: string;
  readonly unproven?: boolean;
  readonly acceptReview?: boolean;
  readonly keep?: boolean;
  readonly json?: boolean;
}

export async function landCommand(name: string | undefined, options: LandOptions): Promise<number> {
  await refuseFromInside('untildone land');
  refuseTogether(options);
  const { site, proof: found } = await pickProof(name);
  await refuseCleaned(site, found.run, 'its branch was removed, so it cannot be landed');
  const proof = options.acceptReview === true ? acceptedOnReview(found) : found;
  refuseUnproven(proof, options);
  for (const remark of proof.remarks) printNote(`note: ${remark}`);
  const branch = targetOf(site, proof, options);
  return options.pr === true ? propose(site, proof, branch, options) : land(site, proof, branch, options);
}

async function land(site: Site, proof: Proof, branch: string, options: LandOptions): Promise<number> {
  const { landProof } = await import('#app/land/land.ts');
  const interrupt = abortOnInterrupt();
  const mode = options.squash === true ? 'squash' : options.ff === false ? 'merge' : 'ff';
  const order = {
    proof,
    branch,
    mode,
    isUnproven: options.unproven === true,
    isKept: options.keep === true,
  } as const;
  const onNote = (text: string): void => printNote(`note: ${text}`);
  const landing = await busy(`landing on ${branch}`, () =>
    landProof(site, order, { signal: interrupt.signal, onNote, ...busyChecks() }),
  ).finally(() => interrupt.dispose());
  const exitCode = exitCodeOf(landing);
  if (options.json === true) printJson({ runId: proof.run.id, branch, ...landing, exitCode });
  else print(words(landing, proof, branch));
  return exitCode;
}

async function propose(site: Site, proof: Proof, branch: string, options: LandOptions): Promise<number> {
  const { proposeProof } = await import('#app/land/propose.ts');
  const order = { branch, isDraft: options.draft === true, remote: options.remote ?? null };
  const made = await busy('pushing the branch and opening a pull request', () =>
    proposeProof(site, proof, order),
  );
  if (options.json === true)
    printJson({ runId: proof.run.id, kind: 'proposed', branch, ...made, exitCode: 0 });
  else
    print(`${made.isNew ? 'Opened' : 'The pull request already exists; its branch is pushed'}: ${made.url}`);
  return exitCodes.completed;
}

function refuseTogether({ pr, squash, draft, remote }: LandOptions): void {
  const wrong =
    pr === true && squash === true
      ? '--pr and --squash'
      : pr !== true && (draft === true || remote !== undefined)
        ? `${draft === true ? '--draft' : '--remote'} without --pr`
        : null;
  if (wrong !== null)
    throw new OperatorError('usage', `${wrong} cannot be combined.`, 'See `untildone land --help`.');
}

/** The reviewed work of a run, as if the run had accepted the review; everything else is unchanged. */
function acceptedOnReview(proof: Proof): Proof {
  const { run } = proof;
  if (run.outcome === null || run.outcome.outcome === 'completed') return proof;
  if (!isReviewedOnly(run))
    throw new OperatorError(
      'not-reviewed',
      `Run ${run.id} ended as ${run.outcome.outcome}, but not for lack of proof beyond a review.`,
      `See why: untildone show ${run.id}`,
    );
  const reason = `${run.outcome.reason}; the review was accepted when it was landed`;
  const outcome = { outcome: 'completed', reason, proof: 'review' } as const;
  return { ...proof, run: { ...run, outcome, config: { ...run.config, acceptReview: true } } };
}

function refuseUnproven({ run, relation, source, proven }: Proof, { unproven }: LandOptions): void {
  if (source !== 'journal')
    throw new OperatorError(
      'no-run',
      `Run ${run.id} is not on this machine, so its work cannot be landed here.`,
      'Merge it with git; `untildone verify` checks it first.',
    );
  if (relation !== 'same')
    throw new OperatorError(
      'not-proven',
      `This is not the commit that run ${run.id} has proven (${proven.slice(0, 12)}).`,
      `Name the run: untildone land ${run.id}`,
    );
  const outcome = run.outcome?.outcome ?? 'not over';
  if (outcome === 'completed' || unproven === true) return;
  throw new OperatorError(
    'not-proven',
    `The run ${run.id} ended as ${outcome}: its work is not proven.`,
    isReviewedOnly(run)
      ? `A reviewer passed it: untildone approve ${run.id}, or land it with --accept-review.`
      : `Review it: git log ${run.config.repo.branch}. ${approval(run)}Without proof: untildone land ${run.id} --unproven`,
  );
}

/** The command that completes the run, if a person's approval can. */
function approval(run: Run): string {
  const isPossible = run.tip !== null && whyNotApproved(run, run.tip.tree) === null;
  return isPossible ? `If it is done: untildone approve ${run.id}. ` : '';
}

function targetOf(site: Site, { run }: Proof, { branch }: LandOptions): string {
  const found = branch ?? site.head.branch;
  if (found === null)
    throw new OperatorError(
      'no-branch',
      'No branch is checked out here (detached HEAD), so the target is unclear.',
      'Name the target: untildone land --branch main',
    );
  if (!found.startsWith('untildone/')) return found;
  throw new OperatorError(
    'no-branch',
    `${found} is the branch of a run; land on one of your own branches.`,
    `Name the target: untildone land ${run.id} --branch main`,
  );
}

function exitCodeOf({ kind }: Landing): number {
  switch (kind) {
    case 'landed':
    case 'there already':
      return exitCodes.completed;
    case 'conflict':
      return exitCodes.blocked;
    case 'not proven':
      return exitCodes.failed;
    case 'cancelled':
      return exitCodes.stopped;
  }
}

function landedWords({ isProven, acceptedReview }: Extract<Landing, { readonly isProven: boolean }>): string {
  if (acceptedReview === true) return '✅ Landed, accepted on review,';
  return isProven ? '✅ Landed' : '⚠️  Landed WITHOUT PROOF';
}

function removedLines({ removed = [] }: Extract<Landing, { readonly isProven: boolean }>): string[] {
  if (removed.length === 0) return [];
  return [
    `Removed the run's ${removed.join(' and ')} (use --keep to keep ${removed.length > 1 ? 'them' : 'it'}).`,
  ];
}

function words(landing: Landing, { run }: Proof, branch: string): string {
  switch (landing.kind) {
    case 'there already':
      return [`${branch} already has the work of run ${run.id}.`, ...removedLines(landing)].join('\n');
    case 'landed':
      return [
        `${landedWords(landing)} the run ${run.id} on ${branch}: ${landing.how}, now at ${landing.commit.slice(0, 12)}`,
        ...(landing.isProven || landing.acceptedReview === true
          ? []
          : [
              `It ended as ${run.outcome?.outcome ?? 'not over'} (${run.outcome?.reason ?? ''}), and nothing was checked.`,
            ]),
        ...(landing.verification === null
          ? []
          : [
              `${branch} had moved: the merged files were checked on a clean checkout, and everything passed.`,
            ]),
        ...afterLandingLines(landing.runsAfterLanding),
        ...removedLines(landing),
      ].join('\n');
    case 'conflict': {
      const shown = landing.paths.slice(0, 10).map((path) => `  ${path}`);
      const more = landing.paths.length > 10 ? [`  and ${landing.paths.length - 10} more`] : [];
      return [
        `⛔ Run ${run.id} and ${branch} change the same lines. Nothing was changed.`,
        ...shown,
        ...more,
        `Merge it by hand (git switch ${branch} && git merge ${run.config.repo.branch}), or start a new run from ${branch} as it is now.`,
      ].join('\n');
    }
    case 'not proven':
      return `⛔ ${branch} has moved, and the merged tree is not proven. Nothing was changed.\n\n${verificationText(landing.verification)}`;
    case 'cancelled':
      return 'Interrupted. Nothing was changed.';
  }
}
