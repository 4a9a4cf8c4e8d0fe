// Line mode: a pipe, a file, CI, TERM=dumb. Every message appears once, in order.
import type { Event, FactType } from '#kernel/events/events.ts';
import { shownLines } from '#kernel/model/shown-output.ts';
import type { Activity } from '#kernel/model/activity.ts';
import { choiceWait } from '#kernel/actions/settle-choice.ts';
import { refusalOf } from '#kernel/proof/proof.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { Observer } from '#ports/world.ts';
import { isNotCalibrated } from '#views/report/calibration.ts';
import { progressBlock } from '#views/status/progress.ts';
import { activityWords } from '#views/lines/activity.ts';
import { describeEvent } from '#views/lines/show.ts';
import { namesOfRun } from '#views/lines/step-names.ts';
import { print } from '#surfaces/cli/output.ts';
import { isSuspended } from '#views/waiting/suspended.ts';
import { createChatter } from './chatter.ts';
import { clean } from './words.ts';

/** Facts without a line: each would only repeat the line before. */
export const silent: ReadonlySet<FactType> = new Set([
  'control-applied',
  'clock-reached',
  'driver-started',
  'task-added',
  'run-ended',
]);
const milestones: ReadonlySet<FactType> = new Set(['attempt-failed', 'task-proven', 'task-failed']);

const chatterPerSecond = 20;

export interface Display extends Observer {
  /** A message for the person at the terminal that is no part of the run. */
  readonly print: (text: string) => void;
  close(): void;
}

export function createLineDisplay(now: () => number = Date.now): Display {
  const chatter = createChatter((line) => print(`    ${line}`), chatterPerSecond, now);
  const slow = announceSlow(now);
  let lastKey = '';
  return {
    onEvents(run, events) {
      if (events.some((event) => event.type === 'step-ended')) chatter.flush();
      for (const event of events) showEvent(run, event);
      if (!events.some((event) => isMilestone(run, event))) return;
      // A failed task follows its failed attempt at once: the same block again would be no news.
      const [block, key] = blockOf(run);
      if (key !== lastKey) print(`\n${block}\n`);
      lastKey = key;
    },
    onActivity: (activity, state) => slow.onActivity(activity, state),
    onChatter: (stepId, event) => chatter.add(stepId, event),
    onNote: (text) => print(`note: ${text}`),
    print,
    close() {
      slow.close();
      chatter.flush();
    },
  };
}

/** A line for a first run of a check that takes longer; its repetitions have lines of their own. */
const slowMs = 2_000;

function announceSlow(now: () => number) {
  const timers = new Map<Activity, NodeJS.Timeout>();
  const announced = new Set<string>();
  const announce = (text: string): void => print(`${clockTime(now())} ${text}`);
  const announceOnce = (text: string): void => {
    if (!announced.has(text)) announce(text);
    announced.add(text);
  };
  return {
    onActivity(activity: Activity, state: 'began' | 'ended'): void {
      clearTimeout(timers.get(activity));
      timers.delete(activity);
      if (state === 'ended') return;
      const { before, subject, after } = activityWords(activity);
      const text = `${before}${clean(subject)}${after} …`;
      if (activity.kind === 'setup') announceOnce(text);
      else if (activity.kind === 'check' && activity.run === 1)
        timers.set(activity, setTimeout(announce, slowMs, text).unref());
    },
    close(): void {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

/** With many tasks, a task ends when it has landed; with one, when it is proven. */
function isMilestone(run: Run, event: Event): boolean {
  if (run.tasks.size > 1 && event.type === 'task-proven') return false;
  const isLanding = event.type === 'step-ended' && event.result.kind === 'commit';
  return milestones.has(event.type) || (isLanding && run.tasks.size > 1);
}

/** The block, and a key that changes with progress, task and attempt, but not with the time. */
function blockOf(run: Run): [string, string] {
  const block = progressBlock(run);
  const attempts = [...run.tasks.values()].map((task) => task.attempt);
  return [
    block,
    `${block.split('\n').slice(0, 2).join('\n')} ${attempts.join(' ')} ${run.tip?.commit ?? ''}`,
  ];
}

function showEvent(run: Run, event: Event): void {
  if (silent.has(event.type) || isShownNext(event) || isShownBefore(event)) return;
  if (isShownAtEnd(run, event) || isShownElsewhere(run, event)) return;
  print(eventLine(run, event));
  for (const line of failedOutput(event)) print(`    > ${line}`);
}

export function eventLine(run: Run, event: Event): string {
  return `${clockTime(event.at)} ${clean(describeEvent(event, namesOfRun(run)))}`;
}

function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

/** A suspended run, or one with a refused step, is parked at once, and the last line says why. */
export function isShownAtEnd(run: Run, event: Event): boolean {
  const { trouble, paused } = run;
  if (event.type === 'driver-left' && isSuspended(run)) return true;
  if (trouble === null || paused !== null) return false;
  return event.type === 'driver-left' || (event.type === 'step-ended' && event.result.kind === 'refused');
}

/** The next fact says who suspended what, or why it was refused. */
export function isShownNext(event: Event): boolean {
  if (event.type !== 'control-received') return false;
  return event.control.kind === 'suspend' || event.control.kind === 'ask-suspension';
}

/** A reviewer's pass without a remark: the line before has the verdict. */
export function isShownBefore(event: Event): boolean {
  if (event.type !== 'evidence-recorded') return false;
  const { verdict, command, reason } = event.evidence;
  return verdict === 'pass' && command === null && reason.endsWith(' passed it');
}

/** Shown in the list of checks on the base, and in the summary at the end. */
export function isShownElsewhere(run: Run, event: Event): boolean {
  if (event.type === 'task-failed') return run.tasks.size === 1;
  if (event.type === 'driver-left') return event.reason === choiceWait;
  if (event.type !== 'evidence-recorded') return false;
  const { purpose } = event.evidence;
  const isListed = purpose === 'base' && [...run.tasks.values()].every(({ attempt }) => attempt === 0);
  if (isListed) return failedOutput(event).length === 0;
  return purpose === 'acceptance' && isNotCalibrated(event.evidence);
}

/** Output of a failed check; on the base too, where it says why the work is needed. */
export function failedOutput(event: Event): string[] {
  if (
    event.type !== 'evidence-recorded' ||
    event.evidence.verdict === 'pass' ||
    // Its output is that of a check that passed.
    refusalOf(event.evidence) !== undefined
  )
    return [];
  return shownLines(event.evidence).map(clean);
}
