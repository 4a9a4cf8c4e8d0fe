// Makes the statement about a run, signs it with git if wanted, and keeps it in a note on the commit.
import type { Attestation } from '#adapters/git/proofs/attestation.ts';
import { createHash } from 'node:crypto';
import { createRedactor } from '#config/redact.ts';
import type { Run } from '#kernel/fold/run.ts';
import { type Statement, statementOf } from '#views/report/statement.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Proof } from './find-proof.ts';
import { gitOf } from '#app/git-of.ts';
import { ownVersion } from '#app/own-files.ts';
import type { Site } from '#app/site.ts';
import type { CommittedTree } from '#kernel/model/base.ts';

export interface ProofOrder {
  readonly subject: CommittedTree;
  /** The commit that the work was merged into; null for the run's own commit. */
  readonly landedOnto: string | null;
  readonly isSigned: boolean;
}

export type MadeAttestation = Pick<Attestation, 'line' | 'signature'>;

export async function makeAttestation(site: Site, run: Run, order: ProofOrder): Promise<MadeAttestation> {
  const line = JSON.stringify(makeStatement(site, run, order));
  return { line, signature: order.isSigned ? await signed(site, line, order.subject) : null };
}

async function signed(site: Site, line: string, subject: CommittedTree): Promise<string> {
  const { signStatement } = await import('#adapters/git/proofs/sign.ts');
  return signStatement(await gitOf(site), site.commonDir, { line, ...subject });
}

/** The proof for others. A statement that we received is passed on unchanged. */
export async function exportProof(site: Site, proof: Proof, isSigned: boolean): Promise<MadeAttestation> {
  const { subject, onto, attestation, relation } = proof;
  if (relation === 'other')
    throw new OperatorError(
      'not-proven',
      `The commit ${subject.commit.slice(0, 12)} is not the commit that run ${proof.run.id} has proven.`,
      `The proven commit is ${proof.proven.slice(0, 12)}.`,
    );
  if (proof.source === 'journal' || attestation === null)
    return makeAttestation(site, proof.run, { subject, landedOnto: onto, isSigned });
  const { line } = attestation;
  return isSigned ? { line, signature: await signed(site, line, subject) } : attestation;
}

export async function attestationText(made: MadeAttestation): Promise<string> {
  const { formatAttestation } = await import('#adapters/git/proofs/attestation.ts');
  return formatAttestation(made);
}

export async function keepAttestation(site: Site, commit: string, made: MadeAttestation): Promise<void> {
  const { changeNote } = await import('#adapters/git/proofs/notes.ts');
  const { withAttestation } = await import('#adapters/git/proofs/attestation.ts');
  const git = await gitOf(site);
  await changeNote(git, site.commonDir, commit, (present) => withAttestation(present, made));
}

/** At the end of a run: puts its statement on its commit, signed if commits are. */
export async function keepRunProof(site: Site, run: Run): Promise<void> {
  const { base, tip } = run;
  if (tip === null || tip.commit === base?.commit) return;
  const isSigned = await wantsSignature(site);
  const made = await makeAttestation(site, run, { subject: tip, landedOnto: null, isSigned });
  await keepAttestation(site, tip.commit, made);
}

/** Whether the user signs commits: then statements are signed too. */
export async function wantsSignature(site: Site): Promise<boolean> {
  const { isSigning } = await import('#adapters/git/repo/identity.ts');
  return isSigning(await gitOf(site), { gitDir: site.commonDir });
}

function makeStatement(site: Site, run: Run, { subject, landedOnto }: ProofOrder): Statement {
  const tasks = [...run.tasks.values()].map((task) => task.spec.criteria);
  const statement = statementOf(run, {
    subject,
    landedOnto,
    version: ownVersion(),
    configDigest: sha256(JSON.stringify(run.config)),
    criteriaDigest: sha256(JSON.stringify(tasks)),
  });
  const redactor = createRedactor(site.env);
  return withoutSecrets(statement, (text) => redactor.redact(text)) as Statement;
}

function withoutSecrets(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutSecrets(each, redact)]),
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
