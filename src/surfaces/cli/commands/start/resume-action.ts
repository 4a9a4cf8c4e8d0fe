import { modeWish } from '#config/flags.ts';
import { waitEndOf, type WaitEndFlags } from '#config/resume-flags.ts';
import type { Control } from '#kernel/events/control.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import { needsPerson, suspensionFor, suspensionWords } from '#kernel/waiting/suspension.ts';
import { OperatorError } from '#base/operator-error.ts';
import { firstSuspension, suspensionsJson, waysToEnd } from '#views/waiting/suspended.ts';
import { stillSuspendedText, waitEndWords } from '#views/waiting/suspended-text.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { sendQuietly } from '#surfaces/cli/send-control.ts';
import { print, printJsonLine } from '#surfaces/cli/output.ts';
import { pickTask } from '#surfaces/cli/pick/pick-task.ts';
import { pickUnfinished } from '#surfaces/cli/pick/pick-unfinished.ts';
import { resumeControl, resumeHere } from '#surfaces/cli/drive/resume-run.ts';
import { type RawSetup, setupFlag } from '#surfaces/cli/options/setup-flags.ts';
import { type KnownRun, loadKnown } from '#surfaces/cli/open-here.ts';
import type { Site } from '#app/site.ts';

export interface ResumeFlags extends RawSetup, WaitEndFlags {
  readonly json?: boolean;
  readonly budget?: readonly string[];
  readonly mode?: string;
  readonly allowRoot?: boolean;
  readonly status?: boolean;
  readonly task?: string;
}

export async function resumeCommand(name: string | undefined, options: ResumeFlags): Promise<number> {
  const waitEnd = waitEndOf(options);
  refuseMixed(options, waitEnd !== null);
  if (options.status === true)
    return (await import('./resume-status.ts')).resumeStatusCommand(name, options.json === true);
  await refuseFromInside('untildone resume');
  const isJson = options.json === true;
  const { budget = [], allowRoot = false } = options;
  const setup = setupFlag(options);
  const mode = options.mode === undefined ? undefined : modeWish(options.mode);
  const changes = {
    budget,
    allowRoot,
    ...(setup === undefined ? {} : { setup }),
    ...(mode === undefined ? {} : { mode }),
  };
  const changed = resumeControl(changes);
  const { site, known } = await pickUnfinished(name, { command: 'resume' });
  const { run, holder } = known;
  const taskId = options.task === undefined ? undefined : pickTask(run, options.task).spec.id;
  const control = { ...changed, ...waitEnd, ...(taskId === undefined ? {} : { taskId }) };
  if (holder !== null) return sendToDriver(site, known, control, isJson);
  if (waitEnd !== null) {
    const { isApplied } = await sendQuietly(site, known, control);
    if (!isJson && isApplied) print(waitEndWords(run, control));
    // The changes were sent with it.
    return resumeHere(site, await loadKnown(site, run.id), { isJson, budget: [] });
  }
  const isPlain = run.paused === null && Object.keys(changed).length === 1;
  const code = isPlain ? waitForPerson(known, isJson) : null;
  return code ?? resumeHere(site, known, { isJson, ...changes });
}

/** The exit code of a run that needs a person's decision and starts no driver; null for any other. */
function waitForPerson({ run }: KnownRun, isJson: boolean): number | null {
  const suspension = suspensionFor(run, null);
  if (suspension === null) return null;
  const isForPerson = needsPerson(suspension);
  if (!isJson) print(stillSuspendedText(run, suspension));
  else if (isForPerson)
    printJsonLine({
      type: 'suspended',
      runId: run.id,
      suspensions: suspensionsJson(run, { isDriven: false }),
    });
  return isForPerson ? exitCodes.parked : null;
}

async function sendToDriver(
  site: Site,
  known: KnownRun,
  control: Control & { readonly kind: 'resume' },
  isJson: boolean,
): Promise<number> {
  const { run, holder } = known;
  const suspension = firstSuspension(run);
  if (run.paused === null && suspension !== null && Object.keys(control).length === 1)
    throw new OperatorError(
      'run-is-suspended',
      `The run ${run.id} is suspended: ${suspensionWords(suspension)}. Its driver (pid ${holder?.pid ?? '?'}) waits for that.`,
      `End the wait: ${waysToEnd(run, suspension, true)[0] ?? ''}`,
    );
  const isWaitEnd = control.force === true || control.approve === true || control.reject !== undefined;
  (await import('#app/admission.ts')).forgetAwaitedLimits(site, run);
  // Waits for the answer, because a person should know if the run is not paused.
  const { controlId, isApplied } = await sendQuietly(site, known, control);
  if (isJson) printJsonLine({ runId: run.id, controlId, isLive: true, isApplied });
  else if (isWaitEnd && isApplied)
    print(`${waitEndWords(run, control)} Follow it: untildone logs -f ${run.id}`);
  else
    print(
      `The driver of ${run.id} (pid ${holder?.pid ?? '?'}) continues. Follow it: untildone logs -f ${run.id}`,
    );
  return 0;
}

function refuseMixed(options: ResumeFlags, endsWait: boolean): void {
  const { status, task, budget, mode, allowRoot } = options;
  const isChanged = [setupFlag(options), budget, mode, allowRoot].some((one) => one !== undefined);
  if (status === true && (endsWait || task !== undefined || isChanged))
    throw new OperatorError(
      'wrong-flag',
      '--status takes no other flags than --run and --json.',
      'Use it alone: untildone resume --status',
    );
  if (task !== undefined && !endsWait)
    throw new OperatorError(
      'wrong-flag',
      '--task names the suspension to end, and no flag ends one.',
      'Add --approve, --reject "why" or --force.',
    );
}
