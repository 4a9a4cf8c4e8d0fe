// Settles requests to suspend a run or a task, or to end such a wait.
import type { Control, ControlRequest } from '#kernel/events/control.ts';
import type { Settlement } from '#kernel/events/settlement.ts';
import { defaultSuspension, type SuspensionSettings } from './suspension-settings.ts';
import type { Run } from '#kernel/fold/run.ts';
import { type Condition, conditionProblem, isMetByApproval, simpleConditions } from './condition.ts';
import { conditionWords } from './condition-words.ts';
import { isForPerson, type Suspension, suspensionFor } from './suspension.ts';

const hourMs = 3_600_000;

export function settleSuspend(
  run: Run,
  { id, by }: ControlRequest,
  control: Control & { kind: 'suspend' },
): Settlement {
  const { taskId, condition, why, since, remindAt, now } = control;
  const known = suspensionFor(run, taskId ?? null);
  if (known !== null && now === true && isSame(known.condition, condition)) return endSessions(known);
  const refused = whyNotSuspended(run, control) ?? conditionProblem(condition);
  if (refused !== null) return { refused };
  return {
    facts: [
      {
        type: 'suspended',
        suspensionId: id,
        ...(taskId === undefined ? {} : { taskId }),
        condition,
        why,
        by,
        since,
        ...(remindAt === undefined ? {} : { remindAt }),
        ...(now === true ? { isNow: true } : {}),
      },
    ],
  };
}

function isSame(one: Condition, other: Condition): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The same suspension, but its sessions are ended instead of interrupted. */
function endSessions({ id, taskId, condition, why, by, since, remindAt, ...known }: Suspension): Settlement {
  return {
    facts: [
      {
        type: 'suspended',
        suspensionId: id,
        ...(taskId === null ? {} : { taskId }),
        condition,
        why,
        by,
        since,
        ...(remindAt === null ? {} : { remindAt }),
        isNow: true,
        ...(known.isByAgent ? { isByAgent: true } : {}),
      },
    ],
  };
}

/** An agent may wait for a time or a person, within limits. It could misuse a command or a file. */
export function settleAgentSuspend(
  run: Run,
  { id, by }: ControlRequest,
  control: Control & { kind: 'ask-suspension' },
): Settlement {
  const { taskId, condition, why, since } = control;
  const { byAgents, remindAfterMs } = settingsOf(run);
  const refused = whyNotSuspended(run, control) ?? conditionProblem(condition);
  if (refused !== null) return { refused };
  const parts = simpleConditions(condition);
  if (parts.some(({ kind }) => kind !== 'time' && kind !== 'manual'))
    return { refused: 'an agent can wait for a time or for a person, not for a command or a file' };
  // The agent's value for "now" may be wrong on purpose.
  const latest = Math.min(since, run.now) + byAgents.hoursMax * hourMs;
  if (parts.some((part) => part.kind === 'time' && part.at > latest))
    return {
      refused: `an agent can suspend its task for ${byAgents.hoursMax} h at most; ask a person instead`,
    };
  if (run.agentSuspensions >= byAgents.perRunMax)
    return {
      refused: `agents have suspended this run ${byAgents.perRunMax} times, the limit; ask a person instead`,
    };
  return {
    facts: [
      {
        type: 'suspended',
        suspensionId: id,
        taskId,
        condition,
        why,
        by,
        since,
        ...(remindAfterMs > 0 ? { remindAt: since + remindAfterMs } : {}),
        isByAgent: true,
      },
    ],
  };
}

function settingsOf({ config }: Run): SuspensionSettings {
  return config.suspension ?? defaultSuspension;
}

const reasonMax = 4000;

function whyNotSuspended(
  run: Run,
  { taskId, why }: { readonly taskId?: string; readonly why: string },
): string | null {
  if (why.length > reasonMax) return `the reason is longer than ${reasonMax} characters`;
  if (!settingsOf(run).isEnabled) return 'suspensions are switched off (suspension.enabled is false)';
  if (taskId !== undefined) {
    const task = run.tasks.get(taskId);
    if (task === undefined) return `there is no task ${taskId}`;
    if (['landed', 'failed', 'skipped', 'dropped'].includes(task.status.is))
      return `task ${taskId} is ${task.status.is} already`;
  }
  const known = suspensionFor(run, taskId ?? null);
  if (known === null) return null;
  return `${scopeWords(known)} is suspended already and waits ${conditionWords(known.condition)}; end that wait first`;
}

/** Null if the request does not ask to end a wait. */
export function settleWaitEnd(
  run: Run,
  { by }: ControlRequest,
  { force, approve, reject, taskId }: Control & { kind: 'resume' },
): Settlement | null {
  if (force !== true && approve !== true && reject === undefined) return null;
  const suspension = chosenSuspension(run, taskId);
  if (typeof suspension === 'string') {
    // For a paused run, `--force` means: resume it.
    return force === true && run.paused !== null && taskId === undefined ? null : { refused: suspension };
  }
  const { id: suspensionId } = suspension;
  if (force === true) return { facts: [{ type: 'suspension-ended', suspensionId, by, how: 'forced' }] };
  if (reject !== undefined)
    return { facts: [{ type: 'suspension-ended', suspensionId, by, how: 'rejected', why: reject }] };
  if (!isForPerson(suspension))
    return {
      refused: `${scopeWords(suspension)} waits ${conditionWords(suspension.condition)}, not for a person; \`--force\` ends the wait`,
    };
  const isEnd = suspension.expired !== null || isMetByApproval(suspension.condition);
  return {
    facts: [
      isEnd
        ? { type: 'suspension-ended', suspensionId, by, how: 'approved' }
        : { type: 'suspension-approved', suspensionId, by },
    ],
  };
}

/** The suspension, or why it is unclear which one is meant. */
function chosenSuspension(run: Run, taskId: string | undefined): Suspension | string {
  if (taskId !== undefined) return suspensionFor(run, taskId) ?? `task ${taskId} is not suspended`;
  const ofRun = suspensionFor(run, null);
  if (ofRun !== null) return ofRun;
  const [only, ...others] = run.suspensions.values();
  if (only === undefined) return 'the run is not suspended';
  if (others.length === 0) return only;
  const ids = [...run.suspensions.values()].map(({ taskId: id }) => id ?? '');
  return `several tasks are suspended (${ids.join(', ')}); name one with --task`;
}

function scopeWords({ taskId }: Suspension): string {
  return taskId === null ? 'the run' : `task ${taskId}`;
}
