import { describe, expect, it } from 'vitest';
import { defaultKnowledge } from '#config/agents/knowledge.ts';
import { readResetTime } from './reset-time.ts';
import { readUsageLimit } from './error-class.ts';

/** Sunday, 15 November 2026, 12:00 UTC: 13:00 in Berlin, 04:00 in California, 21:00 in Tokyo. */
const now = Date.UTC(2026, 10, 15, 12);
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const utc = (text: string): number => Date.parse(`${text}Z`);

function local(wall: string): number {
  return new Date(wall).getTime();
}

/** In the machine's own zone, whichever it is. */
function nextLocal(hours: number, minutes = 0): number {
  const today = new Date(now);
  today.setHours(hours, minutes, 0, 0);
  if (today.getTime() <= now) today.setDate(today.getDate() + 1);
  return today.getTime();
}

const texts: readonly (readonly [string, number | null])[] = [
  // After a pipe.
  ['Claude AI usage limit reached|1794747600', 1794747600 * second],
  ['Claude AI usage limit reached|1794747600000', 1794747600000],
  ['Claude AI usage limit reached|1600000000', null],
  // Clock times.
  ["You've hit your session limit · resets at 3pm (Europe/Berlin)", utc('2026-11-15T14:00')],
  ["You've hit your session limit · resets 3:45pm (Europe/Berlin)", utc('2026-11-15T14:45')],
  ['5-hour limit reached ∙ resets 10pm', nextLocal(22)],
  ['5-hour limit reached ∙ resets 12am', nextLocal(0)],
  ['5-hour limit reached ∙ resets 12:30pm', nextLocal(12, 30)],
  ['Limit reached · resets 1pm (Europe/Berlin)', utc('2026-11-16T12:00')],
  ['Limit reached · resets 12:59 p.m. (Europe/Berlin)', utc('2026-11-16T11:59')],
  ['Limit reached · resets 13:01 (Europe/Berlin)', utc('2026-11-15T12:01')],
  ['Your limit will reset at 7pm (Asia/Tokyo).', utc('2026-11-16T10:00')],
  ['Your limit will reset at 9am (America/Los_Angeles).', utc('2026-11-15T17:00')],
  ['Your limit will reset at 9am (Asia/Kolkata).', utc('2026-11-16T03:30')],
  ['Your limit will reset at 5pm PST.', utc('2026-11-16T01:00')],
  ['Your limit will reset at 5pm UTC.', utc('2026-11-15T17:00')],
  ['Your limit will reset at 3:05\u202fPM (UTC)', utc('2026-11-15T15:05')],
  ['Daily quota resets at midnight Pacific time', utc('2026-11-16T08:00')],
  ['quota resets at noon UTC', utc('2026-11-16T12:00')],
  ['resets 5pm (Mars/Olympus)', nextLocal(17)],
  ['resets 25:00', null],
  ['resets 13pm', null],
  // Dates.
  ['Weekly limit reached ∙ resets Nov 20, 9am (UTC)', utc('2026-11-20T09:00')],
  ['Weekly limit reached ∙ resets Nov 20 at 1pm (Europe/Berlin)', utc('2026-11-20T12:00')],
  ['Weekly limit reached ∙ resets Nov 20, 9am', local('2026-11-20T09:00')],
  ['Weekly limit reached ∙ resets November 20th (UTC)', utc('2026-11-20T00:00')],
  ['Weekly limit reached ∙ resets 20 Nov, 09:30 (UTC)', utc('2026-11-20T09:30')],
  ['Weekly limit reached ∙ resets Jan 2, 5pm (UTC)', utc('2027-01-02T17:00')],
  ['try again at Nov 20th, 2026 9:05 AM.', local('2026-11-20T09:05')],
  ['try again at Nov 20th, 2024 9:05 AM.', null],
  ['or try again at 3:05 PM.', nextLocal(15, 5)],
  ['resets Monday 9am (UTC)', utc('2026-11-16T09:00')],
  ['resets Sun, 11:00 (UTC)', utc('2026-11-22T11:00')],
  ['resets tomorrow at 9am (UTC)', utc('2026-11-16T09:00')],
  // Daylight saving: the clock in Berlin is an hour further in June.
  ['resets Jun 1, 9am (Europe/Berlin)', utc('2027-06-01T07:00')],
  // Timestamps.
  ['Your limit will reset at 2026-11-15T18:30:00Z', utc('2026-11-15T18:30')],
  ['Your limit will reset at 2026-11-15 18:30:00 UTC', utc('2026-11-15T18:30')],
  ['Retry after 2026-11-15T18:30:00.500+02:00.', utc('2026-11-15T16:30:00.500')],
  ['Your limit will reset at 2026-11-15 23:36:41', local('2026-11-15T23:36:41')],
  ['[2026-11-15T18:30:00Z] usage limit reached', null],
  // Durations.
  [
    "You've hit your usage limit. Upgrade or try again in 2 days 3 hours 5 minutes.",
    now + 2 * day + 3 * hour + 5 * minute,
  ],
  ['try again in 2 days, 3 hours and 5 minutes', now + 2 * day + 3 * hour + 5 * minute],
  ['Please try again in 20s.', now + 20 * second],
  ['Please try again in 1m13.5s. Visit the console.', now + 73_500],
  ['Please try again in 350ms.', now + 350],
  ['Please try again in 6h0m0s', now + 6 * hour],
  ['Please try again in about an hour.', now + hour],
  ['Please wait 5 minutes before the next request', now + 5 * minute],
  ['Your quota will reset after 17h24m33s.', now + 17 * hour + 24 * minute + 33 * second],
  ['Limit resets in: 3h 20m', now + 3 * hour + 20 * minute],
  ['Please retry in 34.074824224s.', now + 34_075],
  ['Limit 30 requests in 1 minute reached. Please try again in 20 seconds', now + 20 * second],
  ['Usage limit reached for 5 hours.', null],
  ['The limit resets every 5 hours', null],
  // Fields.
  ['{"error":{"type":"usage_limit_reached","resets_in_seconds":7200}}', now + 2 * hour],
  ['{"error":{"resets_at":1794747600,"resets_in_seconds":1}}', 1794747600 * second],
  ['{"reset_at":"2026-11-15T18:30:00Z"}', utc('2026-11-15T18:30')],
  ['{"resetsAt": 1794747600000}', 1794747600000],
  [String.raw`error: "{\"resets_at\":1794747600}"`, 1794747600 * second],
  ['"retryDelay": "34s"', now + 34 * second],
  ['{"@type":"RetryInfo","retryDelay":"34.074824224s"}', now + 34_075],
  ['{"metadata":{"headers":{"X-RateLimit-Reset":"1794747600000"}}}', 1794747600000],
  ['{"retry_after_ms": 1500}', now + 1_500],
  ['{"retry_after": 15}', now + 15 * second],
  [
    'quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "retryDelay":"34s"',
    utc('2026-11-16T08:00'),
  ],
  ['quotaId: "GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "retryDelay":"34s"', now + 34 * second],
  // Nothing.
  ['', null],
  ['usage limit reached', null],
  ['try again later', null],
];

describe('the end of a usage limit', () => {
  it.each(texts)('The end of a usage limit is read from: %s [U5]', (text, expected) => {
    expect(readResetTime({ text, now })).toBe(expected);
  });

  it.each([
    [{ 'retry-after': '90' }, now + 90 * second],
    [{ 'Retry-After': 'Sun, 15 Nov 2026 12:30:00 GMT' }, now + 30 * minute],
    [{ 'retry-after': 'Sun, 15 Nov 2026 11:30:00 GMT' }, null],
    [{ 'retry-after-ms': '1500' }, now + 1_500],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{ 'anthropic-ratelimit-unified-reset': '1794747600', 'retry-after': '60' }, 1794747600 * second],
    [{ 'anthropic-ratelimit-requests-reset': '2026-11-15T12:01:00Z' }, now + minute],
    [{ 'x-ratelimit-reset-requests': '6m0s', 'x-ratelimit-remaining-requests': '0' }, now + 6 * minute],
    [
      {
        'x-ratelimit-reset-requests': '1s',
        'x-ratelimit-remaining-requests': '59',
        'x-ratelimit-reset-tokens': '1h2m',
        'x-ratelimit-remaining-tokens': '0',
      },
      now + hour + 2 * minute,
    ],
    [{ 'x-ratelimit-reset-tokens': '17ms', 'x-ratelimit-remaining-tokens': '100' }, null],
    [{ 'x-ratelimit-reset': '1794747600' }, 1794747600 * second],
    [{ 'x-ratelimit-reset': '45' }, now + 45 * second],
  ])('The end of a usage limit is read from the headers %j [U5]', (headers, expected) => {
    expect(readResetTime({ text: 'too many requests', headers, now })).toBe(expected);
  });

  it('The end in the message takes precedence over a general header', () => {
    const text = 'try again in 3 hours';
    expect(readResetTime({ text, retryAfter: '60', now })).toBe(now + 3 * hour);
  });

  it('The end of a usage limit is never in the past and never years ahead', () => {
    for (const text of ['|1794743999', 'resets_at: 2020-01-01T00:00:00Z', 'try again in 9000 days']) {
      expect(readResetTime({ text, now })).toBeNull();
    }
  });

  it('The end of a usage limit is read from a text of megabytes without delay', () => {
    expect(readResetTime({ text: 'again resets at 1 2 3 in 4 '.repeat(100_000), now })).toBeNull();
  });
});

describe('recognition of usage limits', () => {
  const read = (text: string, headers = {}) =>
    readUsageLimit(text, { headers, knowledge: defaultKnowledge, now });

  it('A usage limit is recognised by the wordings of the table, with its end if one is given [U5]', () => {
    expect(read('Claude AI usage limit reached|1794747600')).toEqual({ resetAt: 1794747600 * second });
    expect(read("You've hit your usage limit. Try again later.")).toEqual({ resetAt: null });
    expect(read('You exceeded your current quota, please check your plan')).toEqual({ resetAt: null });
    expect(read('the build failed, try again in 5 minutes')).toBeNull();
  });

  it('A usage limit is recognised by a wording of the user, also one that is no regular expression [U5]', () => {
    const knowledge = { prices: {}, usageLimitWordings: ['no more (tokens', 'geduld.*bitte'] };
    expect(readUsageLimit('No more (tokens today', { knowledge, now })).toEqual({ resetAt: null });
    expect(readUsageLimit('Geduld,\nbitte', { knowledge, now })).toEqual({ resetAt: null });
    expect(readUsageLimit('no more cake', { knowledge, now })).toBeNull();
  });

  it('A usage limit is recognised by the subscription named in the headers', () => {
    const headers = {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': '1794747600',
    };
    expect(read('error', headers)).toEqual({ resetAt: 1794747600 * second });
    expect(read('error', { 'anthropic-ratelimit-unified-status': 'allowed' })).toBeNull();
  });
});
