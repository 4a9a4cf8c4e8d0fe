// `wake`, for `watch` and for commands that find a due run: drives it, or leaves it parked and says why.
import { errorText } from '#base/error-text.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import { OperatorError } from '#base/operator-error.ts';
import { driveHere } from '#surfaces/cli/drive/drive-here.ts';
import { refuseFromInside } from '#surfaces/cli/guard.ts';
import { print, printNote } from '#surfaces/cli/output.ts';
import { openHere } from '#surfaces/cli/open-here.ts';

export interface WakeOptions {
  readonly late?: string;
  readonly lost?: boolean;
}

/** Contract: silent, with exit 0, if another process drives the run. Prints no stack traces. */
export async function wakeCommand(runId: string | undefined, options: WakeOptions): Promise<number> {
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => {
    printNote(error.message);
    process.exit(exitCodes.failed);
  });
  try {
    if (runId !== undefined) return await wake(runId, options);
    await refuseFromInside('untildone wake');
    const { findLost } = await import('#app/waiting/find-lost.ts');
    if (options.lost === true) for (const found of await findLost(process.env)) print(found);
    return 0;
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'run-is-live') return 0;
    if (error instanceof OperatorError) throw error;
    printNote(errorText(error));
    return exitCodes.failed;
  }
}

async function wake(runId: string, { late }: WakeOptions): Promise<number> {
  await refuseFromInside('untildone wake');
  const site = await openHere();
  const { checkWake } = await import('#app/waiting/wake-run.ts');
  const waking = await checkWake(site, runId);
  if (waking.kind === 'nothing') return 0;
  const now = `${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  if (waking.kind === 'problem') {
    print(`${now} not woken: ${waking.problem}`);
    return exitCodes.parked;
  }
  const onTaken = (): void => print(`${now} woken${late === undefined ? '' : ` (${late})`}`);
  const { sinceEpoch } = waking;
  return driveHere(site, runId, { isJson: false, onTaken, late: late ?? null, sinceEpoch });
}
