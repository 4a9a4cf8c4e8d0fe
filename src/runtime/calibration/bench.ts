// Runs one check on trees that we made, each on a fresh checkout, and counts runs and time.
import type { Calibration, CalibrationKind } from '#kernel/model/calibration.ts';
import { describeCheck } from '#kernel/model/check.ts';
import type { Evidence, MachineCriterion } from '#kernel/model/criterion.ts';
import type { Finding } from '#ports/checker.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { CleanCheckout } from '#ports/checkouts.ts';
import { type CheckContext, logName } from '#runtime/checks/check-context.ts';
import { during } from '#runtime/checks/during.ts';
import { boundedOutput } from '#analysis/output/bounded-output.ts';
import { calibrationMsMax } from './limits.ts';

/** A check that the acceptance relies on, with its evidence. */
export interface Subject {
  readonly context: CheckContext;
  readonly taskId: string;
  readonly criterion: MachineCriterion;
  /** The check on the base of its task; null if it never ran there. */
  readonly base: Evidence | null;
  /** The evidence of this step. */
  readonly now: Evidence;
  /** Duration of its calibration so far. */
  readonly spent: { ms: number };
}

export interface Trial {
  readonly verdict: Finding['verdict'];
  readonly output: string;
  /** Files of the checkout that the check read; null if the file system cannot report them. */
  readonly reads: readonly string[] | null;
}

export interface Bench {
  /** Null if the tree cannot be checked out, the run was cancelled, or this check's trials took too long. */
  run(tree: string, timeoutMs?: number): Promise<Trial | null>;
  conclude(
    verdict: Calibration['verdict'],
    reason: string,
    more?: Pick<Calibration, 'files' | 'asks' | 'restsOnAddedFiles'>,
  ): Calibration;
}

export function openBench(subject: Subject, kind: CalibrationKind): Bench {
  const logs: string[] = [];
  let durationMs = 0;
  let isCut = false;
  return {
    async run(tree, timeoutMs) {
      isCut ||= subject.spent.ms >= calibrationMsMax;
      if (isCut) return null;
      const { context, taskId, criterion } = subject;
      const log = logName(context.step, taskId, `${criterion.id}_${kind}`, logs.length + 1);
      const { stepId } = context.step;
      const command = describeCheck(criterion.check);
      const found = await during(context.world, { kind: 'calibration', stepId, command, trial: kind }, () =>
        tryOn(subject, { tree, log, timeoutMs }),
      );
      if (found === null) return null;
      logs.push(log);
      durationMs += found.durationMs;
      subject.spent.ms += found.durationMs;
      return found;
    },
    conclude: (verdict, found, more = {}) => {
      const reason = isCut && verdict === 'none' ? cutReason(subject) : found;
      const files = more.files === undefined ? {} : { files: more.files.slice(0, filesMax) };
      return { kind, verdict, reason, runs: logs.length, durationMs, logs: [...logs], ...more, ...files };
    },
  };
}

function cutReason({ criterion }: Subject): string {
  return `\`${describeCheck(criterion.check)}\` ran for ${calibrationMsMax / 60_000} minutes in trials: not calibrated any further.`;
}

/** Evidence is kept for good, and more names help no reader. */
const filesMax = 50;

interface Order {
  readonly tree: string;
  readonly log: string;
  readonly timeoutMs: number | undefined;
}

async function tryOn(
  { context, criterion }: Subject,
  { tree, log, timeoutMs }: Order,
): Promise<(Trial & Pick<Finding, 'durationMs'>) | null> {
  const { step, run, world, signal } = context;
  const checkout = signal.aborted ? null : await openCheckout(context, tree);
  if (checkout === null) return null;
  try {
    const watch = await checkout.watchReads?.();
    const output = boundedOutput();
    const { verdict, durationMs } = await world.checker.check({
      criterion: timeoutMs === undefined ? criterion : withTimeout(criterion, timeoutMs),
      cwd: checkout.cwd,
      mark: `${run.id}/${step.stepId}`,
      log,
      signal,
      onOutput: output.add,
    });
    const reads = (await watch?.stop()) ?? null;
    return signal.aborted ? null : { verdict, durationMs, output: output.text(), reads };
  } finally {
    await checkout.dispose();
  }
}

/** Old settings beside new dependencies may not install; then there is nothing to try. */
async function openCheckout({ world }: CheckContext, tree: string): Promise<CleanCheckout | null> {
  try {
    return await world.workspace.cleanCheckout(tree);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return null;
  }
}

function withTimeout(criterion: MachineCriterion, timeoutMs: number): MachineCriterion {
  const { check } = criterion;
  if (check.kind !== 'command' && check.kind !== 'gate') return criterion;
  return { ...criterion, check: { ...check, timeoutMs: Math.min(check.timeoutMs, timeoutMs) } };
}
