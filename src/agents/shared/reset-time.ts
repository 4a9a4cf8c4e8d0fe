// Reads when a limit ends, from the headers, fields and text of a provider or its client.
import { nextMoment, zoneOf, type WallTime } from './wall-time.ts';

export interface ResetSources {
  readonly text: string;
  readonly headers?: { readonly [name: string]: string };
  readonly retryAfter?: string | null;
  readonly now: number;
}

/** A moment further away is a misreading, not a limit. */
const aheadMsMax = 400 * 86_400_000;
/** Epochs above this are milliseconds; as seconds they would lie beyond the year 5000. */
const epochSecondsMax = 100_000_000_000;
type Reader = (sources: ResetSources) => number | null;

/** Epoch ms, always after `now`; null if no form gives it. The most reliable form first. */
export function readResetTime(sources: ResetSources): number | null {
  const bounded = { ...sources, text: edgesOf(sources.text) };
  for (const read of readers) {
    const at = read(bounded);
    if (at !== null && at > sources.now && at - sources.now <= aheadMsMax) return Math.ceil(at);
  }
  return null;
}

/** A longer text is a page or a log, not a message: its beginning and its end say what happened. */
const edgeLength = 10_000;

export function edgesOf(text: string): string {
  return text.length <= 2 * edgeLength ? text : `${text.slice(0, edgeLength)}\n${text.slice(-edgeLength)}`;
}

const readers: readonly Reader[] = [
  fromUnifiedHeader,
  fromPipe,
  fromDailyQuota,
  fromMomentField,
  fromDurationField,
  fromTimestamp,
  fromDuration,
  fromClock,
  fromRetryAfter,
  fromRateLimitHeaders,
];

function fromUnifiedHeader({ headers }: ResetSources): number | null {
  const value = headerOf(headers, 'anthropic-ratelimit-unified-reset');
  return value === undefined ? null : momentOfValue(value);
}

/** `Claude AI usage limit reached|1731700000` */
function fromPipe({ text }: ResetSources): number | null {
  const found = /\|\s*(\d{10,13})\b/.exec(text);
  return found === null ? null : epochMs(Number(found[1]));
}

/** Google sends a `retryDelay` of seconds even for a spent daily quota; days begin at midnight Pacific. */
function fromDailyQuota({ text, now }: ResetSources): number | null {
  if (!/quota(?:Id|Metric)?\W{1,5}\w*Per(?:Model|Project)*Day/i.test(text)) return null;
  return nextMoment({ hour: 0, minute: 0 }, zoneOf('pacific'), now);
}

const momentField =
  /\b(?:resets?_?at|reset_?time|x-ratelimit-reset|quota_?reset_?time_?stamp)\\*["']?\s*[:=]\s*\\*["']?([\w:.+-]+)/gi;

function fromMomentField({ text }: ResetSources): number | null {
  return firstOf(text.matchAll(momentField), ([, value]) => momentOfValue(value ?? ''));
}

const durationField =
  /\b(?:resets?_?in_?(?:seconds|ms)?|reset_?after_?(?:seconds|ms)?|retry_?after_?(?:seconds|ms)?|retry_?delay|quota_?reset_?delay)\\*["']\s*[:=]\s*\\*["']?([\d.]+(?:\s*[a-z]+[\d.]*)*)/gi;

function fromDurationField({ text, now }: ResetSources): number | null {
  return firstOf(text.matchAll(durationField), ([whole, value]) => {
    const ms = durationMs(value ?? '') ?? Number(value) * (/ms\\*["']/i.test(whole) ? 1 : 1000);
    return Number.isFinite(ms) ? now + ms : null;
  });
}

const aboutReset = /(?:reset|again|retry|until|available|renew|refresh|wait)/i;
/** How far before a time its context word may be. */
const contextLength = 60;

const timestamp =
  /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2}))?(?![\d:])/g;

function fromTimestamp({ text }: ResetSources): number | null {
  return firstOf(text.matchAll(timestamp), (match) => {
    if (!aboutReset.test(before(text, match.index))) return null;
    const bare = match[0]
      .replace(' ', 'T')
      .replace(/\s?(?:UTC|GMT)$/, 'Z')
      .replace(/\s/, '');
    return timeOf(bare);
  });
}

const amount = String.raw`(?:\d+(?:\.\d+)?\s*|\b(?:an?|one)\s+)(?:weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|milliseconds?|ms|m|seconds?|secs?|s)(?![a-z])`;
const duration = new RegExp(
  String.raw`\b(?:in|after|wait(?:\s+for)?|within)[\s:]{1,3}(?:about\s+|around\s+|approximately\s+|~\s*)?(${amount}(?:(?:\s*,)?(?:\s*and)?\s*${amount})*)`,
  'gi',
);

/** "try again in 2 days 3 hours 5 minutes", "in 1m13.5s", "reset after 17h24m33s", "wait 5 minutes" */
function fromDuration({ text, now }: ResetSources): number | null {
  return firstOf(text.matchAll(duration), (match) => {
    const around = before(text, match.index + 'wait'.length);
    const ms = aboutReset.test(around) ? durationMs(match[1] ?? '') : null;
    return ms === null ? null : now + ms;
  });
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const monthName = `(?:${months.join('|')})[a-z]*\\.?`;
const clock = new RegExp(
  [
    String.raw`\b(?:resets?|again|until|available|renews?|refresh(?:es)?)\b(?:[\s:·∙•,(-]|\b(?:on|at|by|again)\b)*`,
    String.raw`(?:(?<tomorrow>tomorrow)|(?<weekday>(?:${weekdays.join('|')})[a-z]*)\b)?[,\s]*`,
    String.raw`(?:(?<month>${monthName})\s+(?<day>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?<year>\d{4}))?|(?<day2>\d{1,2})(?:st|nd|rd|th)?\s+(?<month2>${monthName})(?:,?\s+(?<year2>\d{4}))?)?`,
    String.raw`(?:[,\s]|\bat\b)*`,
    String.raw`(?:(?<hour>\d{1,2})(?::(?<minute>\d{2})(?::\d{2})?)?\s*(?<half>[ap])\.?m\b\.?|(?<hour24>\d{1,2}):(?<minute24>\d{2})|(?<word>midnight|noon))?`,
    String.raw`\s*\(?(?<zone>[A-Za-z_]+\/[A-Za-z_/+-]+\d*|utc|gmt|[pmce][sd]?t|pacific|cest|bst)?\b`,
  ].join(''),
  'gi',
);

/** "resets 10pm", "resets at 3pm (Europe/Berlin)", "resets Nov 20, 9am", "try again at Nov 20th, 2026 9:05 AM" */
function fromClock({ text, now }: ResetSources): number | null {
  return firstOf(text.matchAll(clock), ({ groups = {} }) => {
    const time = wallTimeOf(groups);
    return time === null ? null : nextMoment(time, zoneOf(groups['zone']), now);
  });
}

function wallTimeOf(groups: { readonly [name: string]: string | undefined }): WallTime | null {
  const isDated =
    (groups['month'] ?? groups['month2'] ?? groups['weekday'] ?? groups['tomorrow']) !== undefined;
  const time = clockOf(groups) ?? (isDated ? { hour: 0, minute: 0 } : null);
  if (time === null || time.hour > 23 || time.minute > 59) return null;
  const month = groups['month'] ?? groups['month2'];
  const year = groups['year'] ?? groups['year2'];
  const { weekday } = groups;
  return {
    ...time,
    ...(month !== undefined && {
      month: months.indexOf(month.slice(0, 3).toLowerCase()) + 1,
      day: Number(groups['day'] ?? groups['day2']),
    }),
    ...(month !== undefined && year !== undefined && { year: Number(year) }),
    ...(weekday !== undefined && { weekday: weekdays.indexOf(weekday.slice(0, 3).toLowerCase()) }),
    ...(groups['tomorrow'] !== undefined && { isTomorrow: true }),
  };
}

function clockOf(groups: { readonly [name: string]: string | undefined }): WallTime | null {
  const { hour, minute, half, hour24, minute24, word } = groups;
  if (word !== undefined) return { hour: word.toLowerCase() === 'noon' ? 12 : 0, minute: 0 };
  if (hour24 !== undefined) return { hour: Number(hour24), minute: Number(minute24) };
  if (hour === undefined || Number(hour) > 12) return null;
  const afternoon = half?.toLowerCase() === 'p' ? 12 : 0;
  return { hour: (Number(hour) % 12) + afternoon, minute: Number(minute ?? 0) };
}

function fromRetryAfter({ retryAfter, headers, now }: ResetSources): number | null {
  const ms = headerOf(headers, 'retry-after-ms');
  if (ms !== undefined && Number.isFinite(Number(ms))) return now + Number(ms);
  const value = (retryAfter ?? headerOf(headers, 'retry-after'))?.trim();
  if (value === undefined || value === '') return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return now + seconds * 1000;
  const delayMs = durationMs(value);
  return delayMs === null ? timeOf(value) : now + delayMs;
}

/** Only empty buckets count, and of those the last one to fill again. */
function fromRateLimitHeaders({ headers = {}, now }: ResetSources): number | null {
  const moments = Object.entries(headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (!/ratelimit.*-reset/.test(lower)) return [];
    const remaining = headerOf(headers, lower.replace('reset', 'remaining'));
    if (remaining !== undefined && Number(remaining) > 0) return [];
    const ms = durationMs(value) ?? (Number(value) < 1_000_000_000 ? Number(value) * 1000 : null);
    const at = ms === null ? momentOfValue(value) : now + ms;
    return at === null ? [] : [at];
  });
  return moments.length === 0 ? null : Math.max(...moments);
}

function headerOf(headers: ResetSources['headers'], name: string): string | undefined {
  return Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
}

const unitMs: { readonly [unit: string]: number } = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
};

/** "1m13.5s", "2 days, 3 hours and 5 minutes", "an hour"; null for anything else, including a bare number. */
function durationMs(text: string): number | null {
  const parts = [...text.matchAll(new RegExp(amount, 'gi'))];
  if (parts.length === 0) return null;
  return parts.reduce((sum, [part]) => {
    const [, count = '', unit = ''] = /^([\d.]+|[a-z]+)\s*([a-z]+)$/i.exec(part) ?? [];
    const word = unit.toLowerCase();
    const each = word === 'ms' || word.startsWith('milli') ? 1 : (unitMs[word.charAt(0)] ?? 0);
    return sum + (/^[\d.]+$/.test(count) ? Number(count) : 1) * each;
  }, 0);
}

function momentOfValue(value: string): number | null {
  return /^\d{9,13}(?:\.\d+)?$/.test(value) ? epochMs(Number(value)) : timeOf(value);
}

function epochMs(epoch: number): number {
  return epoch > epochSecondsMax ? epoch : epoch * 1000;
}

function timeOf(date: string): number | null {
  const at = /\d{4}/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

function before(text: string, index: number): string {
  const context = text.slice(Math.max(0, index - contextLength), index);
  return context.slice(context.lastIndexOf('. ') + 1);
}

function firstOf<T>(items: Iterable<T>, read: (item: T) => number | null): number | null {
  for (const item of items) {
    const at = read(item);
    if (at !== null) return at;
  }
  return null;
}
