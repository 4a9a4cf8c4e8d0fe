// The live display of a terminal: past events scroll by, and a frame below shows the current state.
import type { Event } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import { progressBlock } from '#views/status/progress.ts';
import { criteriaLines } from '#views/status/status.ts';
import { waysToEnd } from '#views/waiting/suspended.ts';
import { budgetLeft, costLine, withPresentTime } from '#views/words.ts';
import { createChatter } from './chatter.ts';
import { type Display, eventLine, failedOutput, isSaidAtEnd, isSaidNext, silent } from './lines.ts';
import { clean, fit } from './words.ts';
import { wrapLine } from './wrap.ts';

const framesPerSecond = 8;
const chatterLines = 4;
export interface Terminal {
  write(text: string): void;
  /** Adds colours to a line. */
  readonly paint?: (line: string) => string;
  readonly columns: number;
  readonly rows: number;
  now(): number;
}

export function createLiveDisplay(terminal: Terminal): Display {
  let run: Run | null = null;
  let frameHeight = 0;
  let isClosed = false;
  let isDue = true;
  const recent: string[] = [];
  const remember = (line: string): void => {
    recent.push(line);
    if (recent.length > chatterLines) recent.shift();
    isDue = true;
  };
  const chatter = createChatter(remember, 50, () => terminal.now());
  const erase = (): string => (frameHeight === 0 ? '' : `\u001B[${frameHeight}A\u001B[0J`);
  const draw = (above: readonly string[]): void => {
    if (isClosed) return;
    const frame =
      run === null ? [] : frameLines(run, recent, terminal).slice(0, Math.max(1, terminal.rows - 1));
    const paint = terminal.paint ?? ((line: string) => line);
    const text = [...above, ...frame].map((line) => `${paint(line)}\n`).join('');
    terminal.write(erase() + text);
    frameHeight = frame.length;
    isDue = false;
  };
  // Redrawn after each event, and once a second for the clock.
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (isDue || ticks % framesPerSecond === 0) draw([]);
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
        .filter((event) => !isSilent(event) && !isSaidNext(event) && !isSaidAtEnd(now, event))
        .flatMap((event) => eventLines(now, event));
      if (lines.length > 0) draw(lines.flatMap((line) => wrapLine(line, terminal.columns - 1)));
      else isDue = true;
    },
    onChatter: (stepId, event) => chatter.add(stepId, event),
    onNote: (text) => draw(wrapped(`note: ${text}`, terminal.columns)),
    say: (text) => draw(wrapped(text, terminal.columns)),
    close() {
      clearInterval(timer);
      if (!isClosed) terminal.write(erase());
      isClosed = true;
    },
  };
}

export function frameLines(
  run: Run,
  recent: readonly string[],
  terminal: Pick<Terminal, 'columns' | 'now'>,
): string[] {
  const shown = withPresentTime(run, terminal.now());
  const spent = `Cost: ${costLine(run.ledger)} · Left: ${budgetLeft(shown)}`;
  const lines = [
    '',
    ...progressBlock(shown).split('\n'),
    ...criteriaLines(run),
    spent,
    ...recent.map((line) => `  │ ${line}`),
  ];
  return lines.map((line) => fitLine(line, terminal.columns));
}

function fitLine(line: string, columns: number): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  return indent + fit(line.slice(indent.length), Math.max(10, columns - indent.length));
}

/** A line that the terminal wraps itself would be erased wrongly. */
function wrapped(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(clean(line), columns - 1));
}

/** The frame shows the current state. */
function isSilent({ type }: Event): boolean {
  return silent.has(type) || type === 'step-started';
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
