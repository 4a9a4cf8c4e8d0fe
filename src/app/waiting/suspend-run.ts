// Turns a person's request to wait into the control that suspends a run.
import { isWithin } from '#base/is-within.ts';
import { toCondition, usualReason, type WaitWish } from '#config/suspend-flags.ts';
import type { Control } from '#kernel/events/control.ts';
import { defaultSuspension } from '#kernel/waiting/suspension-settings.ts';
import type { Run } from '#kernel/fold/run.ts';
import { suspensionFor } from '#kernel/waiting/suspension.ts';
import { OperatorError } from '#base/operator-error.ts';
import { real } from '#app/sandbox/real-path.ts';
import { type Site, worktreeOf } from '#app/site.ts';

export type SuspendControl = Control & { readonly kind: 'suspend' };

export interface SuspendWish {
  readonly wait: WaitWish;
  /** Empty if the person gives no reason. */
  readonly why: string;
  /** By the wall clock. */
  readonly since: number;
  /** Null for the whole run. */
  readonly taskId: string | null;
  /** Ends the sessions under way instead of interrupting them. */
  readonly isNow: boolean;
}

export function suspendControl(
  site: Site,
  run: Run,
  { wait, why, since, taskId, isNow }: SuspendWish,
): SuspendControl {
  const settings = run.config.suspension ?? defaultSuspension;
  if (!settings.isEnabled)
    throw new OperatorError(
      'suspension-off',
      `Suspensions are switched off for the run ${run.id} (suspension.enabled is false).`,
      `Pause it instead: untildone pause ${run.id}`,
    );
  const { remindAfterMs } = settings;
  return {
    kind: 'suspend',
    ...(taskId === null ? {} : { taskId }),
    condition: toCondition(wait, settings, { since, isByAgent: agentsReach(site, run) }),
    why: why.trim() === '' ? usualReason(wait) : why,
    since,
    ...(remindAfterMs > 0 ? { remindAt: since + remindAfterMs } : {}),
    ...(isNow ? { now: true } : {}),
  };
}

/** The same suspension, but its sessions are now ended instead of interrupted. */
export function endSessionsControl(run: Run, taskId: string | null): SuspendControl | null {
  const known = suspensionFor(run, taskId);
  if (known === null) return null;
  const { condition, why, since } = known;
  return { kind: 'suspend', ...(taskId === null ? {} : { taskId }), condition, why, since, now: true };
}

/** Whether an agent of the run can write the path: it is in the checkout that the run works in. */
function agentsReach(site: Site, { id, config }: Run): (path: string) => boolean {
  const checkouts = [worktreeOf(site, id), ...(config.repo.inPlace ? [site.root] : [])].map(real);
  return (path) => checkouts.some((folder) => isWithin(real(path), folder));
}
