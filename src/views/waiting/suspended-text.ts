// The output of `suspend` and `resume`: until when, what ends the wait, and how to end it early.
import type { Run } from '#kernel/fold/run.ts';
import { isMetByApproval, simpleConditions } from '#kernel/waiting/condition.ts';
import { conditionWords } from '#kernel/waiting/condition-words.ts';
import {
  needsPerson,
  openSuspensions,
  type Suspension,
  suspensionFor,
  suspensionWords,
} from '#kernel/waiting/suspension.ts';
import { elapsed } from '#views/words.ts';
import { pollPlaceLines, wayLines } from './suspended.ts';
import { type Waker, wakeWords } from './wake-words.ts';

export interface SuspendedPlace {
  readonly now: number;
  /** Null if no process drives the run. */
  readonly driverPid: number | null;
  /** Which process wakes a run without a driver. */
  readonly waker: Waker;
  /** How long a session under way may take, in words; null if there is none. */
  readonly sessionWait: string | null;
  readonly isNow: boolean;
}

export function suspendedText(run: Run, suspension: Suspension, place: SuspendedPlace): string {
  const { taskId, condition, why } = suspension;
  const scope = `${taskId === null ? 'Run' : `Task ${taskId} of run`} ${run.id}`;
  return [
    `⏸️  Suspended: ${why}`,
    `${scope} waits ${conditionWords(condition)}${inWords(suspension, place.now)}.`,
    ...pollPlaceLines(run, suspension),
    ...sessionLines(run, suspension, place),
    wakerLine(run, suspension, place),
    'Next:',
    ...wayLines(run, suspension, place.driverPid !== null).map((line) => `  ${line}`),
  ].join('\n');
}

function inWords({ condition }: Suspension, now: number): string {
  if (condition.kind !== 'time') return '';
  return `, ${condition.at > now ? `in ${elapsed(Math.ceil((condition.at - now) / 1000) * 1000)}` : 'which is now'}`;
}

function sessionLines(run: Run, { taskId }: Suspension, { sessionWait, isNow }: SuspendedPlace): string[] {
  if (sessionWait === null) return [];
  const task = taskId === null ? '' : ` --task ${taskId}`;
  return [
    isNow
      ? 'The running session is ended; its files are kept.'
      : `${sessionWait}; end it at once: untildone suspend --now --run ${run.id}${task}`,
  ];
}

/** Which process continues the run when the condition holds. */
function wakerLine({ id }: Run, suspension: Suspension, { driverPid, waker }: SuspendedPlace): string {
  if (needsPerson(suspension)) return 'Only a person ends this wait.';
  if (driverPid !== null) return `Its driver (pid ${driverPid}) waits and then continues by itself.`;
  if (waker.kind !== 'command') return wakeWords(waker, id);
  const isTimed = simpleConditions(suspension.condition).every(({ kind }) => kind === 'time');
  return `No process wakes it: run \`untildone watch\`, or any untildone command in this repository ${isTimed ? 'after that time' : 'after that'} wakes it.`;
}

/** Before a driver waits again, or if only a person can end the wait. */
export function stillSuspendedText(run: Run, suspension: Suspension): string {
  const head = `⏸️  Still suspended: ${suspensionWords(suspension)}`;
  const isForPerson = needsPerson(suspension);
  const ways = wayLines(run, suspension, false).filter((line) => isForPerson || line.includes('--force'));
  return [head, isForPerson ? 'A person decides:' : 'End the wait:', ...ways.map((line) => `  ${line}`)].join(
    '\n',
  );
}

/** What a person's answer did to the suspension that `run` had. */
export function waitEndWords(
  run: Run,
  {
    taskId,
    reject,
    approve,
  }: { readonly taskId?: string; readonly reject?: string; readonly approve?: true },
): string {
  const suspension = suspensionFor(run, taskId ?? null) ?? openSuspensions(run)[0];
  const scope =
    suspension === undefined || suspension.taskId === null ? `Run ${run.id}` : `Task ${suspension.taskId}`;
  if (reject !== undefined) return `Rejected: ${scope} continues, and the next builder gets the reason.`;
  if (approve !== true) return `${scope} continues: its wait was ended.`;
  const isRestOpen =
    suspension !== undefined && suspension.expired === null && !isMetByApproval(suspension.condition);
  return isRestOpen
    ? `Approved. ${scope} waits for the rest: ${conditionWords(suspension.condition)}.`
    : `Approved: ${scope} continues.`;
}
