// What a suspended run or task waits for, for people and programs, with the commands that end the wait.
import { type Condition, type PollCondition, simpleConditions } from '#kernel/waiting/condition.ts';
import { conditionWords, minuteOf } from '#kernel/waiting/condition-words.ts';
import {
  isForPerson,
  canStillWake,
  needsPerson,
  openSuspensions,
  type Suspension,
  suspensionFor,
  suspensionWords,
} from '#kernel/waiting/suspension.ts';
import type { Run } from '#kernel/fold/run.ts';
import { elapsed, utc } from '#views/words.ts';

/** The last results of a run's polls, by suspension id and command, joined by a blank. */
export interface PollStatuses {
  readonly [key: string]: PollStatus;
}

export interface PollStatus {
  readonly looks: number;
  readonly endedAt: number;
  /** How the command ended: `exit 1`. */
  readonly ending: string;
  readonly line: string;
}

/** The whole run, or all of its tasks that could still run. */
export function isSuspended(run: Run): boolean {
  if (run.outcome !== null) return false;
  return suspensionFor(run, null) !== null || (run.running.size === 0 && openSuspensions(run).length > 0);
}

/** Null if nothing is suspended; the suspension of the whole run comes first. */
export function firstSuspension(run: Run): Suspension | null {
  return suspensionFor(run, null) ?? openSuspensions(run)[0] ?? null;
}

/** A person suspended the run or its current task: the attached session may end. */
export function isLetGo(run: Run): boolean {
  return openSuspensions(run).some(({ isByAgent }) => !isByAgent);
}

/** Ends the first suspension of a run that has no driver; null for a run that is not suspended. */
export function commandToEndWait(run: Run): string | null {
  const suspension = isSuspended(run) ? firstSuspension(run) : null;
  return suspension === null ? null : (waysToEnd(run, suspension, false)[0] ?? null);
}

export type SuspensionJson = ReturnType<typeof suspensionJson>;

interface JsonPlace {
  readonly isDriven: boolean;
  /** Absent if unknown: polls are not journaled. */
  readonly polls?: PollStatuses;
}

export function suspensionsJson(run: Run, place: JsonPlace): SuspensionJson[] {
  return openSuspensions(run).map((suspension) => suspensionJson(run, suspension, place));
}

function suspensionJson(run: Run, suspension: Suspension, { isDriven, polls }: JsonPlace) {
  const { id, taskId, condition, why, by, since, remindAt, isApproved, expired } = suspension;
  const next = nextPollAt(run, suspension, polls ?? {});
  const times = simpleConditions(condition).flatMap((one) => (one.kind === 'time' ? [one.at] : []));
  return {
    id,
    taskId,
    kind: condition.kind,
    why,
    by,
    since: utc(since),
    /** The earliest awaited time; null if there is none. */
    at: times.length === 0 ? null : utc(Math.min(...times)),
    /** When a time or a poll is tested next, as far as known. */
    nextLook: next === null ? null : utc(next),
    waitsFor: conditionWords(condition),
    condition,
    isApproved,
    /** Set if a poll expired: a person decides. */
    expired,
    needsPerson: needsPerson(suspension),
    remindAt: remindAt === null ? null : utc(remindAt),
    ...(polls === undefined
      ? {}
      : { polls: pollsOf(condition).map(({ command }) => pollJson(command, polls[`${id} ${command}`])) }),
    howToGoOn: waysToEnd(run, suspension, isDriven),
  };
}

function pollJson(command: string, poll: PollStatus | undefined) {
  if (poll === undefined) return { command, looks: 0, lastExit: null, lastLine: null, lastAt: null };
  const { looks, ending, line, endedAt } = poll;
  return { command, looks, lastExit: ending, lastLine: line, lastAt: utc(endedAt) };
}

function pollsOf(condition: Condition): PollCondition[] {
  return simpleConditions(condition).filter((one) => one.kind === 'poll');
}

function nextPollAt({ paused }: Run, suspension: Suspension, polls: PollStatuses): number | null {
  if (paused !== null || !canStillWake(suspension)) return null;
  const moments = simpleConditions(suspension.condition).flatMap((one) => {
    if (one.kind === 'time') return [one.at];
    if (one.kind !== 'poll') return [];
    const status = polls[`${suspension.id} ${one.command}`];
    return status === undefined ? [] : [status.endedAt + one.everyMs];
  });
  return moments.length === 0 ? null : Math.min(...moments);
}

/** Complete commands, the likeliest first. */
export function waysToEnd({ id }: Run, suspension: Suspension, isDriven: boolean): string[] {
  const { taskId } = suspension;
  const resume = `untildone resume --run ${id}${taskId === null ? '' : ` --task ${taskId}`}`;
  return [
    ...(isForPerson(suspension) ? [`${resume} --approve`, `${resume} --reject "why"`] : []),
    `${resume} --force`,
    ...(canStillWake(suspension) && !isDriven ? [`untildone resume --run ${id}`] : []),
    `untildone stop ${id}`,
  ];
}

const whatItDoes: readonly (readonly [string, string])[] = [
  ['--approve', 'approve and continue'],
  ['--reject', 'continue, and give the reason to the next builder'],
  ['--force', 'end the wait now'],
  ['untildone stop', 'end the run'],
  ['untildone resume', 'check now, and wait in this terminal'],
];

/** Each command with a comment on its effect. */
export function wayLines(run: Run, suspension: Suspension, isDriven: boolean): string[] {
  const ways = waysToEnd(run, suspension, isDriven);
  const width = Math.max(...ways.map(({ length }) => length));
  return ways.map((way) => {
    const [, remark = ''] = whatItDoes.find(([part]) => way.includes(part)) ?? [];
    return `${way.padEnd(width)}   # ${remark}`;
  });
}

export interface WaitPlace {
  readonly now: number;
  readonly polls: PollStatuses;
  /** The driver of the run; null if there is none. */
  readonly holder: string | null;
  /** Why the last attempt to wake the run failed. */
  readonly problem: string | null;
}

/** One suspension for `resume --status`. */
export function suspensionLines(run: Run, suspension: Suspension, place: WaitPlace): string[] {
  const { taskId, condition, why, by, since, remindAt, isApproved, expired } = suspension;
  const { now, polls } = place;
  const next = nextPollAt(run, suspension, polls);
  return [
    `${taskId === null ? 'The run' : `Task ${taskId}`} is suspended: ${why}`,
    `  Waits:      ${conditionWords(condition)}${isApproved ? ' (a person has approved)' : ''}`,
    `  Since:      ${minuteOf(since)} (${elapsed(now - since)}), by ${by}`,
    ...pollsOf(condition).map(
      (poll) => `  Poll:       ${pollLine(poll, polls[`${suspension.id} ${poll.command}`])}`,
    ),
    ...pollPlaceLines(run, suspension).map((line) => `              ${line}`),
    ...(expired === null ? [] : [`  Expired:    ${suspensionWords({ ...suspension, taskId: null })}`]),
    ...(run.paused === null
      ? []
      : [`  Paused:     ${run.paused.why}; not checked until: untildone resume ${run.id}`]),
    ...(next === null ? [] : [`  Next check: ${moment(next, now)}`]),
    ...(remindAt === null ? [] : [`  Reminder:   ${moment(remindAt, now)}`]),
    ...(place.problem === null ? [] : [`  Not woken:  ${place.problem}`]),
    ...wayLines(run, suspension, place.holder !== null).map(
      (line, index) => `  ${index === 0 ? 'Next:       ' : '            '}${line}`,
    ),
  ];
}

/** A command that works in a terminal can fail in the sandbox: /tmp is empty, and most hosts are blocked. */
export function pollPlaceLines({ config: { sandbox } }: Run, { condition }: Suspension): string[] {
  if (sandbox === undefined || sandbox.kind === 'none' || pollsOf(condition).length === 0) return [];
  return [
    'Polls run in the sandbox: they have their own /tmp and reach only allowed hosts (sandbox.allowHosts).',
  ];
}

function pollLine({ command }: PollCondition, poll: PollStatus | undefined): string {
  if (poll === undefined) return `\`${command}\` was not run yet`;
  const { looks, ending, line, endedAt } = poll;
  const times = looks === 1 ? 'once' : `${looks} times`;
  return `\`${command}\` ran ${times}; the last time, at ${minuteOf(endedAt)}: ${ending}${line === '' ? '' : `: ${line}`}`;
}

/** `2026-11-18 03:10 UTC (in 1h 00m)` */
export function moment(at: number, now: number): string {
  return `${minuteOf(at)} (${at > now ? `in ${elapsed(at - now)}` : 'due now'})`;
}
