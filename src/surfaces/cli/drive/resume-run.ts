// Resumes an unfinished run in this process.
import type { Site } from '#app/site.ts';
import { raise } from '#config/flags.ts';
import { awaitedTransientErrors } from '#kernel/waiting/usage-limit.ts';
import type { Control } from '#kernel/events/control.ts';
import { OperatorError } from '#base/operator-error.ts';
import { completedSteps } from '#views/status/steps.ts';
import { driveHere } from './drive-here.ts';
import { dropControl } from '#app/controls/controls.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { type SentControl, sendQuietly } from '#surfaces/cli/send-control.ts';
import { print, printJsonLine } from '#surfaces/cli/output.ts';
import { headerLines } from '#surfaces/cli/render/header.ts';
import { type KnownRun, loadKnown } from '#surfaces/cli/open-here.ts';

export interface ResumeOptions {
  readonly isJson: boolean;
  readonly budget: readonly string[];
  /** Installs dependencies from now on; false installs nothing. */
  readonly setup?: string | false;
  /** Who chooses the next action of an action loop from now on. */
  readonly mode?: 'auto' | 'interactive';
  /** Lets agents work as root from now on. */
  readonly allowRoot?: boolean;
  /** A person has just reopened it, and was informed. */
  readonly isTakenUp?: boolean;
}

export async function resumeHere(
  site: Site,
  { run }: KnownRun,
  { isJson, isTakenUp = false, ...changes }: ResumeOptions,
): Promise<number> {
  await refuseFromInside('untildone resume');
  const { refuseAgentsOfRun } = await import('#app/run/refuse-agents.ts');
  await refuseAgentsOfRun(site, run, { ...changes, command: `untildone resume ${run.id}` });
  // A campaign killed while its goal was checked leaves a dry run.
  if (run.config.dryRun !== true)
    await (await import('#app/clean/killed-dry-runs.ts')).removeKilledDryRuns(site, run.id);
  const control = resumeControl(changes);
  const { kind: _, ...changed } = control;
  // A run whose driver died needs no control to continue; a run that a person parked does.
  const isLimited = awaitedTransientErrors(run).length > 0;
  if (isLimited) (await import('#app/admission.ts')).forgetAwaitedLimits(site, run);
  if (run.paused !== null || run.trouble !== null || isLimited || Object.keys(changed).length > 0)
    await dropControl(site, run.id, control);
  const { done, all } = completedSteps(run);
  const { readPreflightAgain } = await import('#app/run/preflight.ts');
  const items = isJson
    ? []
    : await readPreflightAgain(site, run, {
        budget: { ...run.budget, ...control.budget },
        setup: changes.setup,
        mode: changes.mode,
      });
  // Printed once we hold the lock: another process may drive the run.
  const onTaken = (): void => {
    if (isJson) return printJsonLine({ type: 'run', runId: run.id, isResumed: true, steps: { done, all } });
    if (!isTakenUp) print(`🔄 Resuming from durable session (${done}/${all} steps completed)`);
    for (const line of headerLines({ runId: run.id, preset: run.config.preset, items })) print(line);
  };
  return driveHere(site, run.id, { isJson, onTaken });
}

/** Without a driver, this process sends the control and drives the run: one command instead of two. */
export async function sendAndResume(
  site: Site,
  known: KnownRun,
  { control, done, isJson }: SentControl,
  changes: Pick<ResumeOptions, 'budget' | 'allowRoot'> = { budget: [] },
): Promise<number> {
  const { runId, controlId } = await sendQuietly(site, known, control);
  if (isJson) printJsonLine({ type: 'control', runId, controlId, control: control.kind });
  else print(done);
  return resumeHere(site, await loadKnown(site, runId), { isJson, ...changes, isTakenUp: true });
}

export function resumeControl({
  budget,
  setup,
  allowRoot: isRootAllowed = false,
  mode,
}: Pick<ResumeOptions, 'budget' | 'setup' | 'allowRoot' | 'mode'>): Control & { readonly kind: 'resume' } {
  const more = raise(budget);
  return {
    kind: 'resume',
    ...(more === null ? {} : { budget: more }),
    ...(setup === undefined ? {} : { setup: commandOf(setup) }),
    ...(mode === undefined ? {} : { mode }),
    ...(isRootAllowed ? { allowRoot: true } : {}),
  };
}

function commandOf(setup: string | false): string | false {
  if (setup === false || setup.trim() !== '') return setup;
  throw new OperatorError(
    'wrong-flag',
    'The value of --setup is empty.',
    'Give a command: --setup "npm install", or install nothing: --no-setup',
  );
}
