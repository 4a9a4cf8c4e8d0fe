// `--dry-run`: everything up to the first session, then a verdict; nothing is paid and nothing is kept.
import type { DriveEnd } from '#app/world.ts';
import type { Site } from '#app/site.ts';
import { dryRunWait } from '#kernel/decide/dry-run.ts';
import type { Event } from '#kernel/events/events.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Observer } from '#ports/world.ts';
import { chooseDisplay } from '#surfaces/cli/render/choose-display.ts';
import { clean } from '#surfaces/cli/render/words.ts';
import { abortOnInterrupt } from '#surfaces/cli/abort-on-interrupt.ts';
import { print, printJsonLine } from '#surfaces/cli/output.ts';
import { watchProofAhead } from './watch-proof-ahead.ts';
import { type CreatedRun, createHere, showStart, type WantedRun } from './create-here.ts';

/** Contract: makes a new run that no later start finds, and removes it whatever happens. */
export async function dryRunHere(here: Site, wanted: WantedRun, isJson: boolean): Promise<number> {
  const { goalAsTask, prepareDryRun } = await import('#app/run/dry-run.ts');
  const goal = wanted.plan === undefined ? goalAsTask(wanted) : null;
  const driven = goal ?? wanted;
  const { site, config, remove } = await prepareDryRun(here, driven.config);
  const interrupt = abortOnInterrupt();
  const made = await createHere(site, { ...driven, config });
  const created = { ...made, shown: wanted.config };
  let end: DriveEnd;
  try {
    await showStart(site, created, isJson);
    const isGoal = goal !== null;
    end = await driveToSession(site, created, { isJson, isGoal, signal: interrupt.signal });
  } finally {
    await remove(created.runId);
    interrupt.dispose();
  }
  return printVerdict(created.runId, verdictOf(created.runId, end, interrupt.signal.aborted), isJson);
}

/**
 * A run that plans pays an architect before any check runs, so a dry run checks the goal first.
 * Null if the run may start; otherwise the run is removed, and its exit code is returned.
 */
export async function refusedGoal(
  here: Site,
  { runId, resolved }: CreatedRun,
  isJson: boolean,
): Promise<number | null> {
  const { goalAsTask, prepareDryRun } = await import('#app/run/dry-run.ts');
  const wanted = resolved.plan === undefined ? goalAsTask(resolved) : null;
  if (wanted === null) return null;
  const { site, config, remove } = await prepareDryRun(here, wanted.config);
  const interrupt = abortOnInterrupt();
  const created = await createHere(site, { ...wanted, config });
  if (!isJson) print('running the checks of the goal before planning …');
  try {
    const { signal } = interrupt;
    const end = await driveToSession(site, created, { isJson, isSilent: isJson, isGoal: true, signal });
    const verdict = verdictOf(created.runId, end, interrupt.signal.aborted);
    // The run itself meets any other problem again, and says how to continue.
    const isRefused = end.kind === 'ended' && end.run.outcome?.refused !== undefined;
    if (!isRefused && !interrupt.signal.aborted) return null;
    await remove(runId);
    return printRefused(runId, verdict, isJson);
  } finally {
    await remove(created.runId);
    interrupt.dispose();
  }
}

const installMissing =
  'correct that and run the same command again. --setup "…" names a command that installs what is missing.';

function printRefused(runId: string, { exitCode, reason }: DryVerdict, isJson: boolean): number {
  if (isJson) printJsonLine({ type: 'result', runId, outcome: 'refused', reason, exitCode });
  else
    print(
      `\n✗ Not started: ${withoutFullStop(clean(reason))}. No session was started.\nNext: ${installMissing}`,
    );
  return exitCode;
}

interface Examined {
  readonly isJson: boolean;
  readonly isSilent?: boolean;
  /** The checks are those of a run that plans. */
  readonly isGoal: boolean;
  readonly signal: AbortSignal;
}

async function driveToSession(
  site: Site,
  { runId }: CreatedRun,
  { isJson, isSilent = false, isGoal, signal }: Examined,
): Promise<DriveEnd> {
  const { driveRun } = await import('#app/world.ts');
  const display = chooseDisplay(isJson);
  const ahead = watchProofAhead({ site, runId, display, isJson, mayAsk: false, isGoal });
  const shown: Observer = {
    ...display,
    onEvents: (run, events) => display.onEvents?.(run, isJson ? events : events.filter(isShown)),
  };
  try {
    const observers = isSilent ? [] : [ahead, shown];
    return await driveRun(site, runId, { observers, leaveWhenParked: () => true, signal });
  } finally {
    ahead.close();
    display.close();
  }
}

/** Our own last line says why it stops. */
function isShown(event: Event): boolean {
  if (event.type === 'driver-left') return false;
  return event.type !== 'step-ended' || event.result.kind !== 'refused';
}

interface DryVerdict {
  readonly exitCode: number;
  /** Why a run would not reach its first session; '' if it would. */
  readonly reason: string;
  /** What to do about it; absent if unknown. */
  readonly next?: string;
}

function verdictOf(runId: string, end: DriveEnd, isInterrupted: boolean): DryVerdict {
  if (isInterrupted) return { exitCode: exitCodes.stopped, reason: 'interrupted' };
  if (end.kind === 'held') return { exitCode: exitCodes.usage, reason: `pid ${end.by.pid} drives it` };
  if (end.kind === 'parked' && end.waitingFor === dryRunWait)
    return { exitCode: exitCodes.completed, reason: '' };
  const { outcome, trouble } = end.run;
  const waitingFor = end.kind === 'parked' ? end.waitingFor : '';
  const reason = outcome?.reason ?? trouble?.reason ?? waitingFor;
  // Its logs are removed with it, and it cannot be resumed.
  const lines = reason.split('\n').filter((line) => !line.includes(runId));
  const needsSetup = outcome?.refused !== undefined || trouble?.hint.includes('--setup') === true;
  const next = needsSetup ? { next: installMissing } : {};
  return { exitCode: exitCodes.usage, reason: lines.join('\n'), ...next };
}

function printVerdict(runId: string, { exitCode, reason, next }: DryVerdict, isJson: boolean): number {
  if (isJson)
    printJsonLine({ type: 'result', runId, outcome: 'dry-run', isReady: reason === '', reason, exitCode });
  else if (reason === '')
    print('\n✓ Dry run: the run would start its first session now. Nothing was spent or kept.');
  else
    print(
      `\n✗ Dry run: the run would stop before its first session: ${withoutFullStop(clean(reason))}.\n  Nothing was spent or kept.${next === undefined ? '' : `\nNext: ${next}`}`,
    );
  return exitCode;
}

/** Refuses `--resume` and `--sanity-check` beside `--dry-run`, which only shows how a run begins. */
export function refuseBesideDryRun({
  resume,
  sanityCheck,
}: {
  resume?: boolean;
  sanityCheck?: boolean;
}): void {
  const other = resume === true ? '--resume' : sanityCheck === true ? '--sanity-check' : null;
  if (other === null) return;
  throw new OperatorError(
    'bad-flag',
    `--dry-run shows how a new run would start; it cannot be combined with ${other}.`,
    `Leave out --dry-run or ${other}.`,
  );
}
