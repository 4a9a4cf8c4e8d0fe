// Judges a session by its checks: which criteria passed, which regressed, and how its own criterion fared.
import { describeSessionEnding } from '#kernel/model/ending.ts';
import type { Fact } from '#kernel/events/events.ts';
import { wholeTask } from '#kernel/fold/loop.ts';
import type { Move } from '#kernel/decide/policy.ts';
import { gapsInProof } from '#kernel/proof/proof.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import { isDecidedAtOnce, isLeftOpen, isPlain, wanted } from './open-criteria.ts';

export interface Judged {
  readonly isPassed: boolean;
  readonly facts: readonly Fact[];
  /** The problem, as the end of "while …"; '' if there is none. */
  readonly why: string;
}

export function judgeSession(
  run: Run,
  task: TaskState,
  { build, tree }: { readonly build: SessionResult; readonly tree: string },
): Judged {
  const { focus } = task.loop;
  const problem = whatIsWrong(run, task, build, tree);
  const facts = [...passedAndBroken(run, task, tree, problem === null)];
  if (problem !== null) {
    facts.push(...failureOf(task, focus, problem));
    return { isPassed: false, facts, why: `${focus ?? 'the work'} is open: ${problem}` };
  }
  // A session without a focus was about all criteria.
  const about = focus === null ? wanted(run, task) : task.spec.criteria.filter(({ id }) => id === focus);
  for (const criterion of about) {
    const isDecided =
      isDecidedAtOnce(run, criterion) && !isLeftOpen(task.evidence.get(criterion.id)?.attempt);
    if (isDecided || task.loop.attempted.has(criterion.id)) continue;
    facts.push({ type: 'criterion-attempted', taskId: task.spec.id, criterionId: criterion.id });
  }
  return { isPassed: true, facts, why: '' };
}

/** Reopens regressions at once. A criterion that was green from the start passes only by its own session. */
function* passedAndBroken(run: Run, task: TaskState, tree: string, isSound: boolean): Generator<Fact> {
  const { focus, passed } = task.loop;
  const { id: taskId } = task.spec;
  for (const criterion of wanted(run, task)) {
    const { id: criterionId } = criterion;
    const evidence = task.evidence.get(criterionId)?.attempt;
    if (!isDecidedAtOnce(run, criterion) || evidence?.tree !== tree) continue;
    if (evidence.verdict !== 'pass') {
      if (passed.has(criterionId) && !isLeftOpen(evidence))
        yield {
          type: 'criterion-reopened',
          taskId,
          criterionId,
          reason: `it passed before: ${evidence.reason}`,
        };
      continue;
    }
    const wasGreen = task.evidence.get(criterionId)?.base?.verdict === 'pass';
    const isItsOwn = criterionId === focus || focus === null || !wasGreen || isPlain(criterion);
    if (isSound && isItsOwn && !passed.has(criterionId))
      yield { type: 'criterion-passed', taskId, criterionId, tree };
  }
}

function whatIsWrong(run: Run, task: TaskState, build: SessionResult, tree: string): string | null {
  const { focus } = task.loop;
  const gaps = gapsInProof(run, task, tree);
  const whole = gaps.filter((gap) => gap.criterionId === null && gap.awaits === undefined);
  if (whole.length > 0) return whole.map(({ why }) => why).join('; ');
  const criterion = task.spec.criteria.find(({ id }) => id === focus);
  if (criterion === undefined) return wrongWithAll(run, task, build, tree);
  if (isDecidedAtOnce(run, criterion)) {
    const evidence = task.evidence.get(criterion.id)?.attempt;
    if (evidence?.tree === tree && (evidence.verdict === 'pass' || isLeftOpen(evidence))) return null;
    return evidence?.tree === tree ? evidence.reason : 'was not checked on this tree';
  }
  if (build.signal?.kind === 'done') return null;
  return `the builder did not say that it is done (it ${describeSessionEnding(build.ending)})`;
}

function wrongWithAll(run: Run, task: TaskState, build: SessionResult, tree: string): string | null {
  const isNew = task.commit === null && !run.config.policy.mayLeaveTreeUnchanged;
  if (isNew && tree === (task.start.tree ?? run.base?.tree)) return 'the agent changed nothing';
  const failed: string[] = [];
  let isDecided = false;
  for (const criterion of wanted(run, task)) {
    if (!isDecidedAtOnce(run, criterion)) continue;
    isDecided = true;
    const evidence = task.evidence.get(criterion.id)?.attempt;
    if (evidence?.tree !== tree) failed.push(`${criterion.id}: was not checked on this tree`);
    else if (evidence.verdict !== 'pass' && !isLeftOpen(evidence))
      failed.push(`${criterion.id}: ${evidence.reason}`);
  }
  if (failed.length > 0) return failed.join('; ');
  return isDecided || build.signal?.kind === 'done' ? null : 'the builder did not say that it is done';
}

/** Counts against the criterion, and ends the attempt. */
export function failCriterion(task: TaskState, criterionId: string | null, reason: string): Move {
  return { kind: 'conclude', facts: failureOf(task, criterionId, reason) };
}

function failureOf(task: TaskState, criterionId: string | null, reason: string): Fact[] {
  const { id: taskId } = task.spec;
  const named = criterionId === null ? reason : `${criterionId}: ${reason}`;
  return [
    { type: 'criterion-failed', taskId, criterionId: criterionId ?? wholeTask, reason },
    { type: 'attempt-failed', taskId, attempt: task.attempt, reason: named },
  ];
}
