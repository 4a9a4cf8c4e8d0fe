// `retry` and `skip`: control one task, also of a finished run.
import { refuseCleaned } from '#app/clean/refuse-cleaned.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { whyNotRetried } from '#kernel/decide/reopen.ts';
import { OperatorError } from '#base/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { sendControl, sendQuietly } from '#surfaces/cli/send-control.ts';
import { pickRun } from '#surfaces/cli/pick/pick-run.ts';
import { pickRetryable, pickTask } from '#surfaces/cli/pick/pick-task.ts';
import { sendAndResume, resumeControl } from '#surfaces/cli/drive/resume-run.ts';
import { type KnownRun, openHere } from '#surfaces/cli/open-here.ts';
import { commandToResume, commandToRetry } from '#views/status/again.ts';
import { count } from '#views/words.ts';

export interface TaskOptions {
  readonly run?: string;
  readonly why?: string;
  readonly json?: boolean;
  /** For `retry`; false by --no-drive. */
  readonly drive?: boolean;
  readonly budget?: readonly string[];
  readonly allowRoot?: boolean;
}

export async function taskCommand(
  kind: 'retry' | 'skip',
  name: string | undefined,
  options: TaskOptions,
): Promise<number> {
  await refuseFromInside(`untildone ${kind}`);
  const { budget = [], allowRoot = false } = options;
  const changes = { budget, allowRoot };
  const resume = resumeControl(changes);
  const site = await openHere();
  const command = `${kind}${name === undefined ? '' : ` ${name}`} --run`;
  const known = await pickRun(site, options.run, { command, orNewest: true });
  await refuseCleaned(site, known.run, 'its branch and files were removed, so it cannot continue');
  const task = name === undefined ? pickRetryable(known.run) : pickTask(known.run, name);
  const taskId = task.spec.id;
  refuseLate(kind, known, task);
  const isJson = options.json === true;
  const handed = {
    control:
      kind === 'retry'
        ? ({ kind, taskId } as const)
        : ({ kind, taskId, why: options.why ?? 'skipped by a person' } as const),
    done: `${kind === 'retry' ? `Task ${taskId} is open again.` : `Skipped task ${taskId}.`}${openedAgain(known.run, kind, task)}`,
    goOn: commandToResume(known.run),
    isJson,
  };
  if (kind === 'retry' && options.drive !== false && known.holder === null) {
    const { refuseAgentsOfRun } = await import('#app/run/refuse-agents.ts');
    const command = commandToRetry(known.run, taskId);
    await refuseAgentsOfRun(site, known.run, { ...changes, command });
    return sendAndResume(site, known, handed, changes);
  }
  const code = await sendControl(site, known, handed);
  if (resume.budget !== undefined || allowRoot) await sendQuietly(site, known, resume);
  return code;
}

function refuseLate(kind: 'retry' | 'skip', { run, holder }: KnownRun, task: TaskState): void {
  const why = kind === 'retry' ? whyNotRetried(run, task) : whyNotSkipped(task);
  if (why === null) return;
  throw new OperatorError(
    'wrong-state',
    `${why[0]?.toUpperCase() ?? ''}${why.slice(1)}.`,
    hintFor(run, kind, task) ?? nextFor(run, holder !== null),
  );
}

function whyNotSkipped({ spec, status }: TaskState): string | null {
  const isLate = ['landed', 'skipped', 'dropped'].includes(status.is);
  return isLate ? `task ${spec.id} is ${status.is}; it can no longer be skipped` : null;
}

function hintFor(run: Run, kind: 'retry' | 'skip', { spec, status }: TaskState): string | null {
  const failed = spec.dependsOn.find((id) => run.tasks.get(id)?.status.is === 'failed');
  if (kind === 'retry' && status.is === 'waiting' && failed !== undefined)
    return `Retry the task that it waits for: untildone retry ${failed} --run ${run.id}`;
  if (kind === 'retry' && status.is === 'landed')
    return `Add what is missing as a task: ${run.outcome === null ? `untildone add-task "…" --run ${run.id}` : 'start a new run with it'}.`;
  return null;
}

/** A reopened run whose driver was killed before its first step only has to be resumed. */
function nextFor(run: Run, isDriven: boolean): string {
  const hint = `See its state: untildone status ${run.id}`;
  return run.outcome === null && !isDriven
    ? `${hint}. The run has no driver. Continue with: ${commandToResume(run)}`
    : hint;
}

/** What a finished run does now; '' for an unfinished one. */
function openedAgain({ outcome, tasks, id }: Run, kind: 'retry' | 'skip', task: TaskState): string {
  if (outcome === null) return '';
  const others = [...tasks.values()].filter(
    (one) => one !== task && !['landed', 'skipped', 'dropped', 'failed'].includes(one.status.is),
  ).length;
  const left = others + (kind === 'retry' ? 1 : 0);
  const what = left === 0 ? 'the final acceptance' : `${count(left, 'task')} to do`;
  return ` Run ${id} had ended as ${outcome.outcome} and is open again: ${what}.`;
}
