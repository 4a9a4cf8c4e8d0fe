// The content of a report about a run, independent of its format.
import { describeProcessEnding } from '#kernel/model/ending.ts';
import { shownOutput } from '#kernel/model/shown-output.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { FileDiffs } from '#kernel/model/base.ts';
import { afterLandingLines, goneWords, landedText } from '#views/lines/after-end.ts';
import { calibratedChecks, calibrationLines } from './calibration.ts';
import { describeChange } from '#views/lines/criteria-events.ts';
import type { CriterionView } from '#views/status/criteria.ts';
import { reopenedLines, retryable, commandToRetry } from '#views/status/again.ts';
import { criteriaOf, evidenceFor } from '#views/status/criteria.ts';
import { reviewsOf } from './reviews.ts';
import { isReviewedOnly, outcomeMarks, outcomeWord, proofText, waysToProof } from './proof.ts';
import { failedAttempts } from './failed-attempts.ts';
import { costTotals, sessionCosts } from './session-costs.ts';
import { isProtected } from './sandbox.ts';
import { stageOf } from '#views/status/stage.ts';
import type { TamperView } from './tamper-ledger.ts';
import { tamperLedger } from './tamper-ledger.ts';
import { timelineOf } from './timeline.ts';
import { ceiling, count, elapsed, spentLine, utcMinute } from '#views/words.ts';

export interface ReportInput {
  readonly run: Run;
  /** The whole journal. */
  readonly events: readonly Event[];
  /** Changes of the work, one line per file; '' if unknown. */
  readonly stat: string;
  readonly changes: ReportedChanges;
  /** The branch of a finished run was removed. */
  readonly isBranchGone: boolean;
  /** The driver died during a session. */
  readonly isCutOff: boolean;
  readonly version: string;
  /** Removes known secrets from text of people and programs. */
  readonly redact: (text: string) => string;
  /** Finds the names of failing tests in the output of a check. */
  readonly failedTests: (output: string) => readonly string[];
}

/** What the run changed against its base. */
export type ReportedChanges =
  | { readonly kind: 'none'; readonly why: string }
  /** Git no longer has the objects. `landed`: a commit that may still have the work. */
  | { readonly kind: 'gone'; readonly why: string; readonly landed: string | null }
  | {
      readonly kind: 'shown';
      readonly diffs: FileDiffs;
      /** `git diff A..B`, which shows all of it. */
      readonly command: string;
      /** A sentence about where the work is, if it is not committed. */
      readonly note: string | null;
    };

export type ReportPage = ReturnType<typeof reportPage>;

export type Tone = 'good' | 'bad' | 'open';

export interface ReportedCriterion extends CriterionView {
  readonly tone: Tone;
  /** `red on the base`, as a person says it. */
  readonly before: string;
  readonly after: string;
  readonly ending: string | null;
  readonly durationMs: number | null;
  /** The end of its output, if it did not pass. */
  readonly output: string;
}

export function reportPage(input: ReportInput) {
  const { run, events, stat, changes, version, isCutOff } = input;
  return {
    runId: run.id,
    title: run.config.goal.split('\n')[0] ?? '',
    goal: run.config.goal,
    outcome: outcomeOf(run),
    facts: factsOf(input),
    criteria: criteriaOf(run).map((one) => reported(run, one)),
    reviews: reviewsOf(run),
    /** The summary line, '' if there is none, and the trials of each check. */
    calibration: { line: calibrationLines(run).join('\n'), checks: calibratedChecks(run) },
    tampering: tamperLedger(run),
    stat,
    changes,
    timeline: timelineOf(events),
    failed: failedAttempts(run, events, input.failedTests),
    sessions: sessionCosts(run, events, isCutOff),
    totals: costTotals(run),
    cost: [
      ['Spent', spentLine(run, isCutOff)],
      ['Budget', ceiling(run.budget, run.config.policy)],
    ] as const,
    commands: commandsFor(run, changes),
    warnings: warningsOf(run),
    version,
  };
}

interface ReportedOutcome {
  readonly word: string;
  readonly mark: string;
  readonly reason: string;
  readonly tone: Tone;
}

function outcomeOf(run: Run): ReportedOutcome {
  if (run.outcome === null) return { word: 'not finished', mark: '⏳', reason: stageOf(run), tone: 'open' };
  const { outcome, reason } = run.outcome;
  const word = outcomeWord(run, outcome);
  if (isReviewedOnly(run)) return { word, mark: '🔎', reason, tone: 'open' };
  const isGood = outcome === 'completed';
  return { word, mark: outcomeMarks[outcome], reason, tone: isGood ? 'good' : 'bad' };
}

function factsOf({ run, isBranchGone }: ReportInput): (readonly [string, string])[] {
  const attempts = [...run.tasks.values()].reduce((all, task) => all + task.attempt, 0);
  const proof = proofText(run);
  const commit = run.tip !== null && run.tip.commit !== run.base?.commit ? run.tip.commit : null;
  return [
    ['Run', run.id],
    ['Branch', run.base === null ? 'none was made' : `${run.base.branch}${goneWords({ isBranchGone })}`],
    ['Commit', commit ?? 'nothing is committed'],
    ['Base', run.base?.commit.slice(0, 12) ?? 'not known yet'],
    ...(proof === null ? [] : ([['Proof', proof]] as const)),
    ...run.landings.map((one) => ['Landed', landedText(one).replace(/^landed /, '')] as const),
    ...(run.cleaned === null ? [] : ([['Cleaned', utcMinute(run.cleaned.at)]] as const)),
    ['Preset', run.config.preset],
    ['Started', utcMinute(run.createdAt)],
    ['Work', `${count(attempts, 'attempt')}, ${elapsed(run.activeMs)}`],
  ];
}

/** More than an excerpt or a tail ever has. */
const outputMax = 4096;

function reported(run: Run, one: CriterionView): ReportedCriterion {
  const evidence = evidenceFor(run, one);
  const base = { pass: 'green', fail: 'red', unknown: 'undecided' } as const;
  return {
    ...one,
    text: run.tasks.size < 2 ? one.text : `${one.taskId}: ${one.text}`,
    tone: toneOf(one),
    before: one.isMachine ? (one.base === null ? 'not run' : base[one.base]) : '–',
    after: afterOf(one),
    ending:
      evidence?.ending === null || evidence === undefined ? null : describeProcessEnding(evidence.ending),
    durationMs: evidence?.durationMs ?? null,
    output: one.state === 'pass' || evidence === undefined ? '' : shownOutput(evidence, outputMax),
  };
}

function toneOf({ state, required }: CriterionView): Tone {
  if (state === 'pass') return 'good';
  return state === 'fail' || (state === 'unknown' && required) ? 'bad' : 'open';
}

/** The state of a change to a pinned file. */
export function ledgerWord(state: TamperView['state']): string {
  if (state === 'open') return 'not accepted';
  if (state === 'noted') return 'noted, needs a review';
  return state === 'changed again' ? 'not accepted, and changed again' : state;
}

function afterOf({ state, isMachine, place }: CriterionView): string {
  if (state !== 'pass') return state;
  if (!isMachine) return 'passed';
  return place === 'clean' ? 'green on a clean checkout' : 'green in the workspace';
}

/** Only commands that still work: a landed run is not landed again, and a cleaned one has no files. */
function commandsFor(run: Run, changes: ReportedChanges): string[] {
  if (run.outcome === null) return [`untildone resume ${run.id}`];
  const diff = changes.kind === 'shown' ? [changes.command] : [];
  const show = `untildone show ${run.id}`;
  const [landed] = run.landings.toReversed();
  const hasCommit = [...run.tasks.values()].some((task) => task.commit !== null);
  const isThere = hasCommit && changes.kind !== 'gone' && run.cleaned === null;
  if (run.outcome.outcome === 'completed') {
    const proven = landed === undefined ? (isThere ? run.tip?.commit : undefined) : landed.commit;
    const verify = proven === undefined ? [] : [`untildone verify ${proven.slice(0, 12)}`];
    const land = landed === undefined && isThere ? [`untildone land ${run.id}`] : [];
    return [...(landed?.isProven === false ? [] : verify), ...diff, show, ...land];
  }
  const taskId = retryable(run);
  const again = taskId === null ? [] : [commandToRetry(run, taskId)];
  const isOpen = landed === undefined && run.cleaned === null;
  const ways = isOpen && isReviewedOnly(run) ? waysToProof(run).map(([command]) => command) : [];
  return [...diff, show, ...again, ...ways];
}

function warningsOf(run: Run): string[] {
  const criteria = criteriaOf(run);
  const skipped = criteria.filter((one) => one.state === 'skipped');
  return [
    ...afterLandingLines(run.acceptance?.runsAfterLanding).map((line) => `${line}.`),
    // The earlier outcome may have been reported to others.
    ...reopenedLines(run).map((line) => line.replace(/^\W+/, '')),
    ...(criteria.some((one) => one.isMachine)
      ? []
      : ['Only an agent has reviewed this work: no check is configured.']),
    ...skipped.map(
      (one) =>
        `${one.id} was skipped${one.skipped === null ? '' : ` by ${one.skipped.by}: ${one.skipped.why}`}.`,
    ),
    ...askedForLess(run),
    ...(isProtected(run.config)
      ? []
      : ["The agents ran with the rights of their user and could have changed Untildone's state."]),
  ];
}

/** Skips have their own line. */
function askedForLess(run: Run): string[] {
  return [...run.tasks.values()].flatMap(({ changes }) =>
    changes
      .filter(({ isNarrowing, change }) => isNarrowing && change.kind !== 'skip')
      .map(
        ({ change, by, at, why }) =>
          `Weakened: ${describeChange(change)}, by ${by} at ${utcMinute(at)}: ${why}.`,
      ),
  );
}
