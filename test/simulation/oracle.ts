// Asserts what must never happen, from the simulated world's own ledger and the journal.
import type { Event } from '#kernel/events/events.ts';
import type { Operation } from '#kernel/model/step.ts';
import type { LedgerSession } from './ledger.ts';
import { isSame } from './same.ts';
import { gapInCheckpoint, gapInCompletion, gapInWork } from './proof.ts';
import type { Incarnation, Universe } from './universe.ts';
import { filesIn, forbid, tipOf } from './universe.ts';

/** Called for each line before it is written. */
export function judgeEvents(universe: Universe, incarnation: Incarnation, events: readonly Event[]): void {
  const { view } = universe.ledger;
  let { lastAt } = view;
  let isOver = view.outcome !== null;
  for (const event of events) {
    forbid(universe, event.at < lastAt, `time went back from ${lastAt} to ${event.at}`);
    lastAt = event.at;
    forbid(universe, isOver && !late.has(event.type), `${event.type} after the run ended`);
    isOver &&= event.type !== 'run-reopened';
    judgeDriver(universe, incarnation, event);
    judgeEvent(universe, event);
  }
}

/** What may follow an end: a request, its answer, and a person's word that takes the end back. */
const late: ReadonlySet<string> = new Set([
  'driver-started',
  'control-received',
  'control-applied',
  'control-refused',
  'run-reopened',
]);

function judgeDriver(universe: Universe, incarnation: Incarnation, event: Event): void {
  const { view } = universe.ledger;
  if (event.type === 'driver-started') {
    forbid(universe, event.epoch <= view.epoch, `epoch ${event.epoch} follows epoch ${view.epoch}`);
    return;
  }
  forbid(
    universe,
    view.driver !== incarnation.number,
    `driver ${incarnation.number} writes ${event.type} while ${view.driver} drives`,
  );
}

function judgeEvent(universe: Universe, event: Event): void {
  const { view, sessions } = universe.ledger;
  switch (event.type) {
    case 'step-started':
      return judgeStart(universe, event.step);
    case 'step-ended': {
      const receipt = sessions.get(event.stepId)?.receipt;
      if (sessions.has(event.stepId))
        forbid(
          universe,
          !isSame(event.result, receipt),
          `${event.stepId} ended otherwise than its receipt says: ${JSON.stringify(event.result).slice(0, 120)}`,
        );
      return judgeStepEnd(universe, event.stepId);
    }
    case 'step-lost':
      forbid(
        universe,
        sessions.get(event.stepId)?.receipt != null,
        `${event.stepId} is called lost, but there is a receipt`,
      );
      return judgeStepEnd(universe, event.stepId);
    case 'control-received':
      return forbid(universe, view.controls.has(event.id), `control ${event.id} was received twice`);
    case 'control-applied':
    case 'control-refused': {
      const known = view.controls.get(event.id);
      return forbid(
        universe,
        known === undefined || known.settled !== null,
        `control ${event.id} settled twice`,
      );
    }
    case 'task-proven':
      return forbidGap(universe, `${event.taskId} is proven`, gapInWork(universe, event.taskId, event.tree));
    case 'task-landed': {
      const { tree } = tipOf(universe);
      return forbidGap(universe, `${event.taskId} stands as it is`, gapInWork(universe, event.taskId, tree));
    }
    case 'run-ended':
      if (event.outcome === 'completed') forbidGap(universe, 'completed', gapInCompletion(universe));
      return forbid(universe, view.running.size > 0, 'the run ends while a step runs');
    default:
      return;
  }
}

function judgeStepEnd(universe: Universe, stepId: string): void {
  const seen = universe.ledger.view.steps.get(stepId);
  forbid(universe, seen?.state !== 'running', `${stepId} ends but does not run`);
}

function judgeStart(universe: Universe, step: Extract<Event, { type: 'step-started' }>['step']): void {
  const { view } = universe.ledger;
  forbid(universe, view.steps.has(step.stepId), `${step.stepId} is started twice`);
  forbid(universe, view.isPaused, `${step.stepId} starts while the run is paused`);
  forbid(universe, view.isStopping, `${step.stepId} starts while the run is stopping`);
  const isPreparing = [...view.running].some(({ step: other }) => other.deed.kind === 'prepare');
  forbid(universe, isPreparing, `${step.stepId} starts while the workspace is being prepared`);
  if (step.taskId === null) return;
  for (const { step: other } of view.running) {
    const isBaseCheck = (operation: typeof step.deed) =>
      operation.kind === 'check' && operation.purpose === 'base';
    if (other.taskId !== step.taskId || isBaseCheck(other.deed) || isBaseCheck(step.deed)) continue;
    if (mayWorkBeside(step.deed, other.deed)) continue;
    forbid(universe, true, `${step.stepId} starts while ${other.stepId} works on the same task`);
  }
}

/** Reviewers have checkouts of their own, and so has each trial of what one of them found. */
function mayWorkBeside(one: Operation, other: Operation): boolean {
  if (one.kind === 'reproduce' && other.kind === 'reproduce') return one.review !== other.review;
  if (one.kind !== 'session' || other.kind !== 'session') return false;
  return one.readOnly && other.readOnly && one.role !== other.role;
}

export function judgeSessionStart(universe: Universe, session: LedgerSession): void {
  const { ledger, plan, journal } = universe;
  const { stepId, baseTree } = session.step;
  const { view } = ledger;
  forbid(universe, ledger.sessions.has(stepId), `the session of ${stepId} runs twice`);
  forbid(
    universe,
    view.steps.get(stepId)?.state !== 'running',
    `${stepId} was never written down as started`,
  );
  forbid(universe, journal.synced < lineOf(universe, stepId), `${stepId} starts before it is on the disk`);
  forbid(
    universe,
    ledger.sessions.size >= view.limits.sessions,
    `session ${ledger.sessions.size + 1} of ${view.limits.sessions} is started`,
  );
  const tasks = new Set([session, ...ledger.alive].map((one) => one.step.taskId));
  forbid(universe, tasks.size > plan.config.policy.parallel, `${stepId} overlaps with another session`);
  for (const other of ledger.alive) {
    const isBeside =
      other.step.taskId !== session.step.taskId || mayWorkBeside(other.step.deed, session.step.deed);
    forbid(universe, !isBeside, `${stepId} overlaps with ${other.step.stepId}`);
    forbid(
      universe,
      other.worktree === session.worktree,
      `${stepId} shares its worktree with ${other.step.stepId}`,
    );
  }
  const files = filesIn(universe, session.worktree);
  forbid(universe, files !== baseTree, `${stepId} starts on ${files} instead of ${baseTree}`);
}

function lineOf(universe: Universe, stepId: string): number {
  const index = universe.journal.lines.findLastIndex((line) =>
    line.events.some((event) => event.type === 'step-started' && event.step.stepId === stepId),
  );
  return index + 1;
}

export function judgeSpending(universe: Universe): void {
  const { ledger, plan } = universe;
  if (!plan.temper.agentTellsUsage) return;
  forbid(
    universe,
    ledger.spentUsd > ledger.view.limits.usd + 1e-6,
    `${ledger.spentUsd} USD were spent of ${ledger.view.limits.usd}`,
  );
}

export function judgeCheck(universe: Universe, worktree: string, stepId: string): void {
  for (const session of universe.ledger.alive)
    forbid(
      universe,
      session.worktree === worktree,
      `${stepId} checks while ${session.step.stepId} works there`,
    );
}

export function judgeCommit(universe: Universe, stepId: string, tree: string): void {
  const { commits, ledger } = universe;
  const step = ledger.view.steps.get(stepId)?.step;
  const taskId = step?.taskId ?? '';
  const checkpoint = step?.deed.kind === 'commit' ? step.deed.checkpoint : undefined;
  forbid(
    universe,
    commits.some((one) => one.stepId === stepId),
    `${stepId} commits twice`,
  );
  forbid(
    universe,
    universe.journal.synced < lineOf(universe, stepId),
    `${stepId} commits before it is on the disk`,
  );
  if (checkpoint === undefined)
    forbidGap(universe, `${tree} is committed for ${taskId}`, gapInWork(universe, taskId, tree));
  else forbidGap(universe, `${tree} is kept`, gapInCheckpoint(universe, taskId, tree, checkpoint));
}

function forbidGap(universe: Universe, what: string, gap: string | null): void {
  forbid(universe, gap !== null, `${what}, but ${gap} (tip ${tipOf(universe).tree})`);
}
