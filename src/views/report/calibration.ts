// Shows whether the checks of the acceptance can still fail: the trials of each, and their results.
import type { Check } from '#kernel/model/check.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import type { Calibration, CalibrationKind } from '#kernel/model/calibration.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { count, shortened } from '#views/words.ts';

const commandMax = 60;

export interface CalibratedCheck {
  readonly taskId: string;
  readonly id: string;
  /** `noticed`: a planted failure made the check fail. `refused`: the check does not measure the work. */
  readonly state: 'noticed' | 'refused' | 'not calibrated';
  /** Why a check is refused or not calibrated; '' otherwise. */
  readonly reason: string;
  readonly trials: readonly Calibration[];
}

/** Checks of the newest acceptance; empty for runs from before calibration existed, and if it is off. */
export function calibratedChecks(run: Run): CalibratedCheck[] {
  if (run.config.calibration !== 'auto') return [];
  return [...run.tasks.values()].flatMap((task) =>
    task.spec.criteria.flatMap(({ id, check, required }) => {
      const evidence = task.evidence.get(id)?.acceptance;
      const isCurrent = evidence !== undefined && evidence.stepId === run.acceptance?.stepId;
      return isCurrent && required && runsTests(check) ? [calibrated(task, evidence)] : [];
    }),
  );
}

/** One line for the end of a run; empty before the acceptance, and for runs without calibration. */
export function calibrationLines(run: Run): string[] {
  if (run.config.calibration === 'off')
    return run.acceptance === null
      ? []
      : ['Calibration: off (acceptance.calibration); whether the checks notice a failing test is unknown'];
  const checks = calibratedChecks(run);
  if (checks.length === 0) return [];
  // None of them was tried, which says nothing against them.
  if (checks.every(({ state }) => state === 'not calibrated'))
    return [`Calibration: no check was calibrated: ${namesAndWhy(run, checks)}`];
  const noticed = checks.filter(({ state }) => state === 'noticed').length;
  const isOne = checks.length === 1;
  const others = (['refused', 'not calibrated'] as const).flatMap((state) => {
    const some = checks.filter((one) => one.state === state);
    return some.length === 0 ? [] : [`${state}: ${namesAndWhy(run, some)}`];
  });
  const verb = noticed === 1 || (noticed === 0 && isOne) ? 'notices' : 'notice';
  const head = `Calibration: ${noticed} of ${count(checks.length, 'check')} ${verb} a planted failure`;
  return [[head, ...others].join('; ')];
}

/** The result of one calibration, in one line. On the base a refusal is a warning about the check. */
export function calibrationLine(evidence: Evidence): string {
  const { state, reason } = stateOf(evidence);
  const { criterionId: id, command } = evidence;
  if (state === 'noticed') return `${command === null ? id : `\`${command}\``} notices a planted failure`;
  return state === 'refused' ? `! ${reason}` : `${id}: not calibrated (${reason})`;
}

/** It adds only that nothing could be tried to a verdict recorded before; the summary says so too. */
export function isNotCalibrated(evidence: Evidence): boolean {
  const { calibration, verdict, reusedFrom } = evidence;
  if (calibration === undefined || verdict !== 'pass' || reusedFrom !== undefined) return false;
  return stateOf(evidence).state === 'not calibrated';
}

/** One trial in a sentence: what was tried, its result, and how often the check ran for it. */
export function trialLine({ kind, verdict, reason, runs, files = [] }: Calibration): string {
  const often = runs === 0 ? '' : `, ${count(runs, 'run')} of the check`;
  const where = files.length === 0 ? '' : `; files: ${files.join(', ')}`;
  const came = verdict === 'none' ? 'no result' : verdict;
  return `${trialNames[kind]}: ${came} (${asPart(reason)}${often}${where})`;
}

const trialNames: { readonly [kind in CalibrationKind]: string } = {
  bytes: 'pinned files unchanged',
  'base-recheck': 'base recheck',
  attribution: 'attribution',
  'planted-failure': 'planted failure',
  negation: 'negation',
  'added-tests': 'added tests',
};

function runsTests({ kind }: Check): boolean {
  return kind === 'command' || kind === 'gate' || kind === 'held-out';
}

function calibrated(task: TaskState, evidence: Evidence): CalibratedCheck {
  const known = { taskId: task.spec.id, id: evidence.criterionId, trials: evidence.calibration ?? [] };
  return { ...known, ...stateOf(evidence) };
}

function stateOf({ calibration = [] }: Evidence): Pick<CalibratedCheck, 'state' | 'reason'> {
  const refused = calibration.find(({ verdict }) => verdict === 'refused');
  if (refused !== undefined) return { state: 'refused', reason: withoutFullStop(refused.reason) };
  const planted = calibration.find(({ kind }) => kind === 'planted-failure');
  if (planted?.verdict === 'passed') return { state: 'noticed', reason: '' };
  const untried = planted ?? calibration.find(({ verdict }) => verdict === 'none');
  return { state: 'not calibrated', reason: asPart(untried?.reason ?? 'no planted failure was tried') };
}

/** The text around it says that the check is not calibrated. */
function asPart(reason: string): string {
  return withoutFullStop(reason).replace(/: not calibrated$/, '');
}

/** `unit, lint (why)`: each reason appears once, and a long command in it is cut. */
function namesAndWhy(run: Run, checks: readonly CalibratedCheck[]): string {
  const groups = Map.groupBy(checks, ({ reason }) =>
    shortened(reason.replaceAll(/`[^`]*`/g, cutCommand), 160),
  );
  return [...groups]
    .map(([why, some]) => `${some.map((one) => nameOf(run, one)).join(', ')} (${why})`)
    .join(', ');
}

function cutCommand(quoted: string): string {
  return `\`${shortened(quoted.slice(1, -1), commandMax)}\``;
}

function nameOf(run: Run, { taskId, id }: CalibratedCheck): string {
  return `${run.tasks.size > 1 ? `${taskId}/` : ''}${id}`;
}
