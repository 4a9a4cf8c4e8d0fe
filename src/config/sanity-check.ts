// A run whose only purpose is to show that agents, logging, markers and the verifier's guard work here.
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const sanityWord = 'wiggum-ok';
export const sanityCriterion = 'sanity-file';
const sanityName = 'wiggum-sanity-test.txt';

/** Outside every repository; or in the workspace, where that is a temporary one: some agents reach no further. */
type SanityPlace = 'temporary' | 'workspace';

/** In the workspace a relative path: each checkout has its own. */
export function sanityFile(place: SanityPlace): string {
  return place === 'temporary' ? join(tmpdir(), sanityName) : sanityName;
}

export const sanityGoal =
  'Sanity check: show that the builder, the verifier and everything between them work.';

export function sanityPrompts(place: SanityPlace): { readonly [role: string]: string } {
  const file = sanityFile(place);
  return {
    builder: `This is a sanity check of the tool that runs you. Create the file ${file} with exactly this content: ${sanityWord}
Change nothing else. Then end your last message with the marker {{done}} on a line of its own.`,
    verifier: `This is a sanity check of the tool that runs you. Read the file ${file} without changing anything. If its content is exactly ${sanityWord}, end your last message with the marker {{done}} on a line of its own. Otherwise say between <{{tag}}> and </{{tag}}> what you found.`,
  };
}

/** Our own look at the file: an agent's word alone shows nothing. */
export function sanityCheckCommand(place: SanityPlace): string {
  const script = `process.exit(require('fs').readFileSync(${JSON.stringify(sanityFile(place))},'utf8').trim()==='${sanityWord}'?0:1)`;
  return `${quoted(process.execPath)} -e ${quoted(script)}`;
}

/** What an earlier one left would make this one green before it began. */
export async function clearSanityFile(): Promise<void> {
  await rm(sanityFile('temporary'), { force: true });
}

function quoted(text: string): string {
  return process.platform === 'win32'
    ? `"${text.replaceAll('"', '\\"')}"`
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
