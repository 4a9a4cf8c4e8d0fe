// A run that plans: plan, build, reflect at milestones, replan after failures, check the goal itself last.
import { present } from '#base/assert.ts';
import type { PlanningSettings } from '#kernel/model/config.ts';
import { stuckRunOf, driftText, isUnanswered, whyNoPlan } from '#kernel/planning/stuck-run.ts';
import { describeSessionEnding } from '#kernel/model/ending.ts';
import type { Fact } from '#kernel/events/events.ts';
import { goalTaskId, isGoalMet } from '#kernel/proof/goals.ts';
import { byPolicy } from '#kernel/proof/narrowing.ts';
import type { PlanCause } from '#kernel/planning/plan.ts';
import type { Policy, RunMove } from '#kernel/decide/policy.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { SessionOperation } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { buildThenReview } from '#policies/loops/build-then-review.ts';
import { hopelessReason } from '#policies/loops/moves.ts';
import { architectPrompt } from '#policies/prompts/architect-prompt.ts';
import { reflectorPrompt } from '#policies/prompts/reflector-prompt.ts';
import { planAtFault } from '#policies/fallbacks/next-attempt-by.ts';
import { recovery } from '#policies/fallbacks/recover.ts';
import { newlyCrossed, readReflection } from './milestones.ts';
import type { PlanState } from '#kernel/planning/plan-state.ts';
import { isAttemptOver } from '#kernel/fold/work.ts';
import { endReasonOf } from '#kernel/model/task.ts';

export const campaignPolicy: Policy = {
  name: 'campaign',
  nextMove(run, task) {
    return standsAlready(run, task) ?? replanDue(run, task) ?? buildThenReview.nextMove(run, task);
  },
  nextForRun(run) {
    const planning = present(run.config.policy.planning ?? null, 'a campaign plans');
    return (
      planNext(run, planning) ??
      driftNext(run, planning) ??
      brokenNext(run, planning) ??
      goalNext(run, planning)
    );
  },
};

/** The empty tree, by the length of git's hashes: the architect works from its prompt alone. */
const nothingToRead: { readonly [length: number]: string | undefined } = {
  40: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  64: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

function planNext(run: Run, planning: PlanningSettings): RunMove | null {
  const { plan } = run;
  if (plan.proposal !== null) {
    const { version, by, isApproved, approvedBy } = plan.proposal;
    if (isApproved === true) return conclude({ type: 'plan-adopted', version, by });
    if (approvedBy !== undefined) return conclude({ type: 'plan-adopted', version, by: approvedBy });
    if (planning.approval === 'nobody') return conclude({ type: 'plan-adopted', version, by: byPolicy });
    return { kind: 'park', why: `a person's approval of plan ${version}` };
  }
  if (plan.answer !== null) return judgeAnswer(run, plan.answer);
  if (plan.wanted !== null) return askArchitect(run, planning);
  if (plan.version === 0) return conclude({ type: 'plan-wanted', cause: 'start', why: 'the run begins' });
  return null;
}

function judgeAnswer(run: Run, { stepId, tree, result }: NonNullable<PlanState['answer']>): RunMove {
  const { plan } = run;
  const hopeless = hopelessReason(result.ending);
  if (hopeless !== null) return endRun('failed', `the architect could not work: ${hopeless}`);
  const refuse = (...problems: string[]): RunMove => conclude({ type: 'plan-refused', stepId, problems });
  if (result.endTree !== null && result.endTree !== tree)
    return refuse('files were changed; an architect only plans');
  const text = result.signal?.kind === 'report' ? result.signal.text : null;
  const how =
    result.ending.kind === 'finished' ? '' : ` (the session ${describeSessionEnding(result.ending)})`;
  if (text === null) return refuse(`there is no plan between <plan> and </plan>${how}`);
  if (plan.settled === null) return startForRun(run, { kind: 'settle-plan', text });
  const { problems, tasks, dropped, reasons = [], notes } = plan.settled;
  if (problems.length > 0) return refuse(...problems);
  const ruled = tasks.map((spec) => underItsRules(run.tasks.get(spec.id)?.spec, spec));
  const unchanged = failedAgain(run, ruled);
  if (unchanged.length > 0) return refuse(...unchanged);
  const cause = plan.wanted?.cause === 'start' ? '' : (plan.wanted?.why ?? '');
  const why = [cause, ...notes].filter((part) => part !== '').join('; ');
  return conclude({
    type: 'plan-proposed',
    proposal: {
      version: plan.proposed + 1,
      tasks: ruled,
      dropped,
      reasons,
      why,
      by: stepId,
    },
  });
}

/** Planning a failed task again as it was is no answer, unless other work comes before it. */
function failedAgain(run: Run, tasks: readonly Task[]): string[] {
  const { broken, wanted: wish } = run.plan;
  if (wish?.cause !== 'failed') return [];
  const isAsBefore = (spec: Task): boolean =>
    JSON.stringify(run.tasks.get(spec.id)?.spec) === JSON.stringify(spec);
  const changed = tasks.findIndex((spec) => !isAsBefore(spec));
  const same = changed === -1 ? tasks : tasks.slice(0, changed);
  return same
    .filter(({ id }) => broken.includes(id))
    .map(
      ({ id }) => `${id}: it failed as it is planned here; change it, plan something before it, or drop it`,
    );
}

/** Only a person sets agents, priority, `mayChange` and `securityCritical`: a new plan keeps them. */
function underItsRules(before: Task | undefined, spec: Task): Task {
  if (before === undefined) return spec;
  const { mayChange, agents, securityCritical, rank } = before;
  return {
    ...spec,
    mayChange,
    ...(rank === undefined ? {} : { rank }),
    ...(securityCritical === undefined ? {} : { securityCritical }),
    ...(agents === undefined ? {} : { agents }),
  };
}

function askArchitect(run: Run, planning: PlanningSettings): RunMove {
  const { plan } = run;
  const none = whyNoPlan(plan, planning);
  if (none !== null) return withoutPlan(run, planning, none);
  const held = heldUp(run);
  if (held !== null) return held;
  if (plan.survey === null) return startForRun(run, { kind: 'survey', tokens: planning.mapTokens });
  const prompt = architectPrompt(run, plan.survey);
  const { tree } = present(run.tip, 'a prepared run has a tip');
  const visibleTree = planning.architectSees === 'map' ? (nothingToRead[tree.length] ?? tree) : tree;
  return { kind: 'start', baseTree: visibleTree, deed: sessionOf(run, 'architect', prompt) };
}

/** A failed task does not stop the others. Drift stops all work until a person decides. */
function withoutPlan(run: Run, { deadEnd }: PlanningSettings, why: string): RunMove {
  const { plan } = run;
  if (plan.version === 0) return endRun('failed', why);
  if (plan.astray === null) return conclude({ type: 'plan-given-up', why });
  if (deadEnd === 'end') return endRun('blocked', `${driftText(plan.astray)}; ${why}`);
  const drifted = present(stuckRunOf(run), 'a plan that drifted is not continued').why;
  return {
    kind: 'park',
    why: `${drifted}: give another plan (plan --replace, plan --again), or stop the run`,
  };
}

function driftNext(run: Run, planning: PlanningSettings): RunMove | null {
  const { plan } = run;
  if (plan.due.length === 0) {
    const percents = newlyCrossed(run, planning);
    return percents.length === 0 ? null : conclude({ type: 'milestones-crossed', percents });
  }
  if (plan.reflection !== null) return judgeReflection(run, planning, plan.reflection);
  const tip = present(run.tip, 'a prepared run has a tip');
  return (
    heldUp(run) ?? {
      kind: 'start',
      baseTree: tip.tree,
      deed: sessionOf(run, 'reflector', reflectorPrompt(run)),
    }
  );
}

function judgeReflection(
  run: Run,
  planning: PlanningSettings,
  { stepId, tree, result }: NonNullable<PlanState['reflection']>,
): RunMove {
  const { plan } = run;
  const hopeless = hopelessReason(result.ending);
  if (hopeless !== null) return endRun('failed', `the reflector could not work: ${hopeless}`);
  const text = result.signal?.kind === 'report' ? result.signal.text : null;
  const hasEdited = result.endTree !== null && result.endTree !== tree;
  const { isAligned, reason } = hasEdited
    ? { isAligned: null, reason: 'files were changed; a reflector only judges' }
    : readReflection(text);
  // An answer that cannot be read is not paid for twice: the run continues without it.
  const judged: Fact = { type: 'drift-judged', stepId, percents: plan.due, isAligned, reason, isFinal: true };
  if (isAligned !== false) return conclude(judged);
  const isDeadEnd = plan.replans >= planning.replansMax;
  return conclude(isDeadEnd ? { ...judged, isDeadEnd } : judged, wanted('drift', driftText(reason)));
}

function brokenNext(run: Run, planning: PlanningSettings): RunMove | null {
  const { plan } = run;
  if (plan.broken.length === 0) return null;
  if (!isUnanswered(plan, planning.replansMax)) {
    const failed = plan.broken.flatMap((id) => run.tasks.get(id) ?? []);
    const cause = failed.every((task) => task.attempt === task.forgiven) ? 'entry' : 'failed';
    return conclude(
      wanted(cause, failed.map((task) => `${task.spec.id} failed: ${endReasonOf(task) ?? ''}`).join('; ')),
    );
  }
  const end = stuckRunOf(run);
  if (end === null) return null;
  return { kind: 'park', why: `${end.why}: retry or skip it, give another plan, or stop the run` };
}

/** The criteria given with the goal must hold at the end, whatever happened to the plan. */
function goalNext(run: Run, { criteria }: PlanningSettings): RunMove | null {
  if (criteria.length === 0 || run.queue.unfinished > 0 || run.plan.broken.length > 0) return null;
  if (run.tasks.has(goalTaskId)) return null;
  const task = {
    id: goalTaskId,
    title: 'The goal as a whole',
    description: run.config.goal,
    files: [],
    hints: ['The tasks of the plan are done; this is still missing.'],
    dependsOn: [],
    domain: null,
    criteria,
    mayChange: run.config.mayChange,
  };
  return conclude({ type: 'task-added', task, by: 'policy' });
}

function replanDue(run: Run, task: TaskState): RunMove | null {
  if (!isAttemptOver(task) || run.plan.replans >= (run.config.policy.planning?.replansMax ?? 0)) return null;
  const why = planAtFault(task);
  if (why === null) return null;
  const reason = `${why}: ${task.failures.last?.reason ?? ''}`;
  return conclude({ type: 'task-failed', taskId: task.spec.id, outcome: 'failed', reason });
}

/** If the goal's checks are green, no session is paid for; the acceptance runs them once more. */
function standsAlready(run: Run, task: TaskState): RunMove | null {
  if (!isGoalMet(run, task) || task.commit !== null) return null;
  const { commit } = present(run.tip, 'a prepared run has a tip');
  return conclude({ type: 'task-landed', taskId: task.spec.id, commit });
}

/** Waits after a transient error of the architect or the reflector. */
function heldUp(run: Run): RunMove | null {
  const { transientError } = run.plan;
  const rest = transientError === null ? null : recovery(run, transientError);
  switch (rest?.kind) {
    case undefined:
      return null;
    case 'limited':
      return conclude({ type: 'plan-delayed', until: rest.until, reason: rest.reason });
    case 'hopeless':
      return endRun('failed', rest.reason);
    case 'wait':
      return rest;
    case 'park':
      return { kind: 'park', why: rest.why };
  }
}

function sessionOf(run: Run, name: 'architect' | 'reflector', prompt: string): SessionOperation {
  const role = present(run.config.roles[name], `the preset has an ${name}`);
  return {
    kind: 'session',
    role: name,
    attempt: 0,
    ordinal: (run.ordinals.get(name) ?? 0) + 1,
    agent: role.agent,
    prompt,
    readOnly: true,
    words: role.words,
    limits: role.limits,
    resume: null,
  };
}

function startForRun(run: Run, operation: (RunMove & { kind: 'start' })['deed']): RunMove {
  return { kind: 'start', deed: operation, baseTree: present(run.tip, 'a prepared run has a tip').tree };
}

function wanted(cause: PlanCause, why: string): Fact {
  return { type: 'plan-wanted', cause, why };
}

function conclude(...facts: Fact[]): RunMove {
  return { kind: 'conclude', facts };
}

function endRun(outcome: 'failed' | 'blocked', reason: string): RunMove {
  return conclude({ type: 'run-ended', outcome, reason });
}
