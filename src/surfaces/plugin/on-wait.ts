// /untildone:suspend and /untildone:resume: the controls they send, and the text about the result.
import type { Site } from '#app/site.ts';
import { waitEndOf } from '#config/resume-flags.ts';
import { namesCondition, readSuspendFlags } from '#config/suspend-flags.ts';
import type { Control } from '#kernel/events/control.ts';
import type { Run } from '#kernel/fold/run.ts';
import { openSuspensions, suspensionWords } from '#kernel/waiting/suspension.ts';
import { OperatorError } from '#base/operator-error.ts';
import { suspensionLines } from '#views/waiting/suspended.ts';
import { readResume, readSuspend } from './read-wait-flags.ts';

/** Without a condition the run is paused, as `untildone pause` does. */
export async function suspendControlOf(site: Site, run: Run, typed: string): Promise<Control> {
  const { why, task, now, ...flags } = readSuspend(typed);
  if (!namesCondition(flags) && task === undefined && now !== true)
    return { kind: 'pause', why: why === '' ? 'suspended by the person in the session' : why };
  const since = Date.now();
  const { suspendControl } = await import('#app/waiting/suspend-run.ts');
  return suspendControl(site, run, {
    wait: readSuspendFlags(flags, { now: since, cwd: site.root }),
    why,
    since,
    taskId: task ?? null,
    isNow: now === true,
  });
}

/** Null if the person only wants to see what the run waits for. */
export function resumeControlOf(run: Run, typed: string): Control | null {
  const flags = readResume(typed);
  if (flags.status === true) return null;
  const end = waitEndOf(flags);
  const [suspension] = openSuspensions(run);
  if (end === null && run.paused === null && suspension !== undefined)
    throw new OperatorError(
      'run-is-suspended',
      `The run ${run.id} is suspended: ${suspensionWords(suspension)}.`,
      'End the wait: /untildone:resume --force, --approve or --reject "why".',
    );
  return { kind: 'resume', ...end, ...(flags.task === undefined ? {} : { taskId: flags.task }) };
}

export async function waitsText(site: Site, run: Run): Promise<string> {
  const { pollRecordsOf, wakeProblemOf } = await import('#app/waiting/wait-records.ts');
  const suspensions = openSuspensions(run);
  if (suspensions.length === 0)
    return run.paused === null ? `The run ${run.id} is not suspended.` : `Paused: ${run.paused.why}`;
  const place = {
    now: Date.now(),
    polls: await pollRecordsOf(site, run.id),
    holder: 'this session',
    problem: await wakeProblemOf(site, run.id),
  };
  return suspensions.flatMap((one) => suspensionLines(run, one, place)).join('\n');
}

/** What the run waits for now, after the person's control was applied. */
export function suspendedWords(run: Run): string {
  const [suspension] = openSuspensions(run);
  const what = suspension === undefined ? '' : `: ${suspensionWords(suspension)}`;
  return `The run ${run.id} is suspended${what}. This session may end. Continue with /untildone:resume${what === '' ? '' : ' --force'}.`;
}
