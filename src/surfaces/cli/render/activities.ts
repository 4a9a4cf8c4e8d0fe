// Follows what takes the time, and shows each of it as one line with a spinner and a clock.
import type { Run } from '#kernel/fold/run.ts';
import type { Activity } from '#kernel/model/activity.ts';
import type { Step } from '#kernel/model/step.ts';
import { type ActivityWords, activityWords, lasting, silence, stepWords } from '#views/lines/activity.ts';
import { columnsOf, cutMiddle, cutTo } from './width.ts';
import { clean } from './words.ts';

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Shorter activities only make the screen jump. */
const shownAfterMs = 400;
const linesMax = 3;

export interface Activities {
  onActivity(activity: Activity, state: 'began' | 'ended'): void;
  onChatter(stepId: string): void;
  /** One line each, oldest first. */
  lines(run: Run | null, columns: number): string[];
}

interface Shown extends ActivityWords {
  readonly since: number;
  readonly remark: string;
}

export function followActivities(now: () => number): Activities {
  const begun = new Map<Activity, number>();
  const steps = new Map<string, { readonly since: number; outputAt: number | null }>();
  const openedAt = now();
  const stepOf = (stepId: string) => {
    const known = steps.get(stepId) ?? { since: now(), outputAt: null };
    steps.set(stepId, known);
    return known;
  };
  const ofStep = (step: Step): Shown => {
    const { since, outputAt } = stepOf(step.stepId);
    const remark = step.deed.kind === 'session' ? silence(now(), since, outputAt) : '';
    return { ...stepWords(step), since, remark };
  };
  const shown = (run: Run | null): Shown[] => {
    const running = [...(run?.running.values() ?? [])];
    const own = [...begun].map(([activity, since]) => ({ ...activityWords(activity), since, remark: '' }));
    const busy = new Set([...begun.keys()].map(({ stepId }) => stepId));
    // Dependencies are installed for a step that has nothing else to show.
    const idle = running.filter(
      ({ stepId, deed }) => !busy.has(stepId) && (deed.kind === 'session' || !busy.has(null)),
    );
    const starting = { before: 'opening the run', subject: '', after: '', since: openedAt, remark: '' };
    return run === null ? [starting] : [...own, ...idle.map(ofStep)];
  };
  return {
    onActivity(activity, state) {
      if (state === 'began') begun.set(activity, now());
      else begun.delete(activity);
    },
    onChatter: (stepId) => void (stepOf(stepId).outputAt = now()),
    lines(run, columns) {
      const all = shown(run)
        .filter(({ since }) => now() - since >= shownAfterMs)
        .toSorted((a, b) => a.since - b.since);
      return spinnerLines(all, now(), columns);
    },
  };
}

export type Waited = ActivityWords & { readonly since: number; readonly remark: string };

export function spinnerLines(all: readonly Waited[], now: number, columns: number): string[] {
  const mark = spinner[Math.floor(now / 125) % spinner.length] ?? '';
  const lines = all.slice(0, linesMax).map((one) => `${mark} ${activityLine(one, now, columns - 2)}`);
  return all.length <= linesMax ? lines : [...lines, `  and ${all.length - linesMax} more`];
}

/** Contract: no wider than `columns`. The remark is left out first, then the subject is cut, and last the time. */
export function activityLine(one: Waited, now: number, columns: number): string {
  const [before, subject, after] = [one.before, one.subject, one.after].map((part) =>
    clean(part).replaceAll(/\s+/g, ' '),
  ) as [string, string, string];
  const ms = now - one.since;
  const time = ms < 1000 ? '' : `, ${lasting(ms)}`;
  const remark = one.remark === '' ? '' : `, ${one.remark}`;
  const fixed = columnsOf(before + after + time);
  const room = columns - fixed;
  const shown = cutMiddle(subject, Math.min(columnsOf(subject), Math.max(room, subjectMin)));
  const isRemarked = fixed + columnsOf(shown) + columnsOf(remark) <= columns;
  const text = cutTo(before + shown + after, Math.max(1, columns - columnsOf(time)));
  return text + time + (isRemarked ? remark : '');
}

/** Fewer columns name no command. */
const subjectMin = 8;
