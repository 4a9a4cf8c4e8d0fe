// Applies the start and the end of a step.
import { present } from '#base/assert.ts';
import { activate, finishTask } from './ready-tasks.ts';
import { isBaseChecked } from './criteria-change.ts';
import { isConversationGone, isTransient } from '#kernel/model/ending.ts';
import { endPlanOperation, endPlanSession } from '#kernel/planning/apply-plan.ts';
import { emptyInspection, reviewBy, startReview } from './review.ts';
import { countAttempt } from './loop.ts';
import { endTurn, startTurn } from '#kernel/actions/action-loop.ts';
import { isSameAgent } from '#kernel/waiting/usage-limit.ts';
import { type Run, taskOf, type TaskState } from './run.ts';
import type {
  CheckOperation,
  SessionOperation,
  SessionResult,
  Step,
  StepResult,
} from '#kernel/model/step.ts';
import type { PastSession } from '#kernel/model/session-name.ts';
import { endBuild, startBuild, takeHooked } from './work.ts';
import type { TransientError } from '#kernel/waiting/transient-error.ts';
import { releaseReserve, settleReserve } from '#kernel/model/budget.ts';
import { sendAgain, sendWithPrompt } from './conversation.ts';

export function applyStepStarted(run: Run, step: Step): void {
  run.running.set(step.stepId, step);
  run.stepsStarted += 1;
  const task = taskFor(run, step);
  if (step.deed.kind === 'session') {
    run.ordinals.set(step.deed.role, step.deed.ordinal);
    run.limitedUntil = null;
  }
  if (task === null) return;
  task.runningSteps += 1;
  if (step.deed.kind === 'session') startSession(run, task, step, step.deed);
  if (step.deed.kind === 'check' && step.deed.purpose === 'look') task.previews.asked = [];
  if (step.deed.kind === 'check' && step.deed.purpose === 'base') task.start.tree ??= step.baseTree;
}

/** The agent of a lost session may not have received its prompt. */
export function applyStepLost(run: Run, step: Step): void {
  const task = taskFor(run, step);
  noteSession(run, step, { ran: null });
  if (task !== null && step.deed.kind === 'session' && !step.deed.readOnly) sendAgain(run, task.dialogue);
  if (task !== null && step.deed.kind === 'check') forgetEvidence(task, step.stepId, step.deed);
}

export function applyStepEnded(run: Run, step: Step, result: StepResult): void {
  const task = taskFor(run, step);
  switch (result.kind) {
    case 'prepare':
      // Prepared again, such as for a new criterion: the base of the run does not change.
      run.arePinsDue = false;
      if (run.base !== null) {
        run.base = { ...run.base, pins: result.pins };
        return;
      }
      run.base = {
        commit: result.baseCommit,
        tree: result.baseTree,
        branch: result.branch,
        pins: result.pins,
      };
      run.tip = { commit: result.baseCommit, tree: result.baseTree };
      return;
    case 'session':
      return task === null ? endRunSession(run, step, result) : endSession(run, task, step, result);
    case 'check':
      return endCheck(run, task, step, result);
    case 'commit': {
      const landed = present(task, 'a commit lands a task');
      run.tip = { commit: result.commit, tree: present(step.baseTree, 'a commit has a tree') };
      run.acceptance = null;
      if (step.deed.kind === 'commit' && step.deed.checkpoint !== undefined) return checkpoint(run, landed);
      landed.commit = result.commit;
      return finishTask(run, landed, { is: 'landed' });
    }
    // Its findings have their own events.
    case 'reproduce':
      return;
    case 'survey':
    case 'settle-plan':
      return endPlanOperation(run, result);
    case 'refused':
      applyStepLost(run, step);
      run.trouble = { reason: result.reason, hint: result.hint };
      return;
  }
}

/** The work continues from the checkpoint; none of it is proven or landed. */
function checkpoint(run: Run, task: TaskState): void {
  task.base = run.tip;
  task.loop.sinceCheckpoint = 0;
  if (run.tip !== null) task.loop.checkpoints.push(run.tip.commit);
}

function startSession(run: Run, task: TaskState, step: Step, operation: SessionOperation): void {
  if (task.status.is === 'ready') activate(run, task);
  if (operation.readOnly) return startReview(task, step, operation);
  const isNewAttempt = operation.attempt !== task.attempt;
  if (isNewAttempt || step.baseTree === run.tip?.tree) task.base = run.tip;
  if (isNewAttempt) {
    task.attempt = operation.attempt;
    countAttempt(task.loop, operation.criterionId);
  }
  startBuild(task, { isNewAttempt });
  task.loop.focus = operation.criterionId ?? null;
  startTurn(task, operation);
  task.inspection = emptyInspection();
  sendWithPrompt(run, task.dialogue);
}

function endSession(run: Run, task: TaskState, step: Step, result: SessionResult): void {
  if (step.deed.kind !== 'session') return;
  const { ending, ran, usage } = result;
  if (result.notAdmitted !== true)
    noteSession(run, step, { ran: ending.kind === 'not-started' ? null : ran, usage });
  if (step.deed.readOnly) {
    const review = reviewBy(task, step.stepId);
    if (review === null) return;
    review.result = result;
    review.transientError = transientErrorAfter(run, review.transientError, step.deed, result);
    return;
  }
  task.provider.transientError = transientErrorAfter(run, task.provider.transientError, step.deed, result);
  const { role, agent } = step.deed;
  if (ending.kind === 'interrupted') task.dialogue.resume = { role, id: ending.resumeId, agent };
  if (result.notAdmitted === true) task.dialogue.resume = task.dialogue.sent.resume;
  if (isUnheard(result)) sendAgain(run, task.dialogue);
  endTurn(task, step.deed, result);
  endBuild(task, result);
  task.workTree = result.endTree ?? task.workTree;
}

/** Whether the agent may not have received its prompt. */
function isUnheard({ ending, notAdmitted }: SessionResult): boolean {
  if (notAdmitted === true || isConversationGone(ending)) return true;
  return ending.kind === 'cancelled' || ending.kind === 'not-started';
}

/** A session of the architect or the reflector. */
function endRunSession(run: Run, step: Step, result: SessionResult): void {
  if (step.deed.kind !== 'session') return;
  const { role } = step.deed;
  const { ending, ran, usage, notAdmitted } = result;
  if (notAdmitted !== true)
    noteSession(run, step, { ran: ending.kind === 'not-started' ? null : ran, usage });
  const { stepId, baseTree } = step;
  const tree = present(baseTree, 'a session has a tree');
  endPlanSession(
    run,
    role,
    { stepId, tree, result },
    transientErrorAfter(run, run.plan.transientError, step.deed, result),
  );
}

function noteSession(
  run: Run,
  { taskId, stepId, deed }: Step,
  ended: Pick<PastSession, 'ran' | 'usage'>,
): void {
  if (deed.kind !== 'session') return;
  const { role, ordinal, attempt, agent } = deed;
  run.sessions.push({ taskId: taskId ?? '', stepId, role, ordinal, attempt, agent, ...ended });
}

/** A transient error; any other ending resets the count. */
function transientErrorAfter(
  run: Run,
  before: TransientError | null,
  { role, agent }: SessionOperation,
  { ending }: SessionResult,
): TransientError | null {
  if (ending.kind !== 'failed' || !isTransient(ending.errorClass)) return null;
  const { errorClass, detail, resetAt } = ending;
  const row = before === null || before.count === 0 ? null : before;
  const isSame = row !== null && isSameAgent(row.agent ?? agent, agent);
  const wallAt = run.now - run.lagMs;
  return {
    role,
    errorClass,
    detail,
    count: isSame ? row.count + 1 : 1,
    at: run.now,
    ...(run.lagMs === 0 ? {} : { wallAt }),
    resetAt: resetAt ?? null,
    until: null,
    agent,
    since: row?.since ?? row?.wallAt ?? row?.at ?? wallAt,
  };
}

function endCheck(
  run: Run,
  task: TaskState | null,
  step: Step,
  result: StepResult & { kind: 'check' },
): void {
  if (step.deed.kind !== 'check') return;
  if (result.isOutsideChanged === true) for (const each of run.tasks.values()) distrust(each, step);
  if (step.deed.purpose === 'look')
    return endPreview(present(task, 'a look is for a task'), step.deed, result);
  const tree = present(step.baseTree, 'a check has a tree');
  const { treeAfter, brokenPins, runsAfterLanding } = result;
  if (treeAfter !== tree && task !== null) distrust(task, step);
  switch (step.deed.purpose) {
    case 'base':
      if (task !== null) task.start.checked[step.deed.when] = isBaseChecked(task, step.deed.when);
      return;
    case 'attempt':
      present(task, 'an attempt is checked for a task').inspection.checked = { tree, treeAfter, brokenPins };
      if (task !== null && result.hookTree !== undefined && takeHooked(task, result.hookTree))
        task.workTree = result.hookTree;
      return;
    case 'acceptance':
      run.acceptance = {
        stepId: step.stepId,
        epoch: run.epoch,
        isPassed: false,
        tree,
        treeAfter,
        brokenPins,
        ...(runsAfterLanding === undefined ? {} : { runsAfterLanding }),
      };
      return;
  }
}

/** The files may have changed during a step that was cut off, so its checks run again. */
function forgetEvidence(task: TaskState, stepId: string, { purpose }: CheckOperation): void {
  for (const known of task.evidence.values()) if (known[purpose]?.stepId === stepId) delete known[purpose];
}

/** If a check changed files that checks depend on, its evidence is never reused, nor held against the check. */
function distrust(task: TaskState, { stepId, deed }: Step): void {
  if (deed.kind !== 'check') return;
  for (const known of task.evidence.values()) {
    const evidence = known[deed.purpose];
    if (evidence?.stepId !== stepId) continue;
    const { conditions: _, ...rest } = evidence;
    known[deed.purpose] = rest;
  }
}

/** Several times the number of pending requests; a process reads the answer to its request within seconds. */
const answersMax = 100;

/** A preview also answers earlier requests, because it ran after them. */
function endPreview(
  task: TaskState,
  { looks = [] }: CheckOperation,
  result: StepResult & { kind: 'check' },
): void {
  const { tree = '', treeAfter, brokenPins } = result;
  const answers = [...(task.previews.newest?.answers ?? []), ...looks].slice(-answersMax);
  task.previews.newest = { answers, tree, treeAfter, brokenPins };
}

function taskFor(run: Run, step: Step): TaskState | null {
  return step.taskId === null ? null : present(run.tasks.get(step.taskId), `task ${step.taskId} is known`);
}

export function settleStep(ledger: Run['ledger'], reserve: Step['reserve'], result: StepResult): void {
  if (result.kind !== 'session') return settleReserve(ledger, reserve, { usd: 0, tokens: 0 });
  if (result.notAdmitted === true) return releaseReserve(ledger, reserve);
  settleReserve(ledger, reserve, result.usage);
}

export function takeRunning(run: Run, stepId: string) {
  const step = present(run.running.get(stepId), `only a running step ends: ${stepId}`);
  run.running.delete(stepId);
  if (step.taskId !== null) taskOf(run, step.taskId).runningSteps -= 1;
  return step;
}
