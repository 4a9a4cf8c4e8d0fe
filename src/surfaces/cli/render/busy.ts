// Shows what a command does outside of a run, while it takes longer: a spinner in a terminal, else one line.
import type { Activity } from '#kernel/model/activity.ts';
import { activityWords, stepWords } from '#views/lines/activity.ts';
import type { Observer } from '#ports/world.ts';
import { isForPrograms, printNote } from '#surfaces/cli/output.ts';
import { type LiveRegion, openRegion } from '#surfaces/cli/screen/live-region.ts';
import { spinnerLines, type Waited } from './activities.ts';
import { liveTerminal } from './live-terminal.ts';

/** A quicker command shows nothing. */
const shownAfterMs = 400;
/** Without a terminal, only what is really slow is worth a line. */
const notedAfterMs = 2_000;
const frameMs = 125;

const waits = new Map<object, Waited>();
let stopShowing: (() => void) | null = null;

/** Contract: output for programs is unchanged, and nothing is left on the terminal when the work ends. */
export async function busy<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  const end = begin({ before: text, subject: '', after: '' });
  try {
    return await work();
  } finally {
    end();
  }
}

/** For checks outside of a run. Empty without a terminal: notes then say what runs. */
export function busyChecks(): Pick<Observer, 'onActivity'> {
  if (isForPrograms() || liveTerminal() === null) return {};
  const ends = new Map<Activity, () => void>();
  return {
    onActivity(activity, state) {
      if (state === 'began') ends.set(activity, begin(activityWords(activity)));
      else ends.get(activity)?.();
    },
  };
}

/** For a run without a display of its own. */
export function busySteps(): Observer & { close(): void } {
  const ends = new Map<string, () => void>();
  const close = (): void => {
    for (const end of ends.values()) end();
    ends.clear();
  };
  return {
    close,
    onEvents(_, events) {
      for (const event of events) {
        if (event.type === 'step-ended' || event.type === 'step-lost') ends.get(event.stepId)?.();
        if (event.type === 'step-started') ends.set(event.step.stepId, begin(stepWords(event.step)));
      }
    },
  };
}

function begin(words: Pick<Waited, 'before' | 'subject' | 'after'>): () => void {
  if (isForPrograms()) return () => {};
  const key = {};
  const noted =
    liveTerminal() === null
      ? setTimeout(() => printNote(`${words.before}${words.subject}${words.after} …`), notedAfterMs).unref()
      : null;
  waits.set(key, { ...words, since: Date.now(), remark: '' });
  stopShowing ??= show();
  return () => {
    if (noted !== null) clearTimeout(noted);
    waits.delete(key);
    if (waits.size > 0) return;
    stopShowing?.();
    stopShowing = null;
  };
}

function show(): () => void {
  const terminal = liveTerminal();
  if (terminal === null) return () => {};
  const draw = (): void => {
    const now = terminal.now();
    const due = [...waits.values()].filter(({ since }) => now - since >= shownAfterMs);
    region.draw([], spinnerLines(due, now, terminal.columns - 1));
  };
  const region: LiveRegion = openRegion(terminal, draw);
  const timer = setInterval(draw, frameMs).unref();
  return () => {
    clearInterval(timer);
    region.close();
  };
}
