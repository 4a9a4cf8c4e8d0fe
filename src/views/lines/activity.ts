// Names what takes the time now: "running npm test again, 2 of at most 10", "waiting for the builder (claude)".
import type { CalibrationKind } from '#kernel/model/calibration.ts';
import type { Activity } from '#kernel/model/activity.ts';
import type { Step } from '#kernel/model/step.ts';
import { operationText } from '#views/status/stage.ts';

/** One line in parts, so that a narrow terminal shortens the command and never the time. */
export interface ActivityWords {
  readonly before: string;
  /** A command or a name: the part to shorten. */
  readonly subject: string;
  readonly after: string;
}

export function activityWords(activity: Activity): ActivityWords {
  const { command: subject } = activity;
  switch (activity.kind) {
    case 'setup':
      return { before: 'installing dependencies: ', subject, after: '' };
    case 'check':
      return { before: 'running ', subject, after: repetition(activity.run, activity.runsMax) };
    case 'calibration':
      return { before: 'calibrating ', subject, after: `: ${trials[activity.trial]}` };
    case 'blocker':
      return { before: "trying a reviewer's blocker: ", subject, after: '' };
  }
}

function repetition(run: number, runsMax: number): string {
  return run === 1 ? '' : ` again, ${run} of at most ${runsMax}`;
}

const trials: { readonly [kind in CalibrationKind]: string } = {
  bytes: 'comparing the pinned files',
  'base-recheck': 'running it on the base again',
  attribution: 'running it without parts of the work',
  'planted-failure': 'planting a failing test',
  negation: 'negating the assertions of a test',
  'added-tests': 'trying the added tests',
};

/** A step without an activity of its own. */
export function stepWords(step: Step): ActivityWords {
  const { deed } = step;
  if (deed.kind === 'session')
    return { before: `waiting for the ${deed.role} (`, subject: deed.agent.name, after: ')' };
  // Before the first check and after the last one, only the files take time.
  if (deed.kind === 'check') return { before: 'preparing the files for the checks', subject: '', after: '' };
  return { before: operationText(step), subject: '', after: '' };
}

/** `9s`, `1m 12s`, `2h 05m`. */
export function lasting(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  const [large, small, units] =
    minutes < 60 ? [minutes, seconds % 60, 'ms'] : [Math.floor(minutes / 60), minutes % 60, 'hm'];
  return `${large}${units.charAt(0)} ${String(small).padStart(2, '0')}${units.charAt(1)}`;
}

/** An agent that prints something every few seconds needs no remark. */
const quietMs = 5_000;

/** How long a session has been silent; '' while it prints. `outputAt` is null before its first output. */
export function silence(now: number, since: number, outputAt: number | null): string {
  if (now - (outputAt ?? since) < quietMs) return '';
  return outputAt === null ? 'no output yet' : `last output ${lasting(now - outputAt)} ago`;
}
