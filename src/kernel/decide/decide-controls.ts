// Settles each control: it is applied, or refused with a reason.
import type { Control, ControlRequest } from '#kernel/events/control.ts';
import type { Criterion } from '#kernel/model/criterion.ts';
import { settleCriteria } from './decide-criteria.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Settlement } from '#kernel/events/settlement.ts';
import { settleChoice } from '#kernel/actions/settle-choice.ts';
import { awaitedTransientErrors } from '#kernel/waiting/usage-limit.ts';
import { settleFromInside } from './from-inside.ts';
import { answerPlanControl } from '#kernel/planning/decide-plan.ts';
import { isPersonVerdict, contradictedRequest } from '#kernel/proof/last-word.ts';
import { placeFor } from '#kernel/planning/place-task.ts';
import { leftAtAcceptance } from '#kernel/proof/proof.ts';
import { settleApproval, settleRetry, whyGone } from './reopen.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { whyNotAcceptable } from '#kernel/proof/tampering.ts';
import type { Task } from '#kernel/model/task.ts';
import { conditionWords } from '#kernel/waiting/condition-words.ts';
import { settleAgentSuspend, settleSuspend, settleWaitEnd } from '#kernel/waiting/settle-suspension.ts';
import { personStepId } from '#kernel/model/step.ts';
import type { Decision } from './decision.ts';
import { questionOf } from '#kernel/model/task.ts';

const applied: Settlement = { facts: [] };

export function settleControls(run: Run, decision: Decision): void {
  // One at a time: the facts of one control can change the answer to the next.
  const [request] = run.pending;
  decision.record.push(...settleNext(run));
  if (request?.control.kind === 'tell') steerText(run, decision, request.control.text);
}

/** The facts of the first pending control; empty if none is pending. */
export function settleNext(run: Run): Fact[] {
  const [request] = run.pending;
  if (request === undefined) return [];
  const later = contradictedRequest(run.pending, request);
  const settled: Settlement =
    later === null
      ? settle(run, request)
      : { refused: `${later.by} decided otherwise later: ${later.control.kind}` };
  if ('refused' in settled) return [{ type: 'control-refused', id: request.id, reason: settled.refused }];
  return [{ type: 'control-applied', id: request.id }, ...settled.facts];
}

/** After the end, only a retry, a skip or another plan reopens the run; every other control is too late. */
export function settle(run: Run, request: ControlRequest): Settlement {
  if (request.control.kind === 'approve-run') return settleApproval(run, request.by, request.control.tree);
  if (run.outcome === null) return answer(run, request);
  const gone = whyGone(run);
  if (gone !== null) return { refused: gone };
  const { kind } = request.control;
  const { outcome } = run.outcome;
  const isForPlan = (kind === 'change-plan' || kind === 'replan') && outcome !== 'completed';
  if (kind !== 'retry' && kind !== 'skip' && !isForPlan) return { refused: `the run has ended: ${outcome}` };
  if (run.config.foreign !== undefined)
    return { refused: 'the run has ended with the session it belonged to' };
  const answered = answer(run, request);
  if ('refused' in answered) return answered;
  return { facts: [{ type: 'run-reopened', by: request.by }, ...answered.facts] };
}

function answer(run: Run, request: ControlRequest): Settlement {
  const { by, control } = request;
  switch (control.kind) {
    case 'pause':
      return run.paused === null || (control.now === true && run.paused.now !== true)
        ? applied
        : { refused: 'the run is paused already' };
    case 'resume':
      return settleWaitEnd(run, request, control) ?? settleResume(run, control);
    case 'suspend':
      return settleSuspend(run, request, control);
    case 'ask-suspension':
      return settleAgentSuspend(run, request, control);
    case 'stop':
    case 'tell':
    case 'accept-review':
      return applied;
    case 'skip':
      return withTask(run, control.taskId, (task) =>
        (isOpen(task) && task.status.is !== 'proven') || task.status.is === 'failed'
          ? { facts: [{ type: 'task-skipped', taskId: control.taskId, by, reason: control.why }] }
          : { refused: `task ${control.taskId} is ${task.status.is} already` },
      );
    case 'retry':
      return withTask(run, control.taskId, (task) => settleRetry(run, task, by));
    case 'answer':
      return settleAnswer(run, control.questionId, control.text);
    case 'choose':
      return withTask(run, control.taskId, (task) => settleChoice(run, task, by, control));
    case 'approve-run':
      return settleApproval(run, by, control.tree);
    case 'approve':
    case 'reject':
      return withTask(run, control.taskId, (task) => settleVerdict(run, task, by, control));
    case 'accept':
      return settleAcceptance(run, by, control);
    case 'add-task':
      return settleTask(run, by, control.task);
    case 'look':
    case 'ask':
    case 'report':
      return withTask(run, control.taskId, (task) => settleFromInside(run, task, request, control));
    case 'change-criteria':
    case 'propose-criterion':
    case 'accept-criterion':
    case 'reject-criterion':
      return settleCriteria(run, request, control);
    case 'approve-plan':
    case 'reject-plan':
    case 'change-plan':
    case 'replan':
      return answerPlanControl(run, by, control);
  }
}

function settleResume(run: Run, control: Control & { kind: 'resume' }): Settlement {
  if (hasReason(run, control)) return applied;
  const [suspension] = run.suspensions.values();
  if (suspension === undefined) return { refused: 'the run is not paused' };
  return {
    refused: `the run is suspended and waits ${conditionWords(suspension.condition)}; \`--force\` ends the wait`,
  };
}

/** Resuming without waiting for a provider is also a reason. */
function hasReason(run: Run, control: Control & { kind: 'resume' }): boolean {
  const { paused, trouble, config } = run;
  if (awaitedTransientErrors(run).length > 0) return true;
  const mode = config.policy.actions === undefined ? undefined : control.mode;
  const changes = [control.budget, control.setup, control.allowRoot, mode];
  return paused !== null || trouble !== null || changes.some((change) => change !== undefined);
}

function settleAnswer(run: Run, questionId: string, text: string): Settlement {
  for (const task of run.queue.active) {
    if (questionOf(task)?.id === questionId) {
      return { facts: [{ type: 'question-answered', taskId: task.spec.id, questionId, text }] };
    }
  }
  return { refused: `no question ${questionId} is open` };
}

function settleVerdict(
  run: Run,
  task: TaskState,
  by: string,
  control: ControlRequest['control'] & { kind: 'approve' | 'reject' },
): Settlement {
  const criterion = task.spec.criteria.find((one) => one.id === control.criterionId);
  if (criterion === undefined)
    return { refused: `task ${task.spec.id} has no criterion ${control.criterionId}` };
  const isLeft = isLeftAtAcceptance(run, task, control) || isWordAtAcceptance(run, task, control);
  if (!isLeft && !isForPerson(task, criterion, control.tree))
    return { refused: `criterion ${criterion.id} is decided by a ${criterion.check.kind}, not by a person` };
  if (!isLeft && !isOpen(task)) return { refused: `task ${task.spec.id} is ${task.status.is} already` };
  const isLanding = [...run.running.values()].some(
    (step) => step.taskId === task.spec.id && step.deed.kind === 'commit',
  );
  if (isLanding) return { refused: `task ${task.spec.id} is being committed` };
  if (!isLeft && task.workTree !== control.tree) return { refused: 'the work has changed; review it again' };
  const isPass = control.kind === 'approve';
  const { flaky, calibration } = task.evidence.get(criterion.id)?.[isLeft ? 'acceptance' : 'attempt'] ?? {};
  const who = `${by} at ${new Date(run.now).toISOString()}`;
  return {
    facts: [
      {
        type: 'evidence-recorded',
        evidence: {
          taskId: task.spec.id,
          criterionId: criterion.id,
          stepId: personStepId,
          purpose: 'attempt',
          place: 'workspace',
          tree: control.tree,
          verdict: isPass ? 'pass' : 'fail',
          reason: isPass ? `approved by ${who}` : `rejected by ${who}: ${control.why}`,
          command: null,
          ending: null,
          tail: '',
          log: null,
          durationMs: 0,
          ...(isPass && flaky !== undefined ? { flaky } : {}),
          ...(isPass && calibration !== undefined ? { calibration } : {}),
        },
      },
    ],
  };
}

function settleAcceptance(
  run: Run,
  by: string,
  { path, content, why }: Control & { kind: 'accept' },
): Settlement {
  const problem = whyNotAcceptable(run, path, content);
  if (problem !== null) return { refused: problem };
  return { facts: [{ type: 'tampering-accepted', path, content, by, why }] };
}

/** Whether the acceptance left this criterion to a person, on this very tree. */
function isLeftAtAcceptance(
  run: Run,
  { spec }: TaskState,
  { criterionId, tree }: { readonly criterionId: string; readonly tree: string },
): boolean {
  if (run.acceptance?.tree !== tree) return false;
  return leftAtAcceptance(run).some((gap) => gap.taskId === spec.id && gap.criterionId === criterionId);
}

/** Whether a person decided this at the acceptance, and nothing has been built on that decision. */
function isWordAtAcceptance(
  { acceptance, tip }: Run,
  task: TaskState,
  { criterionId, tree }: { readonly criterionId: string; readonly tree: string },
): boolean {
  const isThere = acceptance?.tree === tree && tip?.tree === tree && task.status.is === 'landed';
  return isThere && isPersonVerdict(task, criterionId, tree);
}

/** A person decides criteria for people, criteria left open on this tree, and their own verdict again. */
export function isForPerson(task: TaskState, { id, check }: Criterion, tree: string): boolean {
  if (check.kind === 'human') return true;
  const evidence = task.evidence.get(id)?.attempt;
  return (evidence?.tree === tree && evidence.verdict === 'unknown') || isPersonVerdict(task, id, tree);
}

function settleTask(run: Run, by: string, task: Task): Settlement {
  if (run.tasks.has(task.id)) return { refused: `task ${task.id} already exists` };
  const unknown = task.dependsOn.find((id) => !run.tasks.has(id));
  if (unknown !== undefined)
    return { refused: `task ${task.id} depends on ${unknown}, which is not in the plan` };
  for (const [role, { name }] of Object.entries(task.agents ?? {})) {
    if (!Object.hasOwn(run.config.roles, role))
      return { refused: `task ${task.id} names an agent for the ${role}, and this run has no such role` };
    if (!Object.hasOwn(run.config.agents, name)) {
      const known = Object.keys(run.config.agents).join(', ');
      return { refused: `task ${task.id} names the agent ${name}; this run was started with ${known}` };
    }
  }
  const before = placeFor(run, task);
  return { facts: [{ type: 'task-added', task, by, ...(before === null ? {} : { before }) }] };
}

function withTask(run: Run, taskId: string, decide: (task: TaskState) => Settlement): Settlement {
  const task = run.tasks.get(taskId);
  return task === undefined ? { refused: `there is no task ${taskId}` } : decide(task);
}

function isOpen(task: TaskState): boolean {
  return !['landed', 'failed', 'skipped', 'dropped'].includes(task.status.is);
}

function steerText(run: Run, decision: Decision, text: string): void {
  for (const [stepId, step] of run.running) {
    if (step.deed.kind === 'session' && !step.deed.readOnly)
      decision.steer.push({ stepId, kind: 'text', text });
  }
}
