// A person's decision on its way to a run, and what became of it.
import type { Site } from '#compose/site.ts';
import type { Control } from '#kernel/control.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { dropControl } from './drop-control.ts';
import { print, printJson } from './output.ts';
import type { KnownRun } from './site.ts';

/** A driver meets a control at once; one that is stopped or on a slow disk may take longer. */
const answerMsMax = 5000;

export interface Handed {
  readonly control: Control;
  /** What is said when it is done: `Approved: person of task main.` */
  readonly done: string;
  readonly isJson: boolean;
}

export async function handControl(
  site: Site,
  { run, holder }: KnownRun,
  { control, done, isJson }: Handed,
): Promise<number> {
  const controlId = await dropControl(site, run.id, control);
  const isLive = holder !== null;
  const { answerTo } = await import('#compose/controls.ts');
  // Where nobody drives it was answered when it was written down, or waits for the next driver.
  const answer = await answerTo(site, run.id, controlId, isLive ? answerMsMax : 50);
  if (answer?.refused !== undefined)
    throw new OperatorError(
      'refused',
      `The run ${run.id} refused it: ${answer.refused}.`,
      `Look at it again: untildone status ${run.id}`,
    );
  const isApplied = answer !== null;
  if (isJson) printJson({ runId: run.id, controlId, isLive, isApplied });
  else if (isLive) print(isApplied ? done : `Handed to the run ${run.id}; its driver has not answered yet.`);
  else print(`${done} Nobody drives the run ${run.id} now; go on with: untildone resume ${run.id}`);
  return 0;
}
