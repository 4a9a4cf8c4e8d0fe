// After our own checks: reviewers one by one, then a person for what only a person can say.
import { present } from '#kernel/assert.ts';
import { isMachineCheck } from '#kernel/check.ts';
import type { Criterion, Evidence } from '#kernel/criterion.ts';
import { describeSessionEnding } from '#kernel/ending.ts';
import type { Fact } from '#kernel/events.ts';
import type { Move } from '#kernel/policy.ts';
import type { Run, TaskState } from '#kernel/run.ts';
import type { SessionDeed, SessionResult } from '#kernel/step.ts';
import { reviewerPrompt } from '#policies/prompts/reviewer-prompt.ts';
import { recover } from '#policies/recovering/recover.ts';
import { agentFor } from './agent-for.ts';
import { failAttempt, giveUp, hopelessReason } from './moves.ts';

/** What stands between green checks and proof; null when nothing does. */
export function reviewNext(run: Run, task: TaskState, tree: string): Move | null {
  for (const criterion of task.spec.criteria) {
    if (isMachineCheck(criterion.check) || criterion.kind !== 'exit') continue;
    const seen = task.evidence.get(criterion.id)?.attempt;
    const verdict = seen?.tree === tree ? seen.verdict : null;
    if (verdict === 'pass') continue;
    if (verdict === 'fail') return failAttempt(task, `${criterion.id}: ${seen?.reason ?? 'failed'}`);
    if (criterion.check.kind === 'human')
      return { kind: 'park', why: `a person's approval: ${criterion.check.question}` };
    return review(run, task, { tree, criterion, role: criterion.check.role });
  }
  return null;
}

interface Pending {
  readonly tree: string;
  readonly criterion: Criterion;
  readonly role: string;
}

function review(run: Run, task: TaskState, pending: Pending): Move {
  if (task.reviewerErrors >= run.config.policy.reviewerErrorsMax) {
    return giveUp(
      task,
      'failed',
      `the ${pending.role} gave no valid verdict ${task.reviewerErrors} times in a row`,
    );
  }
  const { review: last } = task;
  if (last === null || last.role !== pending.role || last.baseTree !== pending.tree || last.result === null) {
    return startReviewer(run, task, pending);
  }
  return judge(run, task, { ...pending, stepId: last.stepId, result: last.result });
}

function judge(
  run: Run,
  task: TaskState,
  seen: Pending & { readonly stepId: string; readonly result: SessionResult },
): Move {
  const { result, tree, stepId } = seen;
  const hopeless = hopelessReason(result.ending);
  if (hopeless !== null) return giveUp(task, 'failed', hopeless);
  if (task.setback?.role === seen.role)
    return recover(run, task, task.setback) ?? startReviewer(run, task, seen);
  if (result.ending.kind === 'interrupted' || result.ending.kind === 'cancelled')
    return startReviewer(run, task, seen);
  if (run.movedBranch.has(stepId))
    return reviewerError(task, stepId, 'it committed, so its verdict is not valid');
  if (result.endTree !== tree)
    return reviewerError(task, stepId, 'it changed files, so its verdict is not valid');
  if (result.ending.kind !== 'finished')
    return reviewerError(task, stepId, `it ${describeSessionEnding(result.ending)}`);
  switch (result.signal?.kind) {
    case 'done':
      return conclude(evidence(task, seen, 'pass', `the ${seen.role} passed it`));
    case 'report':
      return conclude(
        { type: 'report-received', taskId: task.spec.id, stepId, text: result.signal.text },
        evidence(task, seen, 'fail', `the ${seen.role} reported failures`),
      );
    default:
      return reviewerError(task, stepId, 'it said nothing that could be read as a verdict');
  }
}

function startReviewer(run: Run, task: TaskState, { tree, role }: Pending): Move {
  const config = present(run.config.roles[role], `role ${role} is configured`);
  const deed: SessionDeed = {
    kind: 'session',
    role,
    attempt: task.attempt,
    ordinal: (run.ordinals.get(role) ?? 0) + 1,
    agent: agentFor(run, task, role),
    prompt: reviewerPrompt(run, task, role),
    readOnly: true,
    words: config.words,
    limits: config.limits,
    resume: task.resume?.role === role ? task.resume.id : null,
  };
  return { kind: 'start', deed, baseTree: tree };
}

function evidence(
  task: TaskState,
  seen: Pending & { readonly stepId: string },
  verdict: 'pass' | 'fail',
  reason: string,
): Fact {
  const found: Evidence = {
    taskId: task.spec.id,
    criterionId: seen.criterion.id,
    stepId: seen.stepId,
    purpose: 'attempt',
    place: 'workspace',
    tree: seen.tree,
    verdict,
    reason,
    command: null,
    ending: null,
    tail: '',
    log: null,
    durationMs: 0,
  };
  return { type: 'evidence-recorded', evidence: found };
}

function reviewerError(task: TaskState, stepId: string, reason: string): Move {
  return conclude({ type: 'reviewer-failed', taskId: task.spec.id, stepId, reason });
}

function conclude(...facts: Fact[]): Move {
  return { kind: 'conclude', facts };
}
