import { printDocument, printJson } from '#surfaces/cli/output.ts';
import { holderName, knownRuns, openHereToRead } from '#surfaces/cli/open-here.ts';
import { listJson, listText } from '#views/status/list.ts';

export async function listCommand(options: { readonly json?: boolean }): Promise<number> {
  const runs = await knownRuns(await openHereToRead());
  const listed = runs.map(({ run, holder }) => ({ run, holder: holderName(holder) }));
  if (options.json === true) printJson(listJson(listed));
  else printDocument(listText(listed));
  return 0;
}
