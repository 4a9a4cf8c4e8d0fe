// Decides whether a run can be forked, and after which event.
import { refuseCleaned } from '#app/clean/refuse-cleaned.ts';
import type { Site } from '#app/site.ts';
import { replay } from '#kernel/fold/apply.ts';
import type { Event } from '#kernel/events/events.ts';
import { nearestPoints } from '#kernel/fold/fork.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { operationText } from '#views/status/stage.ts';

export async function refuseFork(site: Site, run: Run): Promise<void> {
  await refuseCleaned(site, run, 'its branch and files were removed, so it cannot be forked');
  const { config, id } = run;
  const why =
    config.dryRun === true
      ? 'is a dry run, which keeps nothing'
      : config.foreign !== undefined
        ? `belongs to an interactive session (${config.foreign.client}), which only that client can continue`
        : config.repo.inPlace
          ? 'works in your own checkout (--in-place), which its fork would share'
          : null;
  if (why === null) return;
  throw new OperatorError(
    'fork-refused',
    `The run ${id} cannot be forked: it ${why}.`,
    'Start a new run: untildone run "…" --new',
  );
}

/** The requested event, or the last one after which a fork can begin. */
export function chooseEvent(
  old: Run,
  events: readonly Event[],
  points: readonly number[],
  wanted: number | null,
): number {
  const last = points.at(-1);
  if (last === undefined)
    throw new OperatorError(
      'fork-refused',
      `The run ${old.id} has no event that a fork can begin after.`,
      `See its events: untildone show ${old.id}`,
    );
  if (wanted === null) return last;
  if (points.includes(wanted)) return wanted;
  const { before, after } = nearestPoints(points, wanted);
  const near = [before, after].filter((point) => point !== null);
  throw new OperatorError(
    'fork-refused',
    `The run ${old.id} cannot be forked after event ${wanted}: ${whyNot(events, wanted)}.`,
    `Nearest events: ${near.join(' and ')}. For example: untildone fork ${old.id} --from ${near[0] ?? last}`,
  );
}

function whyNot(events: readonly Event[], wanted: number): string {
  if (wanted < 1 || wanted > events.length) return `it has the events 1 to ${events.length}`;
  const { outcome, running } = replay(events.slice(0, wanted));
  const [step] = running.values();
  if (step !== undefined) return `a step was running (${step.stepId}: ${operationText(step)})`;
  if (outcome !== null) return `the run had ended (${outcome.outcome})`;
  return 'it was recorded together with the event that follows it';
}
