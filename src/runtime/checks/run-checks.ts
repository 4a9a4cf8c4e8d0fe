// The checks of one step: cheapest first, side by side where they cannot disturb each other, none twice for nothing.
import { createHash } from 'node:crypto';
import { present } from '#base/assert.ts';
import { commandOf, describeCheck } from '#kernel/model/check.ts';
import { type Evidence, isByMachine, type MachineCriterion, type Purpose } from '#kernel/model/criterion.ts';
import { beforeOf, isLookedAtAgain, runsMax, settleRuns, strictPolicy } from '#kernel/model/flaky.ts';
import { type CriterionEvidence, type Run, taskOf } from '#kernel/fold/run.ts';
import type { CheckDeed } from '#kernel/model/step.ts';
import type { Finding } from '#ports/checker.ts';
import type { ReadWatch } from '#ports/checkouts.ts';
import type { Eyes } from '#ports/world.ts';
import { watchBaseReads } from './base-reads.ts';
import type { LookIn, LoggedFinding } from './confirm.ts';
import { confirm, hasTurnedGreen } from './confirm.ts';
import { mayHaveFewerTests } from './look-at-pins.ts';
import { doubtFewer, doubtSilence } from './silent-runner.ts';
import { watchBase } from './why-base-is-red.ts';
import type { Emit, StepOf } from '#runtime/steps/performance.ts';

export interface CheckContext {
  readonly step: StepOf<CheckDeed>;
  readonly run: Run;
  readonly world: Eyes;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

export interface Due {
  readonly taskId: string;
  readonly criterion: MachineCriterion;
  readonly costMs: number;
  readonly known: CriterionEvidence;
}

export interface CheckSite {
  readonly cwd: string;
  readonly watchReads?: (() => Promise<ReadWatch | undefined>) | undefined;
}

// Looking costs next to nothing; programs share the cores with each other.
const sideBySideMax = 4;

/** Contract: evidence is emitted as it is seen; when cancelled, the rest is left out. */
export async function runChecks(context: CheckContext, { cwd, watchReads }: CheckSite): Promise<void> {
  const due = cheapestFirst(context);
  const perform = (one: Due): Promise<void> => checkOne(context, { cwd }, one);
  // A held-out check may put files into the checkout, so it is alone there.
  const isLook = ({ criterion }: Due): boolean =>
    commandOf(criterion.check) === null && criterion.check.kind !== 'held-out';
  const looking = due.filter(isLook);
  const running = due.filter((one) => !isLook(one));
  await sideBySide(looking, perform);
  await sideBySide(
    running.filter(({ criterion }) => criterion.alone === false),
    perform,
  );
  for (const one of running.filter(({ criterion }) => criterion.alone !== false))
    await checkOne(context, { cwd, watchReads }, one);
}

async function sideBySide(due: readonly Due[], perform: (one: Due) => Promise<void>): Promise<void> {
  const waiting = [...due];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await perform(next);
  };
  await Promise.all(Array.from({ length: Math.min(sideBySideMax, due.length) }, work));
}

async function checkOne(context: CheckContext, { cwd, watchReads }: CheckSite, due: Due): Promise<void> {
  const { step, run, world, emit, signal } = context;
  if (signal.aborted) return;
  const { taskId, criterion, known } = due;
  const seenOn = {
    taskId,
    criterionId: criterion.id,
    stepId: step.stepId,
    purpose: step.deed.purpose,
    place: step.deed.place,
    tree: present(step.baseTree, 'a check has a tree'),
    command: describeCheck(criterion.check),
    ...conditionsOf(world, run, criterion),
    ...environmentOf(world, step.deed.purpose),
  };
  const again = reusable(seenOn, criterion, known);
  if (again !== null) {
    emit([{ type: 'evidence-recorded', evidence: again }]);
    return;
  }
  const endWatch = await watchBaseReads(context, criterion, watchReads);
  const found = await look(context, cwd, due, seenOn);
  if (signal.aborted || found === null) return;
  const reads = await endWatch(found.log);
  emit([{ type: 'evidence-recorded', evidence: { ...seenOn, ...found, ...reads } }]);
}

type SeenOn = Omit<Evidence, keyof Finding | 'cause' | 'log' | 'flaky' | 'looks' | 'reusedFrom'>;

/** Once, and again where a policy, an earlier failure on this tree, or a check that turned green asks for it. */
async function look(
  context: CheckContext,
  cwd: string,
  due: Due,
  seenOn: SeenOn,
): Promise<(Finding & Pick<Evidence, 'log' | 'flaky' | 'looks' | 'cause'>) | null> {
  const { step, run, world, signal } = context;
  const { taskId, criterion, known } = due;
  const policy = run.config.flaky ?? strictPolicy;
  const before = beforeOf([known[seenOn.purpose]], seenOn);
  const findings: LoggedFinding[] = [];
  let shownAt = -Infinity;
  const lookIn: LookIn = async (folder, number, runs) => {
    if (number > 1 && world.clock.now() - shownAt >= progressEveryMs) {
      shownAt = world.clock.now();
      tellProgress(context, `check ${criterion.id}: run ${number} of at most ${runs}`);
    }
    const log = logName(step, taskId, criterion.id, number);
    const mark = `${run.id}/${step.stepId}`;
    const base = watchBase(context, due);
    const request = { criterion, cwd: folder, mark, log, signal, look: number, ...base.request };
    const found = await doubt(context, due, await world.checker.check(request));
    return { ...found, ...(await base.causeOf(found)), log };
  };
  do {
    findings.push(await lookIn(cwd, findings.length + 1, runsMax(before, policy)));
    if (signal.aborted) return null;
  } while (isLookedAtAgain(verdicts(findings), before, policy));
  const [first] = findings;
  if (
    first !== undefined &&
    hasTurnedGreen(run, due, seenOn, first) &&
    settleRuns(verdicts(findings), before, policy) === null
  )
    findings.push(...(await confirm(context, due, first, { cwd, lookIn })));
  if (signal.aborted) return null;
  const looks = findings.length === 1 ? {} : { looks: findings.length };
  // What failed is told: its output is what somebody has to mend.
  const telling = findings.findLast(({ verdict }) => verdict === 'fail') ?? findings.at(-1);
  const settled = settleRuns(verdicts(findings), before, policy);
  const last = present(settled === null ? findings.at(-1) : telling, 'a check was looked at');
  return settled === null ? { ...last, ...looks } : { ...last, ...looks, ...settled };
}

/** Ten runs of a quick check are one line on the screen. */
const progressEveryMs = 2_000;

/** A repeated check may take minutes in which nothing is recorded. */
function tellProgress({ step, world }: CheckContext, text: string): void {
  for (const observer of world.observers ?? []) observer.onChatter?.(step.stepId, { type: 'notice', text });
}

/** What test runners told of before the work and do not tell of now takes a pass back. */
async function doubt(context: CheckContext, due: Due, found: Finding): Promise<Finding> {
  const { step, run, world } = context;
  const { base } = due.known;
  const command = describeCheck(due.criterion.check);
  const heard = doubtSilence(found, command, base);
  const fewer = doubtFewer(heard, command, base);
  return fewer === null || (await mayHaveFewerTests(step, run, world)) ? heard : fewer;
}

function verdicts(findings: readonly Finding[]): Finding['verdict'][] {
  return findings.map(({ verdict }) => verdict);
}

/** Tasks may name their checks alike. */
function logName(
  { stepId, taskId }: CheckContext['step'],
  owner: string,
  id: string,
  number: number,
): string {
  const whose = taskId === owner ? '' : `_${owner}`;
  return `${stepId}${whose}_${id}${number === 1 ? '' : `_${number}`}.log`;
}

/** Whatever beside tree and place decides: the check itself, the pins, the environment, what steers from outside. Nothing where that is not known. */
function conditionsOf(world: Eyes, run: Run, { check }: MachineCriterion): { conditions?: string } {
  const { environment } = world.checker;
  if (environment === undefined) return {};
  const pins = run.base?.pins ?? [];
  const steering = world.workspace.steering?.(pins) ?? '';
  const told = JSON.stringify([environment, check, pins, ...(steering === '' ? [] : [steering])]);
  return { conditions: createHash('sha256').update(told).digest('hex').slice(0, 16) };
}

/** Kept where a later `verify` compares it. */
function environmentOf({ checker }: Eyes, purpose: Purpose): Pick<Evidence, 'environment'> {
  const parts = purpose === 'acceptance' ? checker.environmentParts?.() : undefined;
  return parts === undefined ? {} : { environment: parts };
}

/**
 * A pass that was seen under the very same conditions. A failure is looked at again: that may show a flaky check.
 * Never for acceptance, which this very driver has to see, and never for what depends on more than the tree.
 */
function reusable(seenOn: SeenOn, { check }: MachineCriterion, known: CriterionEvidence): Evidence | null {
  const { purpose, tree, place, conditions, stepId } = seenOn;
  const earlier = known[purpose];
  if (purpose === 'acceptance' || earlier === undefined || conditions === undefined) return null;
  if (commandOf(check) === null || earlier.flaky !== undefined || earlier.verdict !== 'pass') return null;
  const isSame = earlier.tree === tree && earlier.place === place && earlier.conditions === conditions;
  return isSame ? { ...earlier, stepId, reusedFrom: earlier.reusedFrom ?? earlier.stepId } : null;
}

function cheapestFirst({ step, run }: CheckContext): Due[] {
  const chosen = step.deed.criteria.flatMap(({ taskId, criterionId }) => {
    const task = taskOf(run, taskId);
    const criterion = task.spec.criteria.find((one) => one.id === criterionId);
    if (criterion === undefined || !isByMachine(criterion) || criterion.check.kind === 'hook') return [];
    const known = task.evidence.get(criterionId) ?? {};
    return [{ taskId, criterion, costMs: known.base?.durationMs ?? 0, known }];
  });
  return chosen.toSorted((a, b) => a.costMs - b.costMs);
}
