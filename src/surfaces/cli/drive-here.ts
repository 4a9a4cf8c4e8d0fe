// Drives a run in this process: display, signals, summary, exit code.
import { setFlagsFromString } from 'node:v8';
import type { Site } from '#compose/site.ts';
import { parkedBySettings } from '#kernel/loop.ts';
import type { Run } from '#kernel/run.ts';
import { exitCodeOf, exitCodes } from '#kernel/outcome.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { Observer } from '#ports/world.ts';
import { loopEnding, loopResult } from '#views/actions/loop-state.ts';
import { commandsOf, mattersOf } from '#views/matters.ts';
import { stateJson } from '#views/state-json.ts';
import { summaryText } from '#views/summary.ts';
import { watchInterrupts } from './interrupts.ts';
import { isMenuDue } from './menu-due.ts';
import { noticesHere } from './notices-here.ts';
import { print, printJsonLine } from './output.ts';
import { watchProofAhead } from './proof-ahead.ts';
import { showMatters } from './show-matters.ts';
import { chooseDisplay } from '#surfaces/cli/render/choose-display.ts';

export interface DriveHereOptions {
  readonly isJson: boolean;
  /** In a place that nobody comes back to: nothing is said of going on. */
  readonly isPassing?: boolean;
  /** Whether a person may be asked here if a review shall count as proof; it was never answered. */
  readonly asksReview?: boolean;
  /** Called once, as soon as this process drives the run, before anything is shown of it. */
  readonly onTaken?: () => void;
}

/** Between the turns of an action loop the person at this terminal chooses, and the run goes on. */
export async function driveHere(site: Site, runId: string, options: DriveHereOptions): Promise<number> {
  keepSmall();
  const { onTaken: _, ...later } = options;
  for (let isFirst = true; ; isFirst = false) {
    const end = await driveOnce(site, runId, isFirst ? options : later);
    if (typeof end === 'number') return end;
    const { chooseHere } = await import('./at-the-wheel.ts');
    const chosen = await chooseHere(site, end.choiceIn, later);
    if (chosen !== 'again') return chosen;
  }
}

/** The exit code, or the run whose next action is chosen at this terminal. */
async function driveOnce(
  site: Site,
  runId: string,
  options: DriveHereOptions,
): Promise<number | { readonly choiceIn: Run }> {
  const { runFiles } = await import('#compose/site.ts');
  const { driveRun } = await import('#compose.ts');
  let current: Run | null = null;
  const { display, notices } = await noticesHere(site, runId, {
    display: chooseDisplay(options.isJson),
    ...options,
  });
  const ahead = watchProofAhead({
    site,
    runId,
    display,
    isJson: options.isJson,
    mayAsk: options.asksReview === true,
  });
  let isTaken = false;
  const taken = (): void => {
    if (!isTaken) options.onTaken?.();
    isTaken = true;
  };
  const follow: Observer = {
    onNote: taken,
    onEvents: (run) => {
      taken();
      current = run;
    },
  };
  const interrupts = watchInterrupts({ site, runId, currentRun: () => current, say: display.say });
  // A pause from another terminal keeps us here for the resume; whatever else parks a run needs a person first.
  const leaveWhenParked = (): boolean =>
    interrupts.isLeaving() || current?.paused === null || current?.paused?.by === parkedBySettings;
  try {
    const end = await driveRun(site, runId, {
      observers: [follow, ahead, display, notices],
      leaveWhenParked,
      signal: interrupts.signal,
    });
    ahead.close();
    display.close();
    const { logsDir } = runFiles(site, runId);
    switch (end.kind) {
      case 'held':
        throw new OperatorError(
          'run-is-live',
          `The run ${runId} is driven already, by pid ${end.by.pid} on ${end.by.host}.`,
          `Watch it: untildone logs -f ${runId}`,
        );
      case 'parked':
        if (!options.isJson && isMenuDue(end.run)) return { choiceIn: end.run };
        if (!options.isJson && options.isPassing !== true)
          await showMatters(site, end.run, { isDriven: false });
        return finish(end.run, {
          exitCode: exitCodes.parked,
          waitingFor: end.waitingFor,
          logsDir,
          ...options,
        });
      case 'ended':
        return finish(end.run, {
          exitCode: exitCodeOf(end.run.outcome),
          waitingFor: null,
          logsDir,
          ...options,
        });
    }
  } finally {
    ahead.close();
    display.close();
    interrupts.dispose();
    // Everything is said and done: only who is told waits a little, and Ctrl-C ends that.
    await notices.close();
  }
}

/** A driver waits most of the time, beside compilers and tests: it gives memory back early. Measured: half, with 1,000 tasks. */
function keepSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}

interface Finish {
  readonly exitCode: number;
  readonly waitingFor: string | null;
  readonly logsDir: string;
  readonly isJson: boolean;
  readonly isPassing?: boolean;
}

function finish(run: Run, { exitCode, waitingFor, logsDir, isJson, isPassing = false }: Finish): number {
  if (isJson) {
    printJsonLine({
      type: 'result',
      runId: run.id,
      outcome: run.outcome?.outcome ?? 'parked',
      waitingFor,
      exitCode,
      logsDir,
      state: stateJson(run),
      ...loopResult(run),
    });
    return exitCode;
  }
  const ending = loopEnding(run);
  if (ending !== null) print(`\n${ending}`);
  if (waitingFor !== null)
    print(`\n⏸️  Parked: ${parkedWords(run, waitingFor)}${isPassing ? '' : nextOf(run, waitingFor)}`);
  else print(`\n${summaryText(run, { logsDir, isPassing })}`);
  return exitCode;
}

/** Without the reason that stands in the question above. */
function parkedWords(run: Run, waitingFor: string): string {
  const [matter] = mattersOf(run);
  const [who = '', ...rest] = waitingFor.split(': ');
  const why = rest.join(': ');
  const isShown =
    why !== '' && matter !== undefined && matter.question !== why && matter.question.includes(why);
  return isShown ? who : waitingFor;
}

/** Where a person is asked, `resume` alone would only ask again. */
function nextOf(run: Run, waitingFor: string): string {
  const [matter] = mattersOf(run);
  const [decide] = matter === undefined ? [] : commandsOf(run, matter);
  // Every choice stands above, with its command.
  if (matter?.kind === 'choice') return '';
  if (decide !== undefined) return `\nDecide: ${decide}`;
  const resume = `untildone resume ${run.id}`;
  return waitingFor.includes(resume) ? '' : `\nGo on with: ${resume}`;
}
