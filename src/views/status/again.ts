// Reopening a finished run: the command to type, and the earlier ends of a reopened run.
import { reserveSession } from '#kernel/model/budget.ts';
import { whyNotRetried } from '#kernel/decide/reopen.ts';
import type { Run } from '#kernel/fold/run.ts';
import { landedText } from '#views/lines/after-end.ts';
import { isReviewedOnly } from '#views/report/proof.ts';
import { shortened, utcMinute } from '#views/words.ts';

/** The first task to retry; null if there is none. */
export function retryable(run: Run): string | null {
  if (run.outcome === null || run.config.foreign !== undefined) return null;
  const open = [...run.tasks.values()].filter((task) => whyNotRetried(run, task) === null);
  const first = open.find(({ status }) => status.is !== 'skipped');
  return first?.spec.id ?? null;
}

/** `untildone retry t3 --run r --budget sessions=60`: continues the run. */
export function commandToRetry(run: Run, taskId: string): string {
  return `untildone retry ${taskId} --run ${run.id}${moreRoom(run)}`;
}

/** The command to give a run another plan if it missed its goal; null for a run that does not plan. */
export function anotherPlan({ id, config, outcome, cleaned }: Run): string | null {
  if (
    config.policy.planning === undefined ||
    outcome === null ||
    cleaned !== null ||
    outcome.outcome === 'completed'
  )
    return null;
  return `untildone plan --again "…" --run ${id}`;
}

/** The next command for a finished run that is not cleaned. */
export function wayOn(run: Run): string {
  if (isReviewedOnly(run))
    return `If it is done: untildone approve ${run.id}, or untildone land ${run.id} --accept-review`;
  const taskId = retryable(run);
  const plan = anotherPlan(run);
  if (taskId !== null)
    return `Retry it: ${commandToRetry(run, taskId)}. Or start a new one with \`untildone run\`.`;
  return plan === null
    ? 'Start a new one with `untildone run`; `untildone show` shows what this one did.'
    : `Request a new plan: ${plan}, then ${commandToResume(run)}. Or start a new one with \`untildone run\`.`;
}

export function commandToResume(run: Run): string {
  return `untildone resume ${run.id}${moreRoom(run)}`;
}

/** ` --budget sessions=60` if nothing is left; '' otherwise. */
function moreRoom(run: Run): string {
  const { budget, ledger, activeMs } = run;
  const more = (limit: number): number => Math.ceil(limit * 1.5);
  const isOut = 'spentOut' in reserveSession(ledger, budget);
  const raised = [
    ...(isOut && ledger.spent.sessions >= budget.sessions ? [`sessions=${more(budget.sessions)}`] : []),
    ...(isOut && ledger.spent.usd >= budget.usd ? [`usd=${more(budget.usd)}`] : []),
    ...(isOut && ledger.spent.tokens >= budget.tokens ? [`tokens=${more(budget.tokens)}`] : []),
    ...(activeMs >= budget.activeMs ? [`hours=${more(budget.activeMs / 3_600_000)}`] : []),
  ];
  return raised.length === 0 ? '' : ` --budget ${raised.join(',')}`;
}

/** The earlier outcome is no longer valid, but it is not hidden. */
export function reopenedLines(run: Run): string[] {
  return run.reopenings.flatMap(({ at, by, ended, landings }) => [
    `↩️  Reopened by ${by} on ${utcMinute(at)}; before that it was ${ended.outcome}: ${shortened(ended.reason, 160)}`,
    ...landings.map((landed) => `   At that time ${landedText(landed)}`),
  ]);
}
