import { modeWish } from '#config/flags.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { handOn } from '#surfaces/cli/hand-control.ts';
import { print, printJsonLine } from '#surfaces/cli/output.ts';
import { pickRun } from '#surfaces/cli/pick-run.ts';
import { refuseFinished } from '#surfaces/cli/refuse-finished.ts';
import { resumeControl, resumeHere } from '#surfaces/cli/resume-run.ts';
import { type GivenSetup, saidSetup } from '#surfaces/cli/setup-flags.ts';
import { openHere } from '#surfaces/cli/site.ts';

export interface ResumeFlags extends GivenSetup {
  readonly json?: boolean;
  readonly budget?: readonly string[];
  readonly mode?: string;
  readonly allowRoot?: boolean;
}

export async function resumeCommand(name: string | undefined, options: ResumeFlags): Promise<number> {
  await refuseFromInside('untildone resume');
  const isJson = options.json === true;
  const { budget = [], allowRoot = false } = options;
  const setup = saidSetup(options);
  const mode = options.mode === undefined ? undefined : modeWish(options.mode);
  const changes = {
    budget,
    allowRoot,
    ...(setup === undefined ? {} : { setup }),
    ...(mode === undefined ? {} : { mode }),
  };
  const control = resumeControl(changes);
  const site = await openHere();
  const known = await pickRun(site, name, { command: 'resume' });
  await refuseFinished(site, known.run);
  if (known.holder === null) return resumeHere(site, known, { isJson, ...changes });
  const runId = known.run.id;
  // Waits for the answer: whoever asks a run to go on that is not paused should hear that.
  const { controlId } = await handOn(site, known, control);
  if (isJson) printJsonLine({ runId, controlId, isLive: true });
  else
    print(
      `Told the driver of ${runId} (pid ${known.holder.pid}) to go on. Watch it: untildone logs -f ${runId}`,
    );
  return 0;
}
