// Describes what a run is doing, in a few words.
import { awaitedTransientErrors } from '#kernel/waiting/usage-limit.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { stuckReason } from '#kernel/decide/stuck.ts';
import { suspensionFor, suspensionWords } from '#kernel/waiting/suspension.ts';
import { firstSuspension, isSuspended } from '#views/waiting/suspended.ts';
import { attentionItems } from '#views/questions/attention-items.ts';
import { answeredLines } from '#views/questions/said.ts';
import { shortened, utc } from '#views/words.ts';
import type { Step } from '#kernel/model/step.ts';
import { isAttemptOver } from '#kernel/fold/work.ts';
import type { TransientError } from '#kernel/waiting/transient-error.ts';

export function stageOf(run: Run): string {
  if (run.outcome !== null) return run.outcome.outcome;
  if (run.stopping !== null) return 'stopping';
  const [step] = run.running.values();
  const doing = step === undefined ? null : operationText(step);
  if (run.paused !== null) return doing === null ? `paused: ${run.paused.why}` : `pausing, ${doing}`;
  const suspended = suspendedStage(run, doing);
  if (suspended !== null) return suspended;
  if (run.trouble !== null) return `waiting: ${run.trouble.reason}`;
  if (doing !== null) return doing;
  const task = currentTask(run);
  const limited = awaitedLimit(run);
  if (limited !== null) return `waiting for ${limited}; try again now: untildone resume ${run.id}`;
  const transientError = task === null ? null : transientErrorOf(task);
  if (transientError !== null) return `waiting: ${transientError.detail}`;
  if (task?.status.is === 'needs-input') return `waiting for an answer: ${task.status.question.text}`;
  const [item] = attentionItems(run);
  const [answered] = answeredLines(run);
  if (item === undefined && answered !== undefined) return answered;
  if (item !== undefined) return `waiting for a person: ${item.question}`;
  if (task?.status.is === 'proven') return 'criteria met, commit follows';
  if (task?.status.is === 'failed') return `failed: ${task.status.reason}`;
  if (task !== null && isAttemptOver(task) && task.failures.last !== null) return betweenAttempts(run, task);
  return 'between steps';
}

/** Which usage limit it waits for, until when and why; null if it waits for none. */
export function awaitedLimit(run: Run): string | null {
  const limit = awaitedTransientErrors(run).find(({ errorClass }) => errorClass === 'usage-limit');
  const until = run.limitedUntil;
  if (until === null && (limit === undefined || limit.until !== null)) return null;
  const end = until === null ? lateWords(limit?.resetAt ?? null) : `until ${utc(until)}`;
  const why = limit === undefined ? '' : ` (${withoutFullStop(shortened(limit.detail, 200))})`;
  return `a usage limit ${end}${why}`;
}

function lateWords(resetAt: number | null): string {
  const end = resetAt === null ? 'with an unknown end' : `until ${utc(resetAt)}`;
  return `${end}, longer than a run waits (usageLimit.maxWait)`;
}

/** Its driver left it to wait for a usage limit, or the limit is longer than a run waits. */
export function isParkedOnLimit(run: Run): boolean {
  return awaitedTransientErrors(run).some(
    ({ errorClass, until }) => errorClass === 'usage-limit' && (until === null || !run.isDriven),
  );
}

/** Null for a run that is not suspended, or continues with other tasks. */
function suspendedStage(run: Run, doing: string | null): string | null {
  const suspension = firstSuspension(run);
  if (suspension === null || (suspension.taskId !== null && doing !== null)) return null;
  // The question of another task comes first: it can be answered.
  if (suspension.taskId !== null && attentionItems(run)[0]?.kind === 'question') return null;
  return doing === null ? `suspended: ${suspensionWords(suspension)}` : `suspending, ${doing}`;
}

/** An unfinished run without a driver is parked, or its driver died. */
export function stateOf(run: Run, holder: string | null): string {
  if (run.outcome !== null) return run.outcome.outcome;
  if (run.paused !== null || run.trouble !== null || attentionItems(run).length > 0) return 'parked';
  // After a driver died, other tasks of the run may still have to continue.
  if (isSuspended(run) && (suspensionFor(run, null) !== null || !wasKilled(run, holder))) return 'parked';
  if (holder !== null || isAttached(run)) return 'running';
  if (isParkedOnLimit(run)) return 'parked';
  if (run.forked?.steps === run.stepsStarted) return 'not started';
  // Reopened, and no step has started since.
  return run.reopenings.at(-1)?.steps === run.stepsStarted ? 'open again' : 'interrupted';
}

function wasKilled({ isDriven }: Run, holder: string | null): boolean {
  return isDriven && holder === null;
}

/** While an attached session lives, no driver is needed. */
export function isAttached({ config, running }: Run): boolean {
  return config.foreign !== undefined && running.size > 0;
}

/** What a run is doing, or was doing when its driver ended. */
export function stageUnder(run: Run, holder: string | null): string {
  const stage = stageOf(run);
  // After a person's answer, a driver is started by hand: nothing was interrupted.
  const isInterrupted = stateOf(run, holder) === 'interrupted' && !answeredLines(run).includes(stage);
  return isInterrupted ? `interrupted; last stage: ${stage}` : stage;
}

/** Its driver died during a session, so the session's duration and cost are unknown. */
export function isCutOff(run: Run, holder: string | null): boolean {
  return run.ledger.reserved.sessions > 0 && stateOf(run, holder) === 'interrupted';
}

function betweenAttempts(run: Run, task: TaskState): string {
  const { budget, config, ledger } = run;
  if (task.attempt - task.forgiven >= budget.attemptsPerTask) return 'no attempt is left';
  if (ledger.spent.sessions >= budget.sessions) return 'no session is left';
  const stuck = stuckReason(run, task);
  if (stuck !== null) return `stuck: ${stuck}`;
  return config.policy.cooldownMs > 0 ? 'cooling down' : 'between attempts';
}

function transientErrorOf(task: TaskState): TransientError | null {
  const ofReviewers = [...task.inspection.reviews.values()].map((review) => review.transientError);
  return task.provider.transientError ?? ofReviewers.find((error) => error !== null) ?? null;
}

export function operationText({ deed }: Step): string {
  switch (deed.kind) {
    case 'prepare':
      return 'preparing the workspace';
    case 'session':
      return deed.attempt === 0 ? `${deed.role} at work` : `${deed.role} at work (attempt ${deed.attempt})`;
    case 'check':
      if (deed.purpose === 'base') return 'checking the base';
      if (deed.purpose === 'look') return 'previewing the checks';
      return deed.purpose === 'attempt' ? 'running the checks' : 'final acceptance on a clean checkout';
    case 'reproduce':
      return 'reproducing the blockers of a reviewer';
    case 'commit':
      return 'committing';
    case 'survey':
      return 'mapping the repository';
    case 'settle-plan':
      return 'checking the plan';
  }
}

/** The task under way; else the next one, else the last one. */
export function currentTask(run: Run): TaskState | null {
  const [active] = run.queue.active;
  // A task that waits for an answer is shown below; others continue meanwhile.
  const [atWork] = [...run.queue.active].filter(({ status }) => status.is !== 'needs-input');
  return atWork ?? active ?? run.queue.ready[0] ?? [...run.tasks.values()].at(-1) ?? null;
}
