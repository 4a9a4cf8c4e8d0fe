// Reads wall-clock times as people write them, in their time zone; Intl knows the zones.
import { orElse } from '#base/or-else.ts';

export interface WallTime {
  /** Undefined: today, or the next day on which the time is still ahead. */
  readonly year?: number;
  /** 1 to 12; only together with `day`. */
  readonly month?: number;
  readonly day?: number;
  /** 0 is Sunday. */
  readonly weekday?: number;
  readonly isTomorrow?: boolean;
  readonly hour: number;
  readonly minute: number;
  readonly second?: number;
}

const shortNames: { readonly [zone: string]: string } = {
  UTC: 'utc gmt z',
  'America/Los_Angeles': 'pt pst pdt pacific',
  'America/Denver': 'mt mst mdt',
  'America/Chicago': 'ct cst cdt',
  'America/New_York': 'et est edt',
  'Europe/London': 'bst',
  'Europe/Berlin': 'cet cest',
};

/** The zone of a name; the machine's own if the name is unknown. */
export function zoneOf(name: string | undefined): string {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (name === undefined) return own;
  const known = Object.keys(shortNames).find((zone) =>
    shortNames[zone]?.split(' ').includes(name.toLowerCase()),
  );
  if (known !== undefined) return known;
  return orElse(() => new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone, own);
}

/** The first moment after `now` with that time in this zone; null if a full date has passed. */
export function nextMoment(time: WallTime, zone: string, now: number): number | null {
  const today = partsIn(zone, now);
  if (time.month !== undefined && time.day !== undefined) return nextDate(time, zone, now);
  for (let ahead = time.isTomorrow === true ? 1 : 0; ahead <= 8; ahead += 1) {
    const day = Date.UTC(today.year, today.month - 1, today.day + ahead);
    if (time.weekday !== undefined && new Date(day).getUTCDay() !== time.weekday) continue;
    const moment = momentOf(day + clockMs(time), zone);
    if (moment > now) return moment;
  }
  return null;
}

function nextDate(time: WallTime, zone: string, now: number): number | null {
  const { year } = partsIn(zone, now);
  const years = time.year === undefined ? [year, year + 1] : [time.year];
  for (const one of years) {
    const moment = momentOf(Date.UTC(one, (time.month ?? 1) - 1, time.day) + clockMs(time), zone);
    if (moment > now) return moment;
  }
  return null;
}

function clockMs({ hour, minute, second = 0 }: WallTime): number {
  return ((hour * 60 + minute) * 60 + second) * 1000;
}

/** `wall` is wall time written as UTC. Computed twice, because the offset may change in between. */
function momentOf(wall: number, zone: string): number {
  const guess = wall - offsetMs(zone, wall);
  return wall - offsetMs(zone, guess);
}

function offsetMs(zone: string, at: number): number {
  const { year, month, day, hour, minute, second } = partsIn(zone, at);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

function partsIn(zone: string, at: number) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const found = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => found.get(type) ?? 0;
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
}
