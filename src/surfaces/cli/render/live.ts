// The live display of a terminal: past events scroll by, and a frame below shows the current state.
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { progressBlock } from '#views/status/progress.ts';
import { criteriaLines } from '#views/status/status.ts';
import { waysToEnd } from '#views/waiting/suspended.ts';
import { budgetLeft, costLine, withPresentTime } from '#views/words.ts';
import { openRegion, type Terminal } from '#surfaces/cli/screen/live-region.ts';
import { followActivities } from './activities.ts';
import { createChatter } from './chatter.ts';
import {
  type Display,
  eventLine,
  failedOutput,
  isShownAtEnd,
  isShownBefore,
  isShownElsewhere,
  isShownNext,
  silent,
} from './lines.ts';
import { columnsOf } from './width.ts';
import { clean, fit } from './words.ts';
import { wrapLine } from './wrap.ts';

const framesPerSecond = 8;
const chatterLines = 4;

export function createLiveDisplay(terminal: Terminal): Display {
  let run: Run | null = null;
  let isDue = true;
  let top: readonly string[] = [];
  const recent: string[] = [];
  const remember = (line: string): void => {
    recent.push(line);
    if (recent.length > chatterLines) recent.shift();
  };
  const chatter = createChatter(remember, 50, () => terminal.now());
  const activities = followActivities(() => terminal.now());
  const draw = (above: readonly string[]): void => {
    const busy = activities.lines(run, terminal.columns - 1);
    const below = [...busy, ...recent.map((line) => fitLine(`  │ ${line}`, terminal.columns - 1))];
    if (isDue && run !== null) top = frameLines(run, busy, terminal);
    isDue = false;
    region.draw(above, [...top.slice(0, Math.max(1, terminal.rows - 1 - below.length)), ...below]);
  };
  const redraw = (above: readonly string[] = []): void => {
    isDue = true;
    draw(above);
  };
  const region = openRegion(terminal, redraw);
  // The spinner turns on each tick; the rest is made again after each event, and once a second for the clock.
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    isDue ||= ticks % framesPerSecond === 0;
    draw([]);
  }, 1000 / framesPerSecond);
  timer.unref();
  return {
    onEvents(now, events) {
      run = now;
      if (events.some(endsSession)) {
        chatter.flush();
        recent.length = 0;
      }
      const lines = events
        .filter((event) => !isSilent(event) && !isShownAtEnd(now, event) && !isShownElsewhere(now, event))
        .flatMap((event) => eventLines(now, event));
      isDue = true;
      if (lines.length > 0) redraw(lines.flatMap((line) => wrapLine(line, terminal.columns - 1)));
    },
    onActivity: (activity, state) => activities.onActivity(activity, state),
    onChatter(stepId, event) {
      const kind = run?.running.get(stepId)?.deed.kind ?? 'session';
      // The line with the spinner says which check runs, and how often.
      if (kind !== 'session') return;
      activities.onChatter(stepId);
      chatter.add(stepId, event);
    },
    onNote: (text) => redraw(wrapped(`note: ${text}`, terminal.columns)),
    print: (text) => redraw(wrapped(text, terminal.columns)),
    close() {
      clearInterval(timer);
      region.close();
    },
  };
}

/** The state of the run. A stage that a line of `busy` already names is left out. */
export function frameLines(
  run: Run,
  busy: readonly string[],
  terminal: Pick<Terminal, 'columns' | 'now'>,
): string[] {
  const shown = withPresentTime(run, terminal.now());
  const spent = [`Cost: ${costLine(run.ledger)}`, `Left: ${budgetLeft(shown)}`];
  const isOneLine = columnsOf(spent.join(' · ')) < terminal.columns;
  const status = 'Status: ';
  const isRepeat = (line: string): boolean =>
    line.startsWith(status) && busy.some((one) => one.slice(2).startsWith(line.slice(status.length)));
  const block = progressBlock(shown)
    .split('\n')
    .filter((line) => !isRepeat(line));
  const lines = ['', ...block, ...criteriaLines(run), ...(isOneLine ? [spent.join(' · ')] : spent)];
  return lines.map((line) => fitLine(line, terminal.columns - 1));
}

/** The remark in brackets at the end of a criterion, such as `(exit 1)`, stays: the text before it is shortened. */
function fitLine(line: string, columns: number): string {
  const [, indent = '', text = '', remark = ''] = /^( *)(.*?)((?: \([^()]*\))?)$/s.exec(clean(line)) ?? [];
  const room = Math.max(10, columns - indent.length);
  const left = room - columnsOf(remark);
  if (left < room / 2 || columnsOf(text) <= left) return indent + fit(text + remark, room);
  return indent + fit(text, left) + fit(remark, room);
}

/** A line that the terminal wraps itself would be erased wrongly. */
function wrapped(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(clean(line), columns - 1));
}

/** The frame shows the current state, and another line says the rest. */
function isSilent(event: Event): boolean {
  if (isShownNext(event) || isShownBefore(event)) return true;
  return silent.has(event.type) || event.type === 'step-started';
}

function endsSession(event: Event): boolean {
  return event.type === 'step-ended' && event.result.kind === 'session';
}

function eventLines(run: Run, event: Event): string[] {
  const below = [...failedOutput(event), ...waysOn(run, event)].map((output) => `    > ${output}`);
  return [eventLine(run, event), ...below];
}

/** A driver at a terminal stays with a suspended run, so the commands that end the wait are shown. */
function waysOn(run: Run, event: Event): string[] {
  if (event.type !== 'suspended' && event.type !== 'suspension-expired') return [];
  const suspension = run.suspensions.get(event.suspensionId);
  return suspension === undefined ? [] : waysToEnd(run, suspension, true);
}
