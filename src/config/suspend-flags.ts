// Turns the flags of `suspend` into a wait condition. Settings of the run fill the gaps of a poll.
import { resolve } from 'node:path';
import { parseDuration } from '#base/duration.ts';
import type { SuspensionSettings } from '#kernel/waiting/suspension-settings.ts';
import type { Condition, SimpleCondition } from '#kernel/waiting/condition.ts';
import { OperatorError } from '#base/operator-error.ts';

export interface SuspendFlags {
  readonly time?: string;
  readonly until?: string;
  readonly poll?: boolean;
  readonly command?: readonly string[];
  readonly every?: string;
  readonly tries?: string;
  readonly timeout?: string;
  readonly file?: readonly string[];
  readonly contains?: string;
  readonly manual?: boolean;
  readonly any?: boolean;
  readonly all?: boolean;
}

/** A condition whose poll may still lack its interval and limits. */
type Wish =
  | Exclude<SimpleCondition, { readonly kind: 'poll' }>
  | {
      readonly kind: 'poll';
      readonly command: string;
      readonly everyMs: number | null;
      readonly tries: number | null;
      readonly timeoutMs: number | null;
    };

export interface WaitWish {
  readonly joint: 'any' | 'all';
  readonly parts: readonly Wish[];
}

export interface WishedAt {
  /** By the wall clock. */
  readonly now: number;
  /** Relative paths start here. */
  readonly cwd: string;
}

const yearMs = 365 * 86_400_000;
const waitMsMax = 10 * yearMs;
const dayMs = 86_400_000;
const stepMsMin = 100;
const triesMax = 1_000_000;

export const waitExample = 'For example: untildone suspend --time 1h "the nightly build runs"';

export function readSuspendFlags(flags: SuspendFlags, at: WishedAt): WaitWish {
  const parts = [...times(flags, at), ...polls(flags), ...files(flags, at), ...personWishes(flags)];
  if (flags.any === true && flags.all === true)
    throw wrong('--any and --all cannot be combined.', 'Use one of them.');
  if (parts.length === 0)
    throw new OperatorError(
      'no-condition',
      'No condition is given.',
      `Add --time 1h, --until YYYY-MM-DDTHH:MM, --poll --command "…", --file PATH or --manual. ${waitExample}`,
    );
  if (parts.length > 1 && flags.any !== true && flags.all !== true)
    throw wrong(
      'Several conditions are given without --any or --all.',
      'Add --any to wait for one of them, or --all to wait for all.',
    );
  return { joint: flags.any === true ? 'any' : 'all', parts };
}

export function namesCondition({ time, until, poll, command, file, manual }: SuspendFlags): boolean {
  return [time, until, command, file].some((one) => one !== undefined) || poll === true || manual === true;
}

export function toCondition(
  { joint, parts }: WaitWish,
  settings: SuspensionSettings,
  { since, isByAgent }: { readonly since: number; readonly isByAgent: (path: string) => boolean },
): Condition {
  const conditions = parts.map((part): SimpleCondition => {
    if (part.kind === 'file') return isByAgent(part.path) ? { ...part, isByAgent: true } : part;
    if (part.kind !== 'poll') return part;
    const { command, tries, timeoutMs } = part;
    const everyMs = part.everyMs ?? settings.pollEveryMs;
    const lastsMs = everyMs * (tries ?? settings.pollLooksMax);
    if (lastsMs > waitMsMax)
      throw wrong('The poll would last longer than ten years.', 'Lower --every or --tries.');
    return {
      kind: 'poll',
      command,
      everyMs,
      until: since + lastsMs,
      timeoutMs: timeoutMs ?? settings.pollTimeoutMs,
    };
  });
  const [only, ...others] = conditions;
  return only !== undefined && others.length === 0 ? only : { kind: joint, of: conditions };
}

/** The reason if the person gives none. */
export function usualReason({ parts }: WaitWish): string {
  const [only, ...others] = parts;
  if (only === undefined || others.length > 0) return 'suspended by a person';
  switch (only.kind) {
    case 'time':
      return 'suspended for a time';
    case 'poll':
      return 'waiting for a command';
    case 'file':
      return 'waiting for a file';
    case 'manual':
      return 'suspended by hand';
  }
}

function times({ time, until }: SuspendFlags, { now }: WishedAt): Wish[] {
  const parts: Wish[] = [];
  if (time !== undefined) parts.push({ kind: 'time', at: now + durationOf('--time', time, waitMsMax) });
  if (until !== undefined) parts.push({ kind: 'time', at: momentOf(until, now) });
  return parts;
}

/** A time without a zone is in the zone of this machine. */
function momentOf(text: string, now: number): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text.trim());
  const isMoment = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text.trim());
  const at = isDay || isMoment ? Date.parse(isDay ? `${text.trim()}T00:00` : text.trim()) : Number.NaN;
  const example = 'Write it as YYYY-MM-DDTHH:MM (the time of this machine), with a Z at the end for UTC.';
  if (Number.isNaN(at)) throw wrong(`--until cannot read ${JSON.stringify(text)} as a time.`, example);
  if (at <= now) throw wrong(`The time ${text} of --until is in the past.`, example);
  if (at - now > waitMsMax) throw wrong(`The time ${text} of --until is more than ten years away.`, example);
  return at;
}

function polls({ poll, command = [], every, tries, timeout }: SuspendFlags): Wish[] {
  if (poll === true && command.length === 0)
    throw wrong('--poll has no command.', 'Add it: --poll --command "gh run watch --exit-status"');
  if (command.length === 0 && [every, tries, timeout].some((one) => one !== undefined))
    throw wrong(
      '--every, --tries and --timeout belong to a poll.',
      'Add the poll: --poll --command "…", or leave them out.',
    );
  const limits = {
    everyMs: every === undefined ? null : durationOf('--every', every, dayMs),
    tries: tries === undefined ? null : countOf(tries),
    timeoutMs: timeout === undefined ? null : durationOf('--timeout', timeout, dayMs),
  };
  return command.map((one) => ({ kind: 'poll', command: worded('--command', one), ...limits }));
}

function files({ file = [], contains }: SuspendFlags, { cwd }: WishedAt): Wish[] {
  if (contains !== undefined && file.length !== 1)
    throw wrong('--contains belongs to one --file.', 'For example: --file build.log --contains "BUILD OK"');
  const holds = contains === undefined ? {} : { contains: worded('--contains', contains) };
  return file.map((path) => ({ kind: 'file', path: resolve(cwd, worded('--file', path)), ...holds }));
}

function personWishes({ manual }: SuspendFlags): Wish[] {
  return manual === true ? [{ kind: 'manual' }] : [];
}

function durationOf(flag: string, text: string, max: number): number {
  const ms = parseDuration(text);
  const example = `Write a number and a unit: ${flag} 90s, ${flag} 20m, ${flag} 1.5h`;
  if (ms === null) throw wrong(`${flag} cannot read ${JSON.stringify(text)} as a duration.`, example);
  const isShort = flag === '--time' ? ms <= 0 : ms < stepMsMin;
  if (isShort) throw wrong(`The duration ${text} of ${flag} is too short.`, example);
  if (ms > max)
    throw wrong(
      `The duration ${text} of ${flag} is longer than ${max === dayMs ? 'a day' : 'ten years'}.`,
      example,
    );
  return ms;
}

function countOf(text: string): number {
  const count = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  if (count >= 1 && count <= triesMax) return count;
  throw wrong(
    `--tries is a number from 1 to 1,000,000, not ${JSON.stringify(text)}.`,
    'For example: --tries 30',
  );
}

function worded(flag: string, text: string): string {
  if (text.trim() === '') throw wrong(`The value of ${flag} is empty.`, waitExample);
  if (text.length > 4000) throw wrong(`The value of ${flag} is longer than 4,000 characters.`, waitExample);
  return text;
}

function wrong(problem: string, hint: string): OperatorError {
  return new OperatorError('wrong-flag', problem, hint);
}
