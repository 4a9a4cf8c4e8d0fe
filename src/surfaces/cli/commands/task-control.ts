// `retry` and `skip`: what a person wants done with one task.
import { OperatorError } from '#ports/operator-error.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { handControl } from '#surfaces/cli/hand-control.ts';
import { pickRun } from '#surfaces/cli/pick-run.ts';
import { pickTask } from '#surfaces/cli/pick-task.ts';
import { refuseFinished } from '#surfaces/cli/refuse-finished.ts';
import { openHere } from '#surfaces/cli/site.ts';

export interface TaskOptions {
  readonly run?: string;
  readonly why?: string;
  readonly json?: boolean;
}

export async function taskCommand(
  kind: 'retry' | 'skip',
  name: string,
  options: TaskOptions,
): Promise<number> {
  await refuseFromInside(`untildone ${kind}`);
  const site = await openHere();
  const known = await pickRun(site, options.run, { command: `${kind} ${name} --run` });
  refuseFinished(known.run);
  const { status, spec } = pickTask(known.run, name);
  const taskId = spec.id;
  const isLate = kind === 'retry' ? status !== 'failed' : ['landed', 'failed', 'skipped'].includes(status);
  if (isLate)
    throw new OperatorError(
      'wrong-state',
      `Task ${taskId} ${status === 'needs-input' ? 'waits for an answer' : `is ${status}`}; ${kind === 'retry' ? 'only one that failed can be tried again' : 'it can no longer be skipped'}.`,
      `See where the run stands: untildone status ${known.run.id}`,
    );
  return handControl(site, known, {
    control:
      kind === 'retry' ? { kind, taskId } : { kind, taskId, why: options.why ?? 'skipped by a person' },
    done: kind === 'retry' ? `Task ${taskId} is taken up again.` : `Skipped task ${taskId}.`,
    isJson: options.json === true,
  });
}
