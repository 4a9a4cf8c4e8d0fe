// Sends a person's decision to a run, and reports the result.
import type { Site } from '#app/site.ts';
import type { Control } from '#kernel/events/control.ts';
import { OperatorError } from '#base/operator-error.ts';
import { answerTo, dropControl } from '#app/controls/controls.ts';
import { print, printJson } from './output.ts';
import type { KnownRun } from './open-here.ts';

/** A driver handles a control at once; a stopped one or a slow disk may take longer. */
const answerMsMax = 5000;

export interface SentControl {
  readonly control: Control;
  /** The message after success: `Approved: person of task main.` */
  readonly done: string;
  /** The command to type if the run has no driver; default: `untildone resume ID`. */
  readonly goOn?: string;
  readonly isJson: boolean;
}

export interface Landed {
  readonly runId: string;
  readonly controlId: string;
  readonly isLive: boolean;
  readonly isApplied: boolean;
}

export async function sendControl(
  site: Site,
  known: KnownRun,
  { control, done, goOn, isJson }: SentControl,
): Promise<number> {
  const landed = await sendQuietly(site, known, control);
  if (isJson) printJson(landed);
  else print(inWords(landed, done, goOn));
  return 0;
}

/** The same without output. */
export async function sendQuietly(site: Site, { run, holder }: KnownRun, control: Control): Promise<Landed> {
  const controlId = await dropControl(site, run.id, control);
  const isLive = holder !== null;
  // Without a driver, it was settled when it was recorded, or waits for the next driver.
  const answer = await answerTo(site, run.id, controlId, isLive ? answerMsMax : 50);
  if (answer?.refused !== undefined)
    throw new OperatorError(
      'refused',
      `The run ${run.id} refused it: ${answer.refused}.`,
      `Review it again: untildone status ${run.id}`,
    );
  return { runId: run.id, controlId, isLive, isApplied: answer !== null };
}

export function inWords(
  { runId, isLive, isApplied }: Landed,
  done: string,
  goOn = `untildone resume ${runId}`,
): string {
  if (!isLive) return `${done} Run ${runId} has no driver. Continue with: ${goOn}`;
  return isApplied ? done : `Sent to run ${runId}; its driver has not answered yet.`;
}
