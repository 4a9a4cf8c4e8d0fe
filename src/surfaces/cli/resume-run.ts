// Goes on with an unfinished run in this process.
import type { Site } from '#compose/site.ts';
import { raise } from '#config/raise-budget.ts';
import { completedSteps } from '#views/steps.ts';
import { driveHere } from './drive-here.ts';
import { dropControl } from './drop-control.ts';
import { refuseFromInside } from './guard.ts';
import { print, printJsonLine } from './output.ts';
import { headerLines } from '#surfaces/cli/render/header.ts';
import type { KnownRun } from './site.ts';

export interface ResumeOptions {
  readonly isJson: boolean;
  readonly budget: readonly string[];
}

export async function resumeHere(
  site: Site,
  { run }: KnownRun,
  { isJson, budget }: ResumeOptions,
): Promise<number> {
  await refuseFromInside('untildone resume');
  const more = raise(budget);
  // A run whose driver died needs nobody's word to go on; one that a person parked does.
  if (run.paused !== null || run.trouble !== null || more !== null) {
    await dropControl(site, run.id, more === null ? { kind: 'resume' } : { kind: 'resume', budget: more });
  }
  const { done, all } = completedSteps(run);
  // Said once the lock is ours: another process may drive the run.
  const onTaken = (): void => {
    if (isJson) return printJsonLine({ type: 'run', runId: run.id, isResumed: true, steps: { done, all } });
    print(`🔄 Resuming from durable session (${done}/${all} steps completed)`);
    for (const line of headerLines({
      runId: run.id,
      config: { ...run.config, budget: { ...run.budget, ...more } },
      tasks: [...run.tasks.values()].map((task) => task.spec),
      notes: [],
    }))
      print(line);
  };
  return driveHere(site, run.id, { isJson, onTaken });
}
