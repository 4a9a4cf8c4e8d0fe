import { refuseCleaned } from '#compose/clean/refuse-cleaned.ts';
import type { Site } from '#compose/site.ts';
import type { Run } from '#kernel/run.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { isReviewedOnly } from '#views/proof.ts';
import { anotherPlan, resumeCommand, retryable, retryCommand } from '#views/again.ts';

export async function refuseFinished(site: Site, run: Run): Promise<void> {
  if (run.outcome === null) return;
  await refuseCleaned(site, run, 'its branch and files are gone, so it cannot go on');
  if (isReviewedOnly(run))
    throw new OperatorError(
      'run-is-over',
      `The run ${run.id} is over: reviewed, not proven.`,
      `If it is done: untildone approve ${run.id}, or untildone land ${run.id} --accept-review`,
    );
  const taskId = retryable(run);
  const plan = anotherPlan(run);
  throw new OperatorError(
    'run-is-over',
    `The run ${run.id} is over (${run.outcome.outcome}).`,
    taskId === null && plan !== null
      ? `Have it planned again: ${plan}, then ${resumeCommand(run)}. Or start a new one with \`untildone run\`.`
      : taskId === null
        ? 'Start a new one with `untildone run`; `untildone show` tells what became of this one.'
        : `Take it up again: ${retryCommand(run, taskId)}. Or start a new one with \`untildone run\`.`,
  );
}
