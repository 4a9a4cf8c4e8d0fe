import type { Site } from '#app/site.ts';
import { namesCondition, readSuspendFlags, type SuspendFlags } from '#config/suspend-flags.ts';
import type { SuspendControl } from '#app/waiting/suspend-run.ts';
import type { Run } from '#kernel/fold/run.ts';
import { type Suspension, suspensionFor } from '#kernel/waiting/suspension.ts';
import { OperatorError } from '#base/operator-error.ts';
import { suspensionsJson } from '#views/waiting/suspended.ts';
import { suspendedText } from '#views/waiting/suspended-text.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { sendQuietly } from '#surfaces/cli/send-control.ts';
import { sessionWait } from '#surfaces/cli/drive/interrupts.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { pickTask } from '#surfaces/cli/pick/pick-task.ts';
import { pickUnfinished } from '#surfaces/cli/pick/pick-unfinished.ts';
import { type KnownRun } from '#surfaces/cli/open-here.ts';

export interface SuspendOptions extends SuspendFlags {
  readonly task?: string;
  readonly run?: string;
  readonly now?: boolean;
  readonly json?: boolean;
}

export async function suspendCommand(why: string | undefined, options: SuspendOptions): Promise<number> {
  await refuseFromInside('untildone suspend');
  const since = Date.now();
  const isOnlyNow = options.now === true && !namesCondition(options);
  const wait = isOnlyNow ? null : readSuspendFlags(options, { now: since, cwd: process.cwd() });
  const { site, known } = await pickUnfinished(options.run, { command: 'suspend --time 1h --run' });
  const { run } = known;
  const taskId = options.task === undefined ? null : pickTask(run, options.task).spec.id;
  const { endSessionsControl, suspendControl } = await import('#app/waiting/suspend-run.ts');
  const control =
    wait === null
      ? endSessionsControl(run, taskId)
      : suspendControl(site, run, { wait, why: why ?? '', since, taskId, isNow: options.now === true });
  if (control === null) throw notSuspended(run, taskId);
  return suspend(site, known, control, options.json === true);
}

async function suspend(
  site: Site,
  known: KnownRun,
  control: SuspendControl,
  isJson: boolean,
): Promise<number> {
  const { run, holder } = known;
  const landed = await sendQuietly(site, known, control);
  const { loadRun } = await import('#app/site.ts');
  const { whoWakes } = await import('#app/waiting/who-wakes.ts');
  const now = (await loadRun(site, run.id)).run;
  const waker = await whoWakes(site, run.config);
  if (isJson) {
    printJson({ ...landed, waker, suspensions: suspensionsJson(now, { isDriven: landed.isLive }) });
    return 0;
  }
  if (!landed.isApplied) {
    const who = landed.isLive ? `The driver of ${run.id} has not answered yet` : 'The next driver handles it';
    print(`${who}. See its condition: untildone resume --status --run ${run.id}`);
    return 0;
  }
  print(
    suspendedText(now, suspensionOf(control, now), {
      now: Date.now(),
      driverPid: holder?.pid ?? null,
      waker,
      // As it was when the command was given: an interrupted session may have ended since.
      sessionWait: holder === null ? null : sessionWait(run, control.taskId ?? null),
      isNow: control.now === true,
    }),
  );
  return 0;
}

/** As the run has it, or as requested if it has ended already. */
function suspensionOf({ taskId, condition, why, since }: SuspendControl, run: Run): Suspension {
  const known = suspensionFor(run, taskId ?? null);
  if (known !== null) return known;
  return {
    id: '',
    taskId: taskId ?? null,
    condition,
    why,
    by: '',
    since,
    remindAt: null,
    isApproved: false,
    expired: null,
    isNow: false,
    isByAgent: false,
  };
}

function notSuspended(run: Run, taskId: string | null): OperatorError {
  return new OperatorError(
    'not-suspended',
    `${taskId === null ? `The run ${run.id}` : `Task ${taskId}`} is not suspended yet, so --now needs a condition.`,
    `For example: untildone suspend --now --manual "why" --run ${run.id}`,
  );
}
