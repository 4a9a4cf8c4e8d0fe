// Describes what an outcome rests on. A pass by a reviewer alone is named wherever the outcome is.
import type { Outcome, ProofKind } from '#kernel/model/outcome.ts';
import { proofOfRun } from '#kernel/proof/proof-kind.ts';
import type { Run } from '#kernel/fold/run.ts';

/** Null while the run is active, and if nothing supports the work. */
export function proofOf(run: Run): ProofKind | null {
  return endsWithProof(run.outcome) ? (run.outcome.proof ?? proofOfRun(run)) : null;
}

/** A reviewer passed the work, nothing proves it, and the run did not accept reviews as proof. */
export function isReviewedOnly(run: Run): boolean {
  return run.outcome?.outcome === 'unverified' && run.outcome.proof === 'review';
}

/** The run completed on a reviewer's pass, because it was set to accept that. */
export function isAcceptedOnReview(run: Run): boolean {
  return run.outcome?.outcome === 'completed' && run.outcome.proof === 'review';
}

/** `Completed, accepted on review`, `Reviewed, not proven`; null if the plain outcome says all. */
export function reviewHeadline(run: Run): string | null {
  if (isReviewedOnly(run)) return 'Reviewed, not proven';
  return isAcceptedOnReview(run) ? 'Completed, accepted on review' : null;
}

/** The outcome as a list or a page names it. */
export function outcomeWord(run: Run, outcome: Outcome): string {
  return reviewHeadline(run)?.toLowerCase() ?? outcome;
}

/** `Proof: added-tests (…)`; empty if the outcome says that the work is not done. */
export function proofLines(run: Run): string[] {
  const text = proofText(run);
  return text === null ? [] : [`Proof: ${text}`];
}

export function proofText(run: Run): string | null {
  if (!endsWithProof(run.outcome)) return null;
  const kind = proofOf(run);
  return kind === null ? 'none' : `${kind} (${meanings[kind]})`;
}

/** Whether the work was accepted, so that its proof distinguishes outcomes. */
function endsWithProof(outcome: Run['outcome']): outcome is NonNullable<Run['outcome']> {
  return outcome?.outcome === 'completed' || outcome?.outcome === 'unverified';
}

const meanings: { readonly [kind in ProofKind]: string } = {
  checks: 'a required check was red before the work and is green now',
  'held-out': 'a held-out check was red before the work and is green now',
  'added-tests': 'tests that came with the work fail without it, pass now, and were reviewed',
  person: 'a person approved the work',
  review: "only a reviewer's pass",
};

/** Ways to complete reviewed but unproven work, with the exact commands. */
export function waysToProof(run: Run): readonly (readonly [string, string])[] {
  // A run of an attached session ended with that session, and cannot be reopened.
  const approve = [`untildone approve ${run.id}`, 'approve it after you reviewed it'] as const;
  return [
    ...(run.config.foreign === undefined ? [approve] : []),
    [`untildone land ${run.id} --accept-review`, 'land it with the review as the only proof'],
    ['untildone run "…" --check "COMMAND"', 'run again with a check that fails today'],
    ['untildone run "…" --accept-review', "accept a reviewer's pass as proof (setting acceptReview)"],
  ];
}

export const outcomeMarks: { readonly [outcome in Outcome]: string } = {
  completed: '✅',
  failed: '❌',
  exhausted: '⛔',
  blocked: '🚧',
  stopped: '⏹️',
  unverified: '❓',
};
