// Settles a person's controls about the plan: approve, reject, change, or ask for another one.
import type { Control } from '#kernel/events/control.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { Settlement } from '#kernel/events/settlement.ts';
import type { PlanProposal } from './plan.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import type { Step } from '#kernel/model/step.ts';
import { isAnyUnderWay } from '#kernel/fold/under-way.ts';

export type PlanControl = Control & { kind: 'approve-plan' | 'reject-plan' | 'change-plan' | 'replan' };

export function answerPlanControl(run: Run, by: string, control: PlanControl): Settlement {
  if (run.config.policy.planning === undefined) return { refused: 'this run has no plan' };
  const { proposal } = run.plan;
  switch (control.kind) {
    case 'approve-plan':
    case 'reject-plan': {
      const { version } = control;
      if (proposal === null) return { refused: 'no plan waits for approval' };
      if (proposal.version !== version)
        return { refused: `plan ${proposal.version} waits for approval, not plan ${version}` };
      if (control.kind === 'approve-plan') return approvePlan(run, by, proposal);
      return { facts: [{ type: 'plan-rejected', version, by, why: control.why }] };
    }
    case 'change-plan':
      return changePlan(run, by, control);
    case 'replan':
      if ([...run.running.values()].some(isPlanning)) return { refused: 'a plan is being made already' };
      return thinkAgain(run, { type: 'plan-wanted', cause: 'person', why: `${by}: ${control.why}` });
  }
}

/** A task that has begun ends under the plan in force, so a new plan waits for it. */
function approvePlan(run: Run, by: string, proposal: PlanProposal): Settlement {
  const { version } = proposal;
  const approvedBy = wordFor(proposal);
  if (approvedBy !== undefined) return { refused: `plan ${version} is approved already, by ${approvedBy}` };
  const type = isAnyUnderWay(run) ? 'plan-approved' : 'plan-adopted';
  return { facts: [{ type, version, by }] };
}

/** The name behind an approval; a person's own plan is approved by its author. */
function wordFor({ by, isApproved, approvedBy }: PlanProposal): string | undefined {
  return isApproved === true ? by : approvedBy;
}

/** A plan approved by a person comes into force before another one is requested, so no decision is lost. */
function thinkAgain(run: Run, wanted: Fact): Settlement {
  const { proposal } = run.plan;
  const approvedBy = proposal === null ? undefined : wordFor(proposal);
  if (proposal === null || approvedBy === undefined) return { facts: [wanted] };
  const { version } = proposal;
  if (run.running.size > 0 || isAnyUnderWay(run))
    return {
      refused: `plan ${version} takes effect first, when the running task has ended; ask again then`,
    };
  return { facts: [{ type: 'plan-adopted', version, by: approvedBy }, wanted] };
}

/** The plan waits until no task is active, because an active task ends under the plan in force. */
function changePlan(
  run: Run,
  by: string,
  { tasks, dropped, reasons = [], why }: PlanControl & { kind: 'change-plan' },
): Settlement {
  const isDone = (task: TaskState | undefined): boolean =>
    task?.status.is === 'landed' || task?.status.is === 'skipped';
  const done = tasks.find(({ id }) => isDone(run.tasks.get(id)));
  if (done !== undefined) return { refused: `task ${done.id} is done and cannot be changed` };
  if (tasks.length === 0) return { refused: 'a plan has at least one task' };
  // A person's plan is complete: a task that it does not name is dropped, whatever its origin.
  const known = new Set([...tasks.map(({ id }) => id), ...dropped.map(({ taskId }) => taskId)]);
  const others = [...run.tasks.values()].filter(
    (task) =>
      !isDone(task) &&
      task.status.is !== 'dropped' &&
      task.origin.by !== 'policy' &&
      !known.has(task.spec.id),
  );
  const gone = others.map(({ spec }) => ({ taskId: spec.id, why: 'the new plan drops it' }));
  const version = run.plan.proposed + 1;
  const all = [...dropped, ...gone];
  const proposal = { version, tasks, dropped: all, reasons, why, by, isApproved: true } as const;
  return { facts: [{ type: 'plan-proposed', proposal }] };
}

function isPlanning({ taskId, deed }: Step): boolean {
  if (taskId !== null) return false;
  return deed.kind === 'session' ? deed.role === 'architect' : ['survey', 'settle-plan'].includes(deed.kind);
}
