// Runs the checks of one step: cheapest first, in parallel where they cannot disturb each other.
import { createHash } from 'node:crypto';
import { present } from '#base/assert.ts';
import { commandOf, describeCheck } from '#kernel/model/check.ts';
import { type Evidence, isByMachine, type MachineCriterion, type Purpose } from '#kernel/model/criterion.ts';
import { beforeOf, isRechecked, runsMax, settleRuns, strictPolicy } from '#kernel/model/flaky.ts';
import { type CriterionEvidence, taskOf } from '#kernel/fold/run.ts';
import type { CheckRequest, Finding } from '#ports/checker.ts';
import type { CheckDeps } from '#ports/world.ts';
import { watchBaseReads } from './base-reads.ts';
import {
  type CheckContext,
  type CheckSite,
  criteriaOf,
  type Due,
  logName,
  checkActivity,
  placeOf,
  reportProgress,
} from './check-context.ts';
import type { RunCheckIn, LoggedFinding } from './confirm.ts';
import { confirm, hasTurnedGreen } from './confirm.ts';
import { during } from './during.ts';
import { mayHaveFewerTests } from './check-pins.ts';
import { doubtFewer, doubtSilence } from './silent-runner.ts';
import { watchBase } from './why-base-is-red.ts';

// File checks cost next to nothing; programs share the cores.
const sideBySideMax = 4;

/**
 * Contract: emits evidence as soon as a check ends; when cancelled, skips the rest. Reads the pinned files outside
 * the repository before all checks and after them, and says when they differ.
 */
export async function runChecks(
  context: CheckContext,
  { cwd, watchReads }: CheckSite,
): Promise<{ readonly isOutsideChanged?: true }> {
  const due = cheapestFirst(context);
  const steering = steeringOf(context);
  const perform = (one: Due): Promise<void> => checkOne(context, { cwd, steering }, one);
  // A held-out check may put files into the checkout, so it runs alone there.
  const isPreview = ({ criterion }: Due): boolean =>
    commandOf(criterion.check) === null && criterion.check.kind !== 'held-out';
  const looking = due.filter(isPreview);
  const running = due.filter((one) => !isPreview(one));
  const sharing = running.filter(({ criterion }) => criterion.alone === false);
  await sideBySide(looking, sideBySideMax, perform);
  await sideBySide(sharing, sideBySideMax, perform);
  for (const one of running.filter(({ criterion }) => criterion.alone !== false))
    await checkOne(context, { cwd, watchReads, steering }, one);
  if (context.signal.aborted || steeringOf(context) === steering) return {};
  return { isOutsideChanged: true };
}

/** Contract: at most `most` of them at once. */
export async function sideBySide<Item>(
  items: readonly Item[],
  most: number,
  perform: (one: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await perform(next);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
}

interface SteeredSite extends CheckSite {
  /** The state of the pinned files outside the repository before the checks. */
  readonly steering: string;
}

async function checkOne(
  context: CheckContext,
  { cwd, watchReads, steering }: SteeredSite,
  due: Due,
): Promise<void> {
  const { step, run, world, emit, signal } = context;
  if (signal.aborted) return;
  const { criterion, known } = due;
  const evidenceContext = {
    ...placeOf(step, due),
    ...conditionsOf({ world, run, steering }, criterion),
    ...environmentOf(world, step.deed.purpose),
  };
  const again = reusable(evidenceContext, criterion, known);
  if (again !== null) {
    emit([{ type: 'evidence-recorded', evidence: again }]);
    return;
  }
  const endWatch = await watchBaseReads(context, criterion, watchReads);
  const found = await runCheck(context, cwd, due, evidenceContext);
  if (signal.aborted || found === null) return;
  const reads = await endWatch(found.log);
  emit([{ type: 'evidence-recorded', evidence: { ...evidenceContext, ...found, ...reads } }]);
}

type EvidenceContext = Omit<Evidence, keyof Finding | 'cause' | 'log' | 'flaky' | 'looks' | 'reusedFrom'>;

/** Runs it once, and again if the policy, an earlier failure on this tree, or a new green asks for it. */
async function runCheck(
  context: CheckContext,
  cwd: string,
  due: Due,
  evidenceContext: EvidenceContext,
): Promise<(Finding & Pick<Evidence, 'log' | 'flaky' | 'looks' | 'cause'>) | null> {
  const { step, run, world, signal } = context;
  const { taskId, criterion, known } = due;
  const policy = run.config.flaky ?? strictPolicy;
  const before = beforeOf([known[evidenceContext.purpose]], evidenceContext);
  const findings: LoggedFinding[] = [];
  let shownAt = -Infinity;
  const runIn: RunCheckIn = async (folder, number, runs) => {
    if (number > 1 && world.clock.now() - shownAt >= progressEveryMs) {
      shownAt = world.clock.now();
      reportProgress(context, `check ${criterion.id}: run ${number} of at most ${runs}`);
    }
    const log = logName(step, taskId, criterion.id, number);
    const mark = `${run.id}/${step.stepId}`;
    const base = watchBase(context, due);
    const own: CheckRequest = { criterion, cwd: folder, mark, log, signal, runNumber: number };
    const request = { ...own, ...base.request };
    const activity = {
      ...checkActivity(step.stepId, criterion),
      run: number,
      runsMax: Math.max(number, runs),
    };
    const finding = await during(world, activity, () => world.checker.check(request));
    const found = await doubt(context, due, finding);
    return { ...found, ...(await base.causeOf(found)), log };
  };
  do {
    findings.push(await runIn(cwd, findings.length + 1, runsMax(before, policy)));
    if (signal.aborted) return null;
  } while (isRechecked(verdicts(findings), before, policy));
  const [first] = findings;
  if (
    first !== undefined &&
    hasTurnedGreen(run, due, evidenceContext, first) &&
    settleRuns(verdicts(findings), before, policy) === null
  )
    findings.push(...(await confirm(context, due, first, { cwd, runIn })));
  if (signal.aborted) return null;
  const repeated = findings.length === 1 ? {} : { looks: findings.length };
  // A failing run wins, because its output shows what to fix.
  const telling = findings.findLast(({ verdict }) => verdict === 'fail') ?? findings.at(-1);
  const settled = settleRuns(verdicts(findings), before, policy);
  const last = present(settled === null ? findings.at(-1) : telling, 'a check was looked at');
  return settled === null ? { ...last, ...repeated } : { ...last, ...repeated, ...settled };
}

/** Ten runs of a quick check show as one line. */
const progressEveryMs = 2_000;

/** Tests that ran before the work and are not reported now take a pass back. */
async function doubt(context: CheckContext, due: Due, found: Finding): Promise<Finding> {
  const { step, run, world } = context;
  const { base } = due.known;
  const command = describeCheck(due.criterion.check);
  const judged = doubtSilence(found, command, base);
  const fewer = doubtFewer(judged, command, base);
  return fewer === null || (await mayHaveFewerTests(step, run, world)) ? judged : fewer;
}

function verdicts(findings: readonly Finding[]): Finding['verdict'][] {
  return findings.map(({ verdict }) => verdict);
}

/** '' if nothing outside the repository is pinned, or evidence is not reused anyway. */
function steeringOf({ world, run }: CheckContext): string {
  if (world.checker.environment === undefined) return '';
  return world.workspace.steering?.(run.base?.pins ?? []) ?? '';
}

/** A hash of all that decides beside tree and place: check, pins, environment, steering. Empty if unknown. */
function conditionsOf(
  { world, run, steering }: Pick<CheckContext, 'world' | 'run'> & Pick<SteeredSite, 'steering'>,
  { check }: MachineCriterion,
): { conditions?: string } {
  const { environment } = world.checker;
  if (environment === undefined) return {};
  const pins = run.base?.pins ?? [];
  const key = JSON.stringify([environment, check, pins, ...(steering === '' ? [] : [steering])]);
  return { conditions: createHash('sha256').update(key).digest('hex').slice(0, 16) };
}

/** Kept for a later `verify` to compare. */
function environmentOf({ checker }: CheckDeps, purpose: Purpose): Pick<Evidence, 'environment'> {
  const parts = purpose === 'acceptance' ? checker.environmentParts?.() : undefined;
  return parts === undefined ? {} : { environment: parts };
}

/**
 * Reuses a pass from the same conditions. A failure runs again, because that may reveal a flaky check. Never
 * for acceptance, which this driver must see, nor for checks that start no program.
 */
function reusable(
  evidenceContext: EvidenceContext,
  { check }: MachineCriterion,
  known: CriterionEvidence,
): Evidence | null {
  const { purpose, tree, place, conditions, stepId } = evidenceContext;
  const earlier = known[purpose];
  if (purpose === 'acceptance' || earlier === undefined || conditions === undefined) return null;
  if (commandOf(check) === null || earlier.flaky !== undefined || earlier.verdict !== 'pass') return null;
  const isSame = earlier.tree === tree && earlier.place === place && earlier.conditions === conditions;
  return isSame ? { ...earlier, stepId, reusedFrom: earlier.reusedFrom ?? earlier.stepId } : null;
}

function cheapestFirst(context: CheckContext): Due[] {
  const chosen = criteriaOf(context).flatMap(({ taskId, criterion }): Due[] => {
    if (!isByMachine(criterion) || criterion.check.kind === 'hook') return [];
    const known = taskOf(context.run, taskId).evidence.get(criterion.id) ?? {};
    return [{ taskId, criterion, costMs: known.base?.durationMs ?? 0, known }];
  });
  return chosen.toSorted((a, b) => a.costMs - b.costMs);
}
