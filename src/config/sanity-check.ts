// A run whose only purpose is to show that agents, logging, markers and the verifier's guard work here.
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const sanityWord = 'wiggum-ok';

export function sanityFile(): string {
  return join(tmpdir(), 'wiggum-sanity-test.txt');
}

export const sanityGoal =
  'Sanity check: show that the builder, the verifier and everything between them work.';

export function sanityPrompts(): { readonly [role: string]: string } {
  return {
    builder: `This is a sanity check of the tool that runs you. Create the file ${sanityFile()} with exactly this content: ${sanityWord}
Change nothing else. Then end your last message with the marker {{done}} on a line of its own.`,
    verifier: `This is a sanity check of the tool that runs you. Read the file ${sanityFile()} without changing anything. If its content is exactly ${sanityWord}, end your last message with the marker {{done}} on a line of its own. Otherwise say between <{{tag}}> and </{{tag}}> what you found.`,
  };
}

/** Our own look at the file: an agent's word alone shows nothing. */
export function sanityCheckCommand(): string {
  const script = `process.exit(require('fs').readFileSync(${JSON.stringify(sanityFile())},'utf8').trim()==='${sanityWord}'?0:1)`;
  return `${quoted(process.execPath)} -e ${quoted(script)}`;
}

/** What an earlier one left would make this one green before it began. */
export async function clearSanityFile(): Promise<void> {
  await rm(sanityFile(), { force: true });
}

function quoted(text: string): string {
  return process.platform === 'win32'
    ? `"${text.replaceAll('"', '\\"')}"`
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
