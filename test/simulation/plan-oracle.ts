// Asserts what must never happen to a plan, for each fact before it is applied.
import type { Event } from '#kernel/events/events.ts';
import type { Outcome } from '#kernel/model/outcome.ts';
import type { Step } from '#kernel/model/step.ts';
import { goalTaskId } from '#kernel/proof/goals.ts';
import type { Incarnation, Universe } from './universe.ts';
import { isApprovedAsWhole } from './proof.ts';
import { forbid, tipOf } from './universe.ts';
import type { TaskState } from '#kernel/fold/run.ts';

export function judgePlan(universe: Universe, event: Event): void {
  const { planning } = universe.plan.config.policy;
  if (planning === undefined) return;
  const { plan } = universe.ledger.view;
  switch (event.type) {
    case 'plan-proposed':
      return forbid(universe, event.proposal.version <= plan.newest, 'a number means two plans');
    case 'plan-adopted':
      return judgeAdoption(universe, event);
    case 'plan-given-up':
      return forbid(universe, plan.isAstray, 'a plan in which drift was found is gone on with');
    case 'milestones-crossed':
      return judgeMilestones(universe, event.percents);
    case 'drift-judged':
      return forbid(universe, plan.due.length === 0, 'drift is judged where nobody asked');
    case 'step-started':
      return judgeStart(universe, event.step);
    case 'run-ended':
      return judgeOutcome(universe, event.outcome);
    default:
      return;
  }
}

function judgeAdoption(universe: Universe, { version, by }: Event & { type: 'plan-adopted' }): void {
  const { plan, controls } = universe.ledger.view;
  const { proposal } = plan;
  forbid(universe, proposal?.version !== version, `plan ${version} comes into force, and nobody proposed it`);
  const isAsked = universe.plan.config.policy.planning?.approval === 'person';
  const hasWord = [...controls.values()].some(
    ({ control, settled }) =>
      settled === 'applied' &&
      (control.kind === 'change-plan'
        ? proposal?.isApproved === true
        : control.kind === 'approve-plan' && control.version === version),
  );
  forbid(universe, !hasWord && (isAsked || by !== 'policy'), `plan ${version} comes into force unapproved`);
}

/** Whatever a new plan says: what is done is done in the run that a driver has. */
export function judgeKept(universe: Universe, { run, folded }: Incarnation): void {
  if (run === null || folded !== universe.journal.lines.length) return;
  const { landed, skipped, plan } = universe.ledger.view;
  for (const id of [...landed, ...skipped])
    forbid(
      universe,
      !isOver(run.tasks.get(id)),
      `${id} is done, and plan ${plan.version} knows nothing of it`,
    );
}

function isOver(task: TaskState | undefined): boolean {
  return task?.status.is === 'landed' || task?.status.is === 'skipped';
}

/** How many tasks of the plan are done, of how many; the goal's own task is none of the plan. */
function shareDone({ ledger }: Universe): { readonly done: number; readonly all: number } {
  const { plan, tasks, landed, skipped } = ledger.view;
  const counted = [...tasks.keys()].filter(
    (id) => id !== goalTaskId && !skipped.has(id) && !plan.dropped.has(id),
  );
  return { done: counted.filter((id) => landed.has(id)).length, all: counted.length };
}

function judgeMilestones(universe: Universe, percents: readonly number[]): void {
  const { plan, landed } = universe.ledger.view;
  const { done, all } = shareDone(universe);
  forbid(universe, plan.due.length > 0, 'a milestone is crossed before the last one is judged');
  forbid(universe, done === all, 'a drift check after the last task');
  forbid(universe, landed.size <= plan.checkedAt, 'two drift checks for one landed task');
  for (const percent of percents) {
    forbid(universe, plan.crossed.has(percent), `${percent} % is crossed twice`);
    forbid(universe, done * 100 < percent * all, `${percent} % is crossed with ${done}/${all}`);
  }
}

/** A milestone that is due keeps new tasks from beginning. */
function judgeMissedCheck(universe: Universe, stepId: string): void {
  const { plan, landed } = universe.ledger.view;
  const { done, all } = shareDone(universe);
  if (done === all || landed.size <= plan.checkedAt) return;
  const { milestones = [] } = universe.plan.config.policy.planning ?? {};
  const missed = milestones.find((percent) => done * 100 >= percent * all && !plan.crossed.has(percent));
  forbid(universe, missed !== undefined, `${stepId} begins, and no drift check was made at ${missed ?? 0} %`);
}

function judgeStart(universe: Universe, step: Step): void {
  const { running } = universe.ledger.view;
  if (step.deed.kind === 'prepare' || step.deed.kind === 'check') return;
  const isPlanning = (one: Step): boolean => one.taskId === null && one.deed.kind !== 'check';
  for (const { step: other } of running)
    forbid(
      universe,
      other.deed.kind !== 'check' && isPlanning(other) !== isPlanning(step),
      `${step.stepId} works beside ${other.stepId}`,
    );
  if (step.deed.kind !== 'session') return;
  if (step.taskId !== null && step.deed.role === 'builder') judgeBuilder(universe, step.taskId, step);
  if (step.deed.role === 'architect') judgeArchitect(universe);
  if (step.deed.role === 'reflector')
    forbid(universe, universe.ledger.view.plan.due.length === 0, 'a reflector is asked about nothing');
}

function judgeArchitect(universe: Universe): void {
  const { plan } = universe.ledger.view;
  const { replansMax = 0, refusalsMax = 0 } = universe.plan.config.policy.planning ?? {};
  forbid(universe, plan.unjudged !== null, `the architect is paid again, though its answer lies there`);
  forbid(universe, plan.proposal !== null, 'the architect is asked while a plan waits');
  forbid(universe, plan.wanted === null, 'the architect is asked for nothing');
  forbid(universe, plan.refusals > refusalsMax, `the architect is asked after ${plan.refusals} bad answers`);
  const isOwn = plan.wanted !== 'person' && plan.wanted !== 'start';
  forbid(
    universe,
    isOwn && plan.replans > replansMax,
    `new plan ${plan.replans} of ${replansMax} is asked for`,
  );
}

/** A builder that its provider refused may be stood in for. */
function isLimited({ ledger }: Universe, taskId: string, hand: string | undefined): boolean {
  return [...ledger.sessions.values()].some(({ step, receipt }) => {
    const { ending } = receipt ?? {};
    const isRefused = ending?.kind === 'failed' && ending.errorClass === 'usage-limit';
    return isRefused && step.taskId === taskId && step.deed.agent.name === hand;
  });
}

function judgeBuilder(universe: Universe, taskId: string, { stepId, deed }: Step): void {
  const { view } = universe.ledger;
  const { plan, landed, skipped, tasks } = view;
  forbid(universe, plan.version === 0, `${stepId} works without a plan`);
  forbid(universe, landed.has(taskId), `${stepId} works on what is done`);
  forbid(universe, plan.dropped.has(taskId), `${stepId} works on what a plan does without`);
  const isBegun = [...view.steps.values()].some(
    ({ step }) => step.taskId === taskId && step.deed.kind === 'session',
  );
  forbid(universe, plan.isAstray && !isBegun, `${stepId} works by a plan in which drift was found`);
  if (!isBegun) judgeMissedCheck(universe, stepId);
  const missing = tasks.get(taskId)?.dependsOn.find((id) => !landed.has(id) && !skipped.has(id));
  forbid(universe, missing !== undefined && !isBegun, `${stepId} begins before ${missing ?? ''} is done`);
  const { roles, policy } = universe.plan.config;
  const hands = [roles['builder']?.agent, ...(policy.routing?.fallbacks ?? [])].map((one) => one?.name);
  const hand = hands[Math.min(plan.rungs.get(taskId) ?? 0, hands.length - 1)];
  forbid(
    universe,
    deed.kind === 'session' && deed.agent.name !== hand && !isLimited(universe, taskId, hand),
    `${stepId} is not the turn of ${deed.kind === 'session' ? deed.agent.name : ''}, but of ${hand ?? ''}`,
  );
}

function judgeOutcome(universe: Universe, outcome: Outcome): void {
  const { plan, landed, skipped, tasks } = universe.ledger.view;
  const { criteria = [] } = universe.plan.config.policy.planning ?? {};
  if (outcome === 'blocked') {
    const isOpen = (id: string): boolean => !landed.has(id) && !skipped.has(id) && !plan.dropped.has(id);
    const isAnyOpen = [...tasks.keys()].some(isOpen);
    return forbid(universe, !plan.isAstray && !isAnyOpen, 'blocked, and nothing is open');
  }
  if (outcome !== 'completed') return;
  forbid(universe, plan.isAstray, 'completed by a plan in which drift was found');
  forbid(universe, plan.due.length > 0, `completed, and nobody judged ${plan.due.join()} %`);
  const left = [...plan.dropped].find(([, by]) => by === 'policy')?.[0];
  forbid(
    universe,
    left !== undefined && criteria.length === 0 && !isApprovedAsWhole(universe, tipOf(universe).tree),
    `completed without ${left ?? ''}, and nobody approved that`,
  );
  forbid(
    universe,
    criteria.length > 0 && !landed.has(goalTaskId) && !skipped.has(goalTaskId),
    'completed, and the goal was not looked at',
  );
}
