// Repeats all checks on a clean checkout and reports differences from the recorded results.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SignatureState } from '#adapters/git/proofs/sign.ts';
import type { CriterionEvidence, Run } from '#kernel/fold/run.ts';
import type { AgentEvent } from '#ports/agent.ts';
import type { Observer } from '#ports/world.ts';
import { acceptAgain } from '#runtime/steps/accept-again.ts';
import { type Verification, verificationOf } from '#views/report/verification.ts';
import { refuseCleaned } from '#app/clean/refuse-cleaned.ts';
import { composeTrial } from '#app/check-deps.ts';
import type { Proof } from './find-proof.ts';
import { gitOf } from '#app/git-of.ts';
import { cacheDirOf, type Site, trialsOf } from '#app/site.ts';

export interface VerifyOptions {
  readonly signal: AbortSignal;
  onNote?(text: string): void;
  /** What takes the time; repetitions of a check are then no notes. */
  readonly onActivity?: Observer['onActivity'];
}

/** Null if it was cancelled. */
export async function verifyProof(
  site: Site,
  proof: Proof,
  options: VerifyOptions,
): Promise<Verification | null> {
  if (proof.source === 'journal')
    await refuseCleaned(
      site,
      proof.run,
      'its branch, held-out checks and logs were removed, so it cannot be verified again',
    );
  const signature = await signatureOf(site, proof);
  const recorded = recordedEvidence(proof.run);
  const recheck = await recheckTip(site, proof.run, options);
  if (recheck === null) return null;
  const { source, relation, subject, proven, remarks } = proof;
  return verificationOf({
    run: proof.run,
    recorded,
    gaps: recheck.gaps,
    logsDir: recheck.logsDir,
    source,
    relation,
    subject,
    proven,
    remarks,
    signature,
  });
}

/** Checks the run's tip again and applies the evidence to `run`. Null if it was cancelled. */
export async function recheckTip(site: Site, run: Run, options: VerifyOptions) {
  const { refuseReadOnly } = await import('#adapters/store/writable.ts');
  await refuseReadOnly(
    site.commonDir,
    'Verifying makes a checkout, which git records in this repository. Make it writable, then verify again.',
  );
  await sweepOld(site, trialsOf(site, 'verify'));
  const onNote = (text: string): void => options.onNote?.(text);
  const { id, logsDir, checkDeps } = await composeTrial(site, 'verify', run, onNote);
  const own: Run = { ...run, id };
  try {
    const onChatter = (_: string, event: AgentEvent): void => {
      if (event.type === 'notice') options.onNote?.(event.text);
    };
    const { signal } = options;
    const { onActivity } = options;
    const observer = onActivity === undefined ? { onChatter } : { onActivity };
    const gaps = await acceptAgain(own, { ...checkDeps, observers: [observer] }, { signal });
    run.acceptance = own.acceptance;
    return gaps === null ? null : { gaps, logsDir };
  } finally {
    await checkDeps.processes.sweep(`${id}/`);
  }
}

function recordedEvidence(run: Run): Map<string, CriterionEvidence> {
  const all = [...run.tasks.values()].flatMap((task) =>
    [...task.evidence].map(([id, evidence]) => [`${task.spec.id}/${id}`, { ...evidence }] as const),
  );
  return new Map(all);
}

async function signatureOf(site: Site, { attestation, subject }: Proof): Promise<SignatureState | null> {
  if (attestation === null) return null;
  const { checkSignature } = await import('#adapters/git/proofs/sign.ts');
  const { line, signature } = attestation;
  return checkSignature(await gitOf(site), site.commonDir, { line, ...subject }, signature);
}

// No verification takes so long: an older folder was left by a killed one, and its logs have been read.
const keptMs = 24 * 3_600_000;

async function sweepOld(site: Site, home: string): Promise<void> {
  const { sweepCleanCheckouts } = await import('#adapters/git/checkouts/clean-checkout.ts');
  const cacheDir = cacheDirOf(site);
  for (const runId of await readdir(home).catch(() => [])) {
    const found = await stat(join(home, runId)).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs < keptMs) continue;
    await sweepCleanCheckouts({ cacheDir, runId, commonDir: site.commonDir }, 'dead');
    await rm(join(home, runId), { recursive: true, force: true });
  }
}
