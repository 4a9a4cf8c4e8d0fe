import { pickRun } from '#surfaces/cli/pick-run.ts';
import { print, printJson } from '#surfaces/cli/output.ts';
import { holderName, openHere } from '#surfaces/cli/site.ts';
import { stateJson } from '#views/state-json.ts';
import { statusText } from '#views/status.ts';

export async function statusCommand(
  name: string | undefined,
  options: { readonly json?: boolean },
): Promise<number> {
  const { run, holder } = await pickRun(await openHere(), name, true);
  if (options.json === true) printJson({ ...stateJson(run), holder });
  else print(statusText(run, { holder: holderName(holder) }));
  return 0;
}
