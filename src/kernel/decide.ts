// From the run as it is to everything that should happen now. Pure: it never sees events, a clock or the world.
import { present } from './assert.ts';
import type { Reserve } from './budget.ts';
import { noReserve, reserveSession, takeReserve } from './budget.ts';
import { isMachineCheck } from './check.ts';
import { checkpointOf } from './checkpoint.ts';
import { settleControls } from './decide-controls.ts';
import { decideEnding } from './decide-ending.ts';
import { dryRunWait, isHeldBack } from './dry-run.ts';
import { endOfTime, endSpent, isFinishing } from './decide-spent.ts';
import { shutEntry } from './entry.ts';
import { refusedBase } from './refuse-base.ts';
import { foreignWait, isForeign } from './foreign.ts';
import { lookAt } from './from-inside.ts';
import { isAwaitingPerson } from './left-to-person.ts';
import type { Fact } from './events.ts';
import type { Policy, RunMove } from './policy.ts';
import { gapsInProof, reviewersWord } from './proof.ts';
import { landedCommitMessage } from '#kernel/model/commit-message.ts';
import { withoutFullStop } from '#kernel/model/without-full-stop.ts';
import { isApprovedAsWhole } from '#kernel/proof/proof-kind.ts';
import type { Run, TaskState } from './run.ts';
import { isAnyUnderWay, isPreparing } from './under-way.ts';
import { securityStop, stopForSecurity } from './security-stop.ts';
import type { Deed, Steer, Step } from './step.ts';

export interface Decision {
  /** Conclusions to append before anything else; then decide again. */
  record: Fact[];
  start: Step[];
  steer: Steer[];
  /** When time alone changes the answer. */
  wakeAt: number | null;
  /** Whether a task waits for its time, so that the run goes on by itself. */
  isTimed: boolean;
  /** What the run is parked on when nothing runs, starts or is timed. */
  waitingFor: string | null;
}

export function decide(run: Run, policy: Policy): Decision {
  const decision: Decision = {
    record: [],
    start: [],
    steer: [],
    wakeAt: null,
    isTimed: false,
    waitingFor: null,
  };
  settleControls(run, decision);
  if (decision.record.length > 0 || run.outcome !== null) return decision;
  if (run.stopping !== null) return stop(run, decision);
  const danger = securityStop(run);
  if (danger !== null) return stopForSecurity(run, decision, danger);
  if (run.paused !== null) return hold(run, decision, run.paused.why);
  if (run.trouble !== null) {
    return hold(run, decision, `${withoutFullStop(run.trouble.reason)}. ${run.trouble.hint}`);
  }
  const leftMs = run.budget.activeMs - run.activeMs;
  if (leftMs <= 0 && !isFinishing(run)) return endOfTime(run, decision);
  if (leftMs > 0) decision.wakeAt = run.now + leftMs;
  const isIdle = run.running.size === 0;
  if (run.base === null || (run.arePinsDue && (isIdle || isPreparing(run)))) {
    if (isIdle) start(run, decision, { taskId: null, baseTree: null, deed: { kind: 'prepare' } });
    return decision;
  }
  // What it wants waits until the tasks under way have come to their end.
  const forRun = isApprovedAsWhole(run) ? null : (policy.nextForRun?.(run) ?? null);
  if (forRun === null) decideTasks(run, policy, decision, !run.arePinsDue);
  else if (isIdle && !isAnyUnderWay(run)) follow(run, null, forRun, decision);
  // Nobody is sent to work beside whoever plans it.
  else if (![...run.running.values()].some(({ taskId }) => taskId === null))
    decideTasks(run, policy, decision, false);
  decision.waitingFor ??= foreignWait(run);
  // Whoever waits for their turn to look at the whole still has a word to say.
  if (forRun === null && isIdle && decision.record.length === 0 && decision.start.length === 0)
    decideEnding(run, decision);
  return decision;
}

function decideTasks(run: Run, policy: Policy, decision: Decision, mayTakeUp: boolean): void {
  const leaving = new Set<string>();
  for (const [stepId, { taskId }] of run.running) {
    if (taskId === null || run.tasks.get(taskId)?.status !== 'skipped') continue;
    leaving.add(taskId);
    decision.steer.push({ stepId, kind: 'kill', reason: 'its task was skipped' });
  }
  // What is being ended keeps its place until it is gone, or two sessions would meet in one workspace.
  const places = run.config.policy.parallel - leaving.size;
  for (const task of run.active) {
    const look = lookAt(run, task);
    if (look !== null) start(run, decision, look);
  }
  const candidates: TaskState[] = [];
  let busy = 0;
  for (const task of run.active) {
    // A task waiting for a person holds no slot; once answered, it queues for one.
    const isAsking = task.status === 'needs-input' || isAwaitingPerson(run, task);
    if (!isAsking && busy >= places && task.runningSteps === 0) continue;
    candidates.push(task);
    if (!isAsking) busy += 1;
  }
  for (const task of mayTakeUp ? run.ready : []) {
    if (busy >= places) break;
    if (run.active.has(task)) continue;
    candidates.push(task);
    busy += 1;
  }
  for (const task of candidates) {
    if (task.runningSteps > 0 && !onlyBaseChecksRun(run, task)) continue;
    decideTask(run, policy, task, decision);
    if (decision.record.length > 0) return;
  }
}

function decideTask(run: Run, policy: Policy, task: TaskState, decision: Decision): void {
  for (const when of ['attempt', 'acceptance'] as const) {
    if (task.baseChecked[when]) continue;
    if (task.runningSteps === 0) checkBase(run, task, when, decision);
    // The slow ones run beside the first session; nothing is landed before they are known.
    // What is held out is looked at while nobody is there who could look on.
    if (when === 'attempt' || task.status === 'proven' || hasHeldOut(task)) return;
  }
  if (task.status === 'proven') return land(run, task, decision);
  if (task.status === 'needs-input') {
    decision.waitingFor ??= `an answer to "${task.question?.text ?? ''}"`;
    return;
  }
  if (isAwaitingPerson(run, task)) {
    decision.waitingFor ??= task.awaiting;
    return;
  }
  const shut = refusedBase(run, task) ?? shutEntry(run, task);
  if (shut !== null) {
    // A run does not end while a step runs; nothing more is started meanwhile.
    if (shut.type !== 'run-ended' || run.running.size === 0) decision.record.push(shut);
    return;
  }
  const move = policy.nextMove(run, task);
  switch (move.kind) {
    case 'start-several':
      for (const one of move.starts) start(run, decision, { taskId: task.spec.id, ...one });
      return;
    case 'prove':
      return prove(run, task, move.tree, decision);
    case 'checkpoint':
      return start(run, decision, checkpointOf(run, task, move));
    default:
      return follow(run, task, move, decision);
  }
}

/** A move that a task may make, and the run as a whole. */
function follow(run: Run, task: TaskState | null, move: RunMove, decision: Decision): void {
  switch (move.kind) {
    case 'start': {
      const { baseTree, deed } = move;
      return start(run, decision, { taskId: task?.spec.id ?? null, baseTree, deed });
    }
    case 'conclude':
      decision.record.push(...move.facts);
      return;
    case 'wait':
      decision.wakeAt = Math.min(decision.wakeAt ?? move.until, move.until);
      decision.isTimed = true;
      return;
    case 'park':
      decision.waitingFor ??= move.why;
      return;
  }
}

function prove(run: Run, task: TaskState, tree: string, decision: Decision): void {
  const word = reviewersWord(run, task, tree);
  if (word !== null) {
    for (const { path, content = '' } of word.pins)
      decision.record.push({ type: 'tampering-accepted', path, content, by: word.by, why: word.why });
    return;
  }
  const [gap] = gapsInProof(run, task, tree);
  const { spec, attempt } = task;
  if (gap === undefined) decision.record.push({ type: 'task-proven', taskId: spec.id, tree });
  else decision.record.push({ type: 'attempt-failed', taskId: spec.id, attempt, reason: gap.why });
}

function land(run: Run, task: TaskState, decision: Decision): void {
  const tip = present(run.tip, 'a proven task has a tip to land on');
  const tree = present(task.workTree, 'a proven task has a tree');
  const base = present(task.base, 'a proven task has a base');
  if (base.commit !== tip.commit) {
    decision.record.push({
      type: 'task-reopened',
      taskId: task.spec.id,
      reason: 'another task landed first; it is built again on that',
    });
    return;
  }
  const [gap] = gapsInProof(run, task, tree);
  if (gap !== undefined) {
    decision.record.push({ type: 'task-reopened', taskId: task.spec.id, reason: gap.why });
    return;
  }
  if (tree === tip.tree && task.commit !== null) {
    decision.record.push({ type: 'task-landed', taskId: task.spec.id, commit: task.commit });
    return;
  }
  // One at a time: the next one must be built on this one.
  if ([...run.running.values(), ...decision.start].some((step) => step.deed.kind === 'commit')) return;
  const deed: Deed = { kind: 'commit', parent: tip.commit, message: landedCommitMessage(run, task.spec) };
  start(run, decision, { taskId: task.spec.id, baseTree: tree, deed });
}

function hasHeldOut({ spec }: TaskState): boolean {
  return spec.criteria.some(({ check }) => check.kind === 'held-out');
}

function checkBase(run: Run, task: TaskState, when: 'attempt' | 'acceptance', decision: Decision): void {
  const criteria = task.spec.criteria
    .filter((criterion) => isMachineCheck(criterion.check) && criterion.when === when)
    // What was looked at before a criterion came stays as it was seen.
    .filter(({ id }) => task.changes.length === 0 || task.evidence.get(id)?.base === undefined)
    .map((criterion) => ({ taskId: task.spec.id, criterionId: criterion.id }));
  const deed: Deed = { kind: 'check', purpose: 'base', place: 'clean', when, criteria };
  start(run, decision, {
    taskId: task.spec.id,
    // A criterion that came later is looked at where the others were.
    baseTree: task.startTree ?? present(run.tip, 'a prepared run has a tip').tree,
    deed,
  });
}

function start(run: Run, decision: Decision, wanted: Pick<Step, 'taskId' | 'baseTree' | 'deed'>): void {
  if (isHeldBack(run, wanted.deed)) return void (decision.waitingFor ??= dryRunWait);
  const deed = numbered(wanted.deed, decision);
  const reserve = deed.kind === 'session' ? reserveBeside(run, decision) : noReserve;
  if ('spentOut' in reserve) {
    // What runs may end and give back a part of its reserve; only then is it the end.
    if (run.running.size === 0 && decision.start.length === 0)
      endSpent(run, decision, `the budget of ${reserve.spentOut} is used up`);
    return;
  }
  const number = run.stepsStarted + decision.start.length + 1;
  decision.start.push({ stepId: stepId(number, wanted), ...wanted, deed, reserve });
}

/** What starts in the same breath is paid from the same purse. */
function reserveBeside(run: Run, decision: Decision): Reserve | { readonly spentOut: string } {
  if (run.activeMs >= run.budget.activeMs) return { spentOut: 'time' };
  const ledger = { ...run.ledger, reserved: { ...run.ledger.reserved } };
  for (const step of decision.start) takeReserve(ledger, step.reserve);
  return reserveSession(ledger, run.budget);
}

/** Policies see the run, not what else starts now: sessions of one role that start together are counted on. */
function numbered(deed: Deed, decision: Decision): Deed {
  if (deed.kind !== 'session') return deed;
  const beside = decision.start.filter(
    (step) => step.deed.kind === 'session' && step.deed.role === deed.role,
  );
  return { ...deed, ordinal: deed.ordinal + beside.length };
}

function stepId(number: number, { taskId, deed }: Pick<Step, 'taskId' | 'deed'>): string {
  const what =
    deed.kind === 'session' ? deed.role : deed.kind === 'check' ? `check-${deed.purpose}` : deed.kind;
  return `${String(number).padStart(4, '0')}-${what}${taskId === null ? '' : `-${taskId}`}`;
}

function stop(run: Run, decision: Decision): Decision {
  const stopping = present(run.stopping, 'a stop was asked for');
  if (run.running.size === 0) {
    decision.record.push({ type: 'run-ended', outcome: 'stopped', reason: stopping.why });
    return decision;
  }
  for (const [id, step] of run.running) {
    // Nobody can ask another's session to come to an end: it is no longer waited for.
    if (stopping.now || isForeign(run, step))
      decision.steer.push({ stepId: id, kind: 'kill', reason: 'stopped' });
    else if (step.deed.kind === 'session') decision.steer.push({ stepId: id, kind: 'interrupt' });
  }
  return decision;
}

function hold(run: Run, decision: Decision, why: string): Decision {
  for (const [id, step] of run.running) {
    if (step.deed.kind === 'session') decision.steer.push({ stepId: id, kind: 'interrupt' });
  }
  decision.waitingFor = why;
  return decision;
}

function onlyBaseChecksRun(run: Run, task: TaskState): boolean {
  for (const step of run.running.values()) {
    if (step.taskId !== task.spec.id) continue;
    if (!(step.deed.kind === 'check' && step.deed.purpose === 'base')) return false;
  }
  return true;
}
