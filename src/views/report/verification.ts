// Compares the verification of a finished run with what was recorded at its end.
import type { Evidence, Verdict } from '#kernel/model/criterion.ts';
import type { Gap } from '#kernel/proof/proof.ts';
import { isSubstantiated } from '#kernel/proof/proof-kind.ts';
import { type CriterionEvidence, type Run, taskOf } from '#kernel/fold/run.ts';
import { calibrationLines } from './calibration.ts';
import type { CriterionView } from '#views/status/criteria.ts';
import { criteriaOf } from '#views/status/criteria.ts';
import { ownWords } from '#views/lines/own-words.ts';
import { proofOf } from './proof.ts';
import type { ProofKind } from '#kernel/model/outcome.ts';
import type { CommittedTree } from '#kernel/model/base.ts';
import { endReasonOf } from '#kernel/model/task.ts';

export interface VerificationOrder {
  readonly run: Run;
  /** By `task/criterion`, as it was before this verification. */
  readonly recorded: ReadonlyMap<string, CriterionEvidence>;
  readonly gaps: readonly (Gap & { readonly taskId: string })[];
  readonly logsDir: string;
  readonly source: 'journal' | 'note';
  readonly relation: 'same' | 'landed' | 'other';
  readonly subject: CommittedTree;
  readonly proven: string;
  readonly remarks: readonly string[];
  /** Null when the commit has no statement. */
  readonly signature: Signature | null;
}

export type Signature =
  | { readonly kind: 'none' }
  | { readonly kind: 'good'; readonly signer: string; readonly key: string }
  | { readonly kind: 'bad'; readonly why: string };

export interface VerifiedCriterion {
  readonly taskId: string;
  readonly id: string;
  readonly text: string;
  readonly by: string;
  readonly required: boolean;
  readonly recorded: Verdict | null;
  /** Null for a reviewer's or a person's verdict: it is listed, never asked for again. */
  readonly now: Verdict | null;
  readonly change: 'same' | 'worse' | 'better' | 'flaky' | 'not repeated' | 'skipped';
  readonly reason: string;
  /** Output of a failing check, in one line; '' if it passes, is held out or printed nothing. */
  readonly words: string;
  readonly log: string | null;
  readonly durationMs: number | null;
}

export interface Verification {
  readonly runId: string;
  readonly commit: string;
  readonly tree: string;
  readonly source: VerificationOrder['source'];
  readonly relation: VerificationOrder['relation'];
  readonly isProven: boolean;
  /** What the run rests on; `review`: an accepted review. */
  readonly proof: ProofKind | null;
  /** Why it is not proven; empty if it is. */
  readonly problems: readonly string[];
  readonly criteria: readonly VerifiedCriterion[];
  /** Whether the checks noticed a planted failure now, in one line; null if that was not tried. */
  readonly calibration: string | null;
  /** Whether the environment of the checks differs from that at the end of the run; null if not recorded. */
  readonly environmentDiffers: boolean | null;
  /** Names of the variables and other parts that differ; empty if the run did not record them. */
  readonly environmentDifferences: readonly string[];
  readonly signature: Signature | null;
  readonly remarks: readonly string[];
  readonly logsDir: string;
}

export function verificationOf(order: VerificationOrder): Verification {
  const { run, recorded, subject, relation, source, signature, logsDir } = order;
  const remarks = [...order.remarks, ...changedExams(order)];
  // A task that a later plan dropped is no part of the proof.
  const wanted = criteriaOf(run).filter(({ taskId }) => run.tasks.get(taskId)?.status.is !== 'dropped');
  const criteria = wanted.map((one) => compare(run, one, recorded.get(`${one.taskId}/${one.id}`)));
  const problems = problemsOf(order, criteria);
  return {
    runId: run.id,
    commit: subject.commit,
    tree: subject.tree,
    source,
    relation,
    isProven: problems.length === 0,
    proof: proofOf(run),
    problems,
    criteria,
    calibration: calibrationLines(run)[0] ?? null,
    environmentDiffers: environmentDiffers(order),
    environmentDifferences: environmentDifferences(order),
    signature,
    remarks,
    logsDir,
  };
}

function compare(run: Run, view: CriterionView, before: CriterionEvidence | undefined): VerifiedCriterion {
  const { taskId, id, text, by, required } = view;
  const known = { taskId, id, text, by, required, words: '' };
  if (!view.isMachine && view.state !== 'skipped') {
    const earlier = before?.attempt;
    const reason = earlier?.reason ?? 'nothing is recorded';
    const words = { recorded: earlier?.verdict ?? null, now: null, log: null, durationMs: null };
    return { ...known, ...words, change: 'not repeated', reason };
  }
  const recorded = before?.acceptance?.verdict ?? null;
  const evidence = run.tasks.get(taskId)?.evidence.get(id)?.acceptance;
  const now = evidence?.stepId === run.acceptance?.stepId ? evidence : undefined;
  const timing = { log: now?.log ?? null, durationMs: now?.durationMs ?? null };
  if (view.state === 'skipped')
    return {
      ...known,
      ...timing,
      recorded,
      now: null,
      change: 'skipped',
      reason: view.skipped?.why ?? endReasonOf(taskOf(run, taskId)) ?? '',
    };
  const verdict = now?.verdict ?? 'unknown';
  const change = changeOf(recorded, verdict, now);
  const reason = now?.reason ?? 'was not checked';
  return { ...known, ...timing, recorded, now: verdict, change, reason, words: ownWords(run, view) };
}

function changeOf(
  recorded: Verdict | null,
  now: Verdict,
  evidence: Evidence | undefined,
): VerifiedCriterion['change'] {
  if (evidence?.flaky !== undefined) return 'flaky';
  if (recorded === now) return 'same';
  return recorded === 'pass' ? 'worse' : now === 'pass' ? 'better' : 'same';
}

function problemsOf(order: VerificationOrder, criteria: readonly VerifiedCriterion[]): string[] {
  const { run, gaps, relation, source, proven } = order;
  const outcome = run.outcome?.outcome ?? 'not over';
  const missing = criteria.filter(
    (one) => one.change === 'not repeated' && one.required && one.recorded !== 'pass',
  );
  return [
    ...(relation === 'other'
      ? [`this is not the proven commit: its files differ from those of ${proven.slice(0, 12)}`]
      : []),
    ...(outcome === 'completed'
      ? []
      : [
          `the ${source === 'journal' ? 'run itself ended' : 'statement says that the run ended'} as ${outcome}`,
        ]),
    ...gaps.map(({ taskId, criterionId, why }) =>
      criterionId === null ? why : `${nameAmong(criteria, { taskId, id: criterionId })}: ${why}`,
    ),
    ...missing.map((one) => `${nameAmong(criteria, one)}: no passing verdict of ${one.by} is recorded`),
    ...(gaps.length === 0 &&
    outcome === 'completed' &&
    run.outcome?.proof !== 'person' &&
    !isSubstantiated(run)
      ? ['every passing check passed before the work, and there is no review']
      : []),
    ...(gaps.length === 0 && isAnybodys(order) ? onWordsAlone(criteria) : []),
  ];
}

function changedExams(order: VerificationOrder): string[] {
  const source = isAnybodys(order) ? ', according to an unsigned statement' : '';
  const settled = order.run.tampering.filter(({ state }) => state === 'allowed' || state === 'accepted');
  return [
    ...new Set(
      settled.map(({ path, change, state }) => `${path} is pinned and was ${change}: ${state}${source}`),
    ),
  ];
}

/** Anyone who can write the notes could have written it. */
function isAnybodys({ source, signature }: VerificationOrder): boolean {
  return source === 'note' && signature?.kind !== 'good';
}

/** Verdicts and allowed failures in such a statement count for nothing: only what we check here does. */
function onWordsAlone(criteria: readonly VerifiedCriterion[]): string[] {
  const worse = criteria.filter(({ change, required }) => change === 'worse' && !required);
  const hasPass = criteria.some(({ required, now }) => required && now === 'pass');
  return [
    ...worse.map(
      (one) => `${nameAmong(criteria, one)}: passed and fails now, and no signed statement allows that`,
    ),
    ...(hasPass ? [] : ['no repeatable check passes, and the recorded verdicts are not signed']),
  ];
}

/** Same checks under the same pins: only their environment can have changed. */
function environmentDiffers(order: VerificationOrder): boolean | null {
  const pairs = acceptancePairs(order).flatMap(({ before, now }) =>
    before.conditions === undefined || now.conditions === undefined
      ? []
      : [before.conditions === now.conditions],
  );
  return pairs.length === 0 ? null : pairs.includes(false);
}

function environmentDifferences(order: VerificationOrder): string[] {
  const names = acceptancePairs(order).flatMap(({ before, now }) => {
    const [one, other] = [before.environment, now.environment];
    if (one === undefined || other === undefined) return [];
    return Object.keys({ ...one, ...other }).filter((name) => one[name] !== other[name]);
  });
  return [...new Set(names)].toSorted();
}

/** Evidence of each check at the acceptance, then and now; none for another tree or a run without journal. */
function acceptancePairs({ run, recorded, relation, source }: VerificationOrder) {
  if (relation !== 'same' || source !== 'journal') return [];
  return [...run.tasks.values()].flatMap((task) =>
    [...task.evidence].flatMap(([id, { acceptance: now }]) => {
      const before = recorded.get(`${task.spec.id}/${id}`)?.acceptance;
      const isNew = now !== undefined && now.stepId === run.acceptance?.stepId;
      return before === undefined || !isNew ? [] : [{ before, now }];
    }),
  );
}

/** Criteria of several tasks may have the same id. */
export function nameAmong(
  criteria: readonly VerifiedCriterion[],
  { taskId, id }: Pick<VerifiedCriterion, 'taskId' | 'id'>,
): string {
  return criteria.every((one) => one.taskId === taskId) ? id : `${taskId}/${id}`;
}
