// Lands proven work on the user's branch. A tree that was not proven is proven before the ref moves.
import type { Released } from '#app/clean/release-landed.ts';
import type { Target } from '#adapters/git/refs/target.ts';
import type { Git } from '#adapters/git/repo/git.ts';
import type { RunsAfterLanding } from '#kernel/model/after-landing.ts';
import type { Run } from '#kernel/fold/run.ts';
import { asOperatorError } from '#base/operator-error.ts';
import type { Verification } from '#views/report/verification.ts';
import { isAcceptedOnReview } from '#views/report/proof.ts';
import { landingMessage } from '#views/report/landing-message.ts';
import { pinsOf, type Proof } from '#app/prove/find-proof.ts';
import { gitOf } from '#app/git-of.ts';
import { keepAttestation, makeAttestation, wantsSignature } from '#app/prove/keep-proof.ts';
import type { Site } from '#app/site.ts';
import { type VerifyOptions, verifyProof } from '#app/prove/verify.ts';
import type { CommittedTree } from '#kernel/model/base.ts';

export interface LandOrder {
  readonly proof: Proof;
  readonly branch: string;
  readonly mode: 'ff' | 'merge' | 'squash';
  readonly isUnproven: boolean;
  /** Keeps the run's branch and worktree. */
  readonly isKept?: boolean;
}

export type Landing =
  | {
      readonly kind: 'landed' | 'there already';
      readonly commit: string;
      readonly how: string;
      /** False if it was landed although nothing proves this tree. */
      readonly isProven: boolean;
      /** Set if only an accepted review supports it. */
      readonly acceptedReview?: true;
      readonly verification: Verification | null;
      /** Files on the branch now that run by themselves on the user's machine. */
      readonly runsAfterLanding?: readonly RunsAfterLanding[];
      /** Parts of the run that were no longer needed and were removed. */
      readonly removed?: Released['removed'];
    }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  | { readonly kind: 'not proven'; readonly verification: Verification }
  | { readonly kind: 'cancelled' };

/** Contract: if it is killed at any moment, a second call ends as if the first had not been killed. */
export async function landProof(site: Site, order: LandOrder, options: VerifyOptions): Promise<Landing> {
  const landing = withReview(order.proof.run, await bring(site, order, options));
  if (landing.kind !== 'landed' && landing.kind !== 'there already') return landing;
  await note(site, order, landing, options);
  if (order.isKept === true) return landing;
  return { ...landing, removed: await release(site, order, options) };
}

async function release(
  site: Site,
  { proof }: LandOrder,
  options: VerifyOptions,
): Promise<Released['removed']> {
  const { releaseLanded } = await import('#app/clean/release-landed.ts');
  const released = await releaseLanded(site, proof.run.id, proof.proven).catch(
    orNote(options, 'The branch of the run could not be removed'),
  );
  for (const text of released?.notes ?? []) options.onNote?.(text);
  return released?.removed ?? [];
}

/** Work that completed on an accepted review is landed, but not called proven. */
function withReview(run: Run, landing: Landing): Landing {
  const isOnReview = isAcceptedOnReview(run) && 'isProven' in landing && landing.isProven;
  return isOnReview ? { ...landing, isProven: false, acceptedReview: true } : landing;
}

async function bring(site: Site, order: LandOrder, options: VerifyOptions): Promise<Landing> {
  const { findTarget, refuseUnclean } = await import('#adapters/git/refs/target.ts');
  const { isAncestor, mergeTrees } = await import('#adapters/git/landing/merge-trees.ts');
  const { checkIdentity } = await import('#adapters/git/repo/identity.ts');
  const git = await gitOf(site);
  const { commonDir } = site;
  const target = await findTarget(git, commonDir, order.branch);
  const { commit, tree } = order.proof.subject;
  const isProven = order.proof.run.outcome?.outcome === 'completed';
  for (const known of [commit, ...landingsOn(order)])
    if (await isAncestor(git, commonDir, known, target.commit))
      return { kind: 'there already', commit: known, how: '', isProven, verification: null };
  const { refuseReadOnly } = await import('#adapters/store/writable.ts');
  await refuseReadOnly(
    commonDir,
    'Landing moves a branch of this repository. Make it writable, then land again.',
  );
  await refuseUnclean(git, target);
  const isAhead = await isAncestor(git, commonDir, target.commit, commit);
  if (isAhead && order.mode === 'ff') return finish({ site, git, order, target, options }, { commit, tree });
  await checkIdentity(git, { gitDir: commonDir }, target.tree);
  const merged = isAhead
    ? ({ kind: 'clean', tree } as const)
    : await mergeTrees(git, commonDir, target.commit, commit);
  if (merged.kind === 'conflict') return merged;
  // Squashed onto it before: the same files again would make an empty commit.
  if (merged.tree === target.tree)
    return { kind: 'there already', commit: target.commit, how: '', isProven, verification: null };
  return land({ site, git, order, target, options }, merged.tree);
}

function landingsOn({ proof, branch }: LandOrder): string[] {
  return proof.run.landings.flatMap(({ target, commit }) => (target === branch ? [commit] : []));
}

/** The work has landed, even if recording that fails. */
async function note(
  site: Site,
  { proof: { run }, branch }: LandOrder,
  { kind, commit, how, isProven, acceptedReview }: Extract<Landing, { readonly commit: string }>,
  options: VerifyOptions,
): Promise<void> {
  const { recordLanding } = await import('./record-landing.ts');
  const { whoAsks } = await import('#app/controls/controls.ts');
  // An earlier landing on this branch stays recorded as it was.
  if (kind === 'there already' && run.landings.some(({ target }) => target === branch)) return;
  const landed = {
    how: kind === 'landed' ? how : kind,
    target: branch,
    commit,
    by: whoAsks(),
    isProven,
    ...(acceptedReview === undefined ? {} : { acceptedReview }),
  };
  const isRecorded = await recordLanding(site, run.id, landed).catch(
    orNote(options, `It could not be noted in the run ${run.id}`),
  );
  if (isRecorded === false)
    options.onNote?.(`Another process holds run ${run.id}, so the landing was not recorded there.`);
}

interface Scene {
  readonly site: Site;
  readonly git: Git;
  readonly order: LandOrder;
  readonly target: Target;
  readonly options: VerifyOptions;
}

/** As a new commit of the merged files, which are proven first if they differ from those of the run. */
async function land(scene: Scene, tree: string): Promise<Landing> {
  const { site, git, order, target, options } = scene;
  const { proof, isUnproven, mode } = order;
  const { makeLandingCommit } = await import('#adapters/git/landing/move-target.ts');
  let verification: Verification | null = null;
  if (!isUnproven && tree !== proof.subject.tree) {
    const run = await onto(scene, proof.run, tree);
    const subject = { commit: proof.subject.commit, tree };
    const merged: Proof = {
      ...proof,
      run,
      subject,
      relation: 'landed',
      onto: target.commit,
      attestation: null,
    };
    verification = await verifyProof(site, merged, options);
    if (verification === null) return { kind: 'cancelled' };
    if (!verification.isProven) return { kind: 'not proven', verification };
  }
  const commit = await makeLandingCommit(git, site.commonDir, {
    tree,
    parents: mode === 'squash' ? [target.commit] : [target.commit, proof.subject.commit],
    message: landingMessage(proof.run, { branch: target.branch, mode, isUnproven }),
  });
  return finish(scene, { commit, tree }, verification);
}

/** The run as if its work had been made on the target: the target's files decide the checks. */
async function onto({ site, git, target }: Scene, run: Run, tree: string): Promise<Run> {
  run.tip = { commit: target.commit, tree };
  const { commit, tree: baseTree } = target;
  const pins = await pinsOf(site, git, run, commit);
  if (run.base !== null) run.base = { ...run.base, commit, tree: baseTree, pins };
  return run;
}

async function finish(
  scene: Scene,
  landed: CommittedTree,
  verification: Verification | null = null,
): Promise<Landing> {
  const { site, git, order, target } = scene;
  const { moveTarget } = await import('#adapters/git/landing/move-target.ts');
  const { findRunsAfterLanding } = await import('#adapters/git/landing/after-landing.ts');
  const runsAfterLanding = await findRunsAfterLanding(
    { git, gitDir: site.commonDir, root: site.root },
    { from: target.tree, to: landed.tree },
  );
  // Before the branch moves: a kill in between leaves a statement about an unused commit, better than none.
  if (!order.isUnproven) await keepProof(scene, landed);
  await moveTarget(git, site.commonDir, target, landed.commit);
  const how =
    landed.commit === order.proof.subject.commit
      ? 'fast-forward'
      : order.mode === 'squash'
        ? 'squashed'
        : 'merged';
  const isCompleted = order.proof.run.outcome?.outcome === 'completed';
  const isProven = !order.isUnproven || (isCompleted && how === 'fast-forward');
  return { kind: 'landed', commit: landed.commit, how, isProven, verification, runsAfterLanding };
}

async function keepProof(
  { site, order: { proof }, target, options }: Scene,
  subject: CommittedTree,
): Promise<void> {
  const landedOnto = subject.commit === proof.subject.commit ? null : target.commit;
  proof.run.tip =
    landedOnto === null ? subject : { commit: proof.proven, tree: proof.run.tip?.tree ?? subject.tree };
  const keep = async (): Promise<void> => {
    const isSigned = await wantsSignature(site);
    const made = await makeAttestation(site, proof.run, { subject, landedOnto, isSigned });
    await keepAttestation(site, subject.commit, made);
  };
  await keep().catch(orNote(options, 'The statement could not be kept beside the commit'));
}

/** The work has landed, so an error in a later step becomes a note. */
function orNote(options: VerifyOptions, what: string): (error: unknown) => undefined {
  return (error) => {
    options.onNote?.(`${what}: ${asOperatorError(error).message}`);
  };
}
