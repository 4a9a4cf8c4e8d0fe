// Drives a run in this process: display, signals, summary, exit code.
import type { DriveEnd } from '#app/world.ts';
import type { Site } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';
import { isChoiceDue } from '#kernel/actions/settle-choice.ts';
import { exitCodeOf, exitCodes } from '#kernel/model/outcome.ts';
import { needsPerson } from '#kernel/waiting/suspension.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Observer } from '#ports/world.ts';
import { loopEnding, loopResult, loopTask } from '#views/actions/loop-state.ts';
import { commandsOf, attentionItems } from '#views/questions/attention-items.ts';
import { stateJson } from '#views/status/state-json.ts';
import { summaryText } from '#views/report/summary.ts';
import { commandToEndWait, firstSuspension, isSuspended } from '#views/waiting/suspended.ts';
import { watchInterrupts } from './interrupts.ts';
import { keepSmall } from './keep-small.ts';
import { noticesHere } from './notices-here.ts';
import { isInteractive, print, printJsonLine } from '#surfaces/cli/output.ts';
import { watchProofAhead } from './watch-proof-ahead.ts';
import { canShowMenu } from '#surfaces/cli/screen/can-show-menu.ts';
import { showAttentionItems } from '#surfaces/cli/show-attention-items.ts';
import { chooseDisplay } from '#surfaces/cli/render/choose-display.ts';

export interface DriveHereOptions {
  readonly isJson: boolean;
  /** In a temporary repository: the output names no way to continue. */
  readonly isTemporary?: boolean;
  /** Whether a person here may be asked if a review counts as proof; they were never asked before. */
  readonly asksReview?: boolean;
  /** This process has just created the run. */
  readonly isNew?: boolean;
  /** Called once, when this process becomes the driver, before anything is shown. */
  readonly onTaken?: () => void;
  /** Why the run is woken late, as reported by the process that woke it. */
  readonly late?: string | null;
  /** Drives only if no other driver came since this epoch. */
  readonly sinceEpoch?: number;
}

/** Between the turns of an action loop, the person at this terminal chooses, and the run continues. */
export async function driveHere(site: Site, runId: string, options: DriveHereOptions): Promise<number> {
  keepSmall();
  const { onTaken: _, isNew: __, ...later } = options;
  for (let isFirst = true; ; isFirst = false) {
    const end = await driveOnce(site, runId, isFirst ? options : later);
    if (typeof end === 'number') return end;
    const { chooseHere } = await import('./choose-here.ts');
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
  const { driveRun } = await import('#app/world.ts');
  const { createParking } = await import('#app/waiting/parking.ts');
  const { isJson, asksReview = false, isNew = false } = options;
  let current: Run | null = null;
  const { display, notices } = await noticesHere(site, runId, { display: chooseDisplay(isJson), isJson });
  const ahead = watchProofAhead({ site, runId, display, isJson, mayAsk: asksReview });
  const follow = followFrom(options.onTaken, (run, events) => {
    current = run;
    parking.onEvents(events);
  });
  const parking = createParking({
    site,
    currentRun: () => current,
    print: display.print,
    isTerminal: !isJson && isInteractive(),
    isWoken: options.sinceEpoch !== undefined,
  });
  const interrupts = watchInterrupts({
    site,
    runId,
    currentRun: () => current,
    print: display.print,
    isWaiting: parking.isWaiting,
  });
  try {
    const end = await driveRun(site, runId, {
      observers: [follow, ahead, display, notices],
      leaveWhenParked: async (awaited) => interrupts.isLeaving() || parking.mayLeave(awaited),
      signal: interrupts.signal,
      late: options.late ?? null,
      isNew,
      onLocked: ({ epoch }) => {
        if (epoch !== (options.sinceEpoch ?? epoch)) throw isLive(runId, 'another process meanwhile');
      },
    });
    ahead.close();
    display.close();
    // A reminder wakes no run.
    const isWoken = end.kind === 'parked' && !isForPerson(end.run);
    const wokenBy = isWoken ? await parking.wakeWords(end.run) : null;
    return await closeWith(end, { site, runId, wokenBy, ...options });
  } finally {
    ahead.close();
    display.close();
    interrupts.dispose();
    // Everything is done: only pending notifications are waited for, briefly, and Ctrl-C ends that.
    await notices.close();
  }
}

/** The first note or event shows that this process drives the run. */
function followFrom(
  onTaken: DriveHereOptions['onTaken'],
  onEvents: Required<Observer>['onEvents'],
): Observer {
  let isTaken = false;
  const taken = (): void => {
    if (!isTaken) onTaken?.();
    isTaken = true;
  };
  return {
    onNote: taken,
    onEvents: (run, events) => {
      taken();
      onEvents(run, events);
    },
  };
}

async function closeWith(
  end: DriveEnd,
  options: DriveHereOptions & {
    readonly site: Site;
    readonly runId: string;
    readonly wokenBy: string | null;
  },
): Promise<number | { readonly choiceIn: Run }> {
  const { site, runId, wokenBy, isJson, isTemporary = false } = options;
  const { runFiles } = await import('#app/site.ts');
  const { logsDir } = runFiles(site, runId);
  const shown = { logsDir, isJson, isTemporary };
  switch (end.kind) {
    case 'held':
      throw isLive(runId, `pid ${end.by.pid} on ${end.by.host}`);
    case 'parked': {
      const { run, waitingFor } = end;
      if (!isJson && isMenuDue(run)) return { choiceIn: run };
      if (!isJson && !isTemporary) await showAttentionItems(site, run, { isDriven: false });
      return finish(run, { exitCode: exitCodes.parked, waitingFor, wokenBy, ...shown });
    }
    case 'ended':
      return finish(end.run, { exitCode: exitCodeOf(end.run.outcome), waitingFor: null, ...shown });
  }
}

function isLive(runId: string, who: string): OperatorError {
  return new OperatorError(
    'run-is-live',
    `Run ${runId} already has a driver: ${who}.`,
    `Follow it: untildone logs -f ${runId}`,
  );
}

interface Finish {
  readonly exitCode: number;
  readonly waitingFor: string | null;
  /** Which process wakes the run; null if only a person can end the wait. */
  readonly wokenBy?: string | null;
  readonly logsDir: string;
  readonly isJson: boolean;
  readonly isTemporary?: boolean;
}

function finish(
  run: Run,
  { exitCode, waitingFor, wokenBy = null, logsDir, isJson, isTemporary = false }: Finish,
): number {
  if (isJson) {
    printJsonLine({
      type: 'result',
      runId: run.id,
      outcome: run.outcome?.outcome ?? 'parked',
      waitingFor,
      ...(wokenBy === null ? {} : { wokenBy }),
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
    print(
      `\n⏸️  Parked: ${parkedWords(run, waitingFor)}${isTemporary ? '' : nextOf(run, waitingFor)}${wokenBy === null ? '' : `\n${wokenBy}`}`,
    );
  else print(`\n${summaryText(run, { logsDir, isTemporary })}`);
  return exitCode;
}

function isForPerson(run: Run): boolean {
  const suspension = firstSuspension(run);
  return suspension !== null && needsPerson(suspension);
}

/** Without the reason, which the question above contains. */
function parkedWords(run: Run, waitingFor: string): string {
  const [item] = attentionItems(run);
  if (item?.question === waitingFor) return 'a person decides (see above)';
  const [who = '', ...rest] = waitingFor.split(': ');
  const why = rest.join(': ');
  const isShown = why !== '' && item !== undefined && item.question !== why && item.question.includes(why);
  return isShown ? who : waitingFor;
}

/** Whether a person at this terminal chooses what comes next. */
function isMenuDue(run: Run): boolean {
  const task = loopTask(run);
  return task !== null && !isSuspended(run) && isChoiceDue(run, task) && canShowMenu();
}

/** If a person is asked, `resume` alone would only ask again. */
function nextOf(run: Run, waitingFor: string): string {
  const [item] = attentionItems(run);
  const [decide] = item === undefined ? [] : commandsOf(run, item);
  // Every choice is shown above, with its command.
  if (item?.kind === 'choice') return '';
  const force = run.paused === null ? commandToEndWait(run) : null;
  // Its commands are shown above, too.
  if (item?.kind === 'suspension') return '';
  if (decide !== undefined) return `\nDecide: ${decide}`;
  if (force !== null) return `\nEnd the wait: ${force}`;
  const resume = `untildone resume ${run.id}`;
  return waitingFor.includes(resume) ? '' : `\nContinue with: ${resume}`;
}
