// The timeline as HTML: one row per item, with its time, its duration and a bar where it was in the run.
import type { H, Html } from './html-words.ts';
import { prose } from './html-words.ts';
import type { Timeline, TimelineItem } from '#views/report/timeline.ts';
import { precise } from '#views/report/timeline.ts';
import { count, utc } from '#views/words.ts';

export interface DrawnTimeline {
  readonly html: Html;
  /** The places of the bars: numbers alone, so that no text of others is in a style sheet. */
  readonly css: string;
}

export function timelineHtml(h: H, { items, hidden, hiddenAt }: Timeline, runId: string): DrawnTimeline {
  const { place, isShortened } = scaleOf(items);
  const rows = items.map(
    (item, at) =>
      h`${dayOf(h, items[at - 1], item)}${gapOf(h, hidden > 0 && at === hiddenAt, hidden, runId)}${row(h, item, barName(at))}`,
  );
  const css = items.map(({ at, endAt }, index) => {
    const [from, to] = [place(at), place(endAt ?? at)];
    return `.${barName(index)}{left:${from.toFixed(2)}%;width:${(to - from).toFixed(2)}%}`;
  });
  const note = isShortened ? h`<p class="quiet">The bars draw long waits shorter than they were.</p>` : null;
  return {
    html: h`<ol class="timeline">${rows}</ol>${note}<p class="quiet">Times are UTC. Every event: <code>untildone show ${runId}</code></p>`,
    css: css.join(''),
  };
}

function dayOf(h: H, before: TimelineItem | undefined, { at }: TimelineItem): Html | null {
  const day = utc(at).slice(0, 10);
  return before !== undefined && utc(before.at).startsWith(day) ? null : h`<li class="day">${day}</li>`;
}

function gapOf(h: H, isHere: boolean, hidden: number, runId: string): Html | null {
  return isHere
    ? h`<li class="day">${count(hidden, 'entry', 'entries')} left out here. To see them: <code>untildone show ${runId}</code></li>`
    : null;
}

function row(h: H, { at, endAt, isOpen, kind, what, detail, tone }: TimelineItem, bar: string): Html {
  const duration = endAt === null ? '' : isOpen ? `${precise(endAt - at)} …` : precise(endAt - at);
  const more = detail === '' ? null : h` <small>${prose(h, detail)}</small>`;
  return h`<li class="${tone}"><time>${utc(at).slice(11, 19)}</time><span class="what"><b>${prose(h, what)}</b>${more}</span><span class="${kind}"><i class="${bar}"></i></span><span class="took">${duration}</span></li>`;
}

/** Letters alone. */
function barName(index: number): string {
  const letter = (at: number): string => String.fromCodePoint(97 + (Math.floor(at) % 26));
  return `zz${letter(index / 676)}${letter(index / 26)}${letter(index)}`;
}

/** A wait is drawn with at most this part of the time in which something ran. */
const waitShare = 0.08;

/** Places in percent. A night of waiting would leave no room for the work. */
function scaleOf(items: readonly TimelineItem[]): {
  readonly place: (at: number) => number;
  readonly isShortened: boolean;
} {
  const spans = items
    .flatMap(({ at, endAt, kind }) =>
      kind === 'wait' && endAt !== null
        ? ([
            [at, at],
            [endAt, endAt],
          ] as const)
        : ([[at, endAt ?? at]] as const),
    )
    .toSorted(([one], [other]) => one - other);
  const start = spans[0]?.[0] ?? 0;
  let end = start;
  const parts: { readonly from: number; readonly to: number; readonly isBusy: boolean }[] = [];
  for (const [from, to] of spans) {
    if (from > end) parts.push({ from: end, to: from, isBusy: false });
    if (to > Math.max(from, end)) parts.push({ from: Math.max(from, end), to, isBusy: true });
    end = Math.max(end, to);
  }
  const busy = parts.reduce((sum, { from, to, isBusy }) => sum + (isBusy ? to - from : 0), 0);
  const waitMax = busy === 0 ? Infinity : busy * waitShare;
  let drawn = 0;
  const drawnParts = parts.map((part) => {
    const length = part.to - part.from;
    const begin = drawn;
    drawn += part.isBusy ? length : Math.min(length, waitMax);
    return { ...part, begin, length, drawn: drawn - begin };
  });
  const place = (at: number): number => {
    const part = drawnParts.find(({ to }) => at <= to);
    if (part === undefined || drawn === 0) return drawn === 0 ? 0 : 100;
    const within = part.length === 0 ? 0 : Math.max(0, at - part.from) / part.length;
    return (100 * (part.begin + within * part.drawn)) / drawn;
  };
  return { place, isShortened: drawnParts.some((part) => part.drawn < part.length) };
}
