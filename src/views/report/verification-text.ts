// Formats the verification of a finished run.
import { marks } from '#views/status/status.ts';
import type { Signature, Verification, VerifiedCriterion } from './verification.ts';
import { nameAmong } from './verification.ts';
import { shortened } from '#views/words.ts';

export function verificationText(found: Verification): string {
  const { isProven, runId, commit, relation, source, problems, remarks } = found;
  const what = `${relation === 'landed' ? 'the landed ' : ''}commit ${commit.slice(0, 12)} of the run ${runId}`;
  const again = found.proof === 'review' ? 'Passes again, accepted on review' : 'Proven again';
  return [
    isProven ? `✅ ${again}: ${what}` : `❌ Not proven: ${what}`,
    ...problems
      .filter((problem) => !isOfCriterion(found, problem))
      .map((one) => `  - ${shortened(one, 300)}`),
    '',
    ...found.criteria.map((one) => criterionLine(one, nameAmong(found.criteria, one))),
    '',
    ...(found.calibration === null ? [] : [found.calibration]),
    `Evidence from: ${source === 'journal' ? "the run's journal" : "the statement in the commit's note"}`,
    `Signature: ${signatureWords(found.signature, source)}`,
    ...environmentLine(found.environmentDifferences),
    ...remarks.map((remark) => `Note: ${remark}`),
    `Logs: ${found.logsDir}`,
    ...nextLines(found),
  ].join('\n');
}

/** Its line below says the same, with the output of the check. */
function isOfCriterion({ criteria }: Verification, problem: string): boolean {
  return criteria.some(
    (one) => one.now !== 'pass' && problem === `${nameAmong(criteria, one)}: ${one.reason}`,
  );
}

function nextLines({ isProven, criteria, runId, environmentDifferences: names }: Verification): string[] {
  if (isProven) return [];
  const red = criteria.find(({ now, required, log }) => required && now !== 'pass' && log !== null);
  const read = red?.log
    ? `read ${red.log} in that folder`
    : `see how the run ended (untildone show ${runId})`;
  const again = names.length === 0 ? 'correct the cause' : 'restore what differs';
  return [`Next: ${read}, ${again}, then: untildone verify ${runId}`];
}

function environmentLine(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const isOne = names.length === 1 && names[0]?.startsWith('programs ') === false;
  return [`Environment: ${names.join(', ')} ${isOne ? 'differs' : 'differ'} from the acceptance of the run`];
}

function criterionLine(one: VerifiedCriterion, name: string): string {
  const required = one.required ? '' : ' (not required)';
  if (one.change === 'skipped') return `  ${marks.skipped} ${name}: skipped (${shortened(one.reason, 100)})`;
  if (one.change === 'not repeated')
    return `  ${marks[one.recorded ?? 'pending']} ${name}: ${one.recorded ?? 'nothing'} recorded, by ${one.by}; not asked again${required}`;
  const reason =
    one.now === 'pass' ? '' : ` (${shortened(one.reason, 160)})${one.words === '' ? '' : `: ${one.words}`}`;
  return `  ${marks[one.now ?? 'pending']} ${name}: \`${shortened(one.by, 60)}\` ${changeWords(one)}${reason}${required}`;
}

function changeWords({ change, recorded, now }: VerifiedCriterion): string {
  switch (change) {
    case 'flaky':
      return `was ${recorded ?? 'not recorded'}, now both passes and fails on the same tree: flaky`;
    case 'worse':
      return `was ${recorded ?? 'not recorded'}, now ${now ?? 'unknown'}`;
    case 'better':
      return recorded === null ? 'passes' : `was ${recorded}, now passes`;
    default:
      return now === 'pass' ? 'passes again' : `is ${now ?? 'unknown'}, as it was`;
  }
}

export function signatureWords(signature: Signature | null, source: 'journal' | 'note'): string {
  switch (signature?.kind) {
    case undefined:
      return 'the commit has no statement';
    case 'none':
      return source === 'journal'
        ? 'the statement of the commit is not signed'
        : 'none: any process that can write refs/notes/untildone could have written this statement';
    case 'good':
      return `good, by ${signature.signer} (${signature.key})`;
    case 'bad':
      return `NOT VALID: ${signature.why}`;
  }
}
