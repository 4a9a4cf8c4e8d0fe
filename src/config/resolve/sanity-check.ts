// A run that only shows that agents, logging, markers and the verifier's guard work here.

const sanityWord = 'wiggum-ok';
export const sanityCriterion = 'sanity-file';
/** In the workspace, which is temporary: some agents reach no further. Each checkout has its own. */
const sanityFile = 'wiggum-sanity-test.txt';

export const sanityGoal =
  'Sanity check: show that the builder, the verifier and everything between them work.';

export const sanityPrompts: { readonly [role: string]: string } = {
  builder: `This is a sanity check of the tool that runs you. Create the file ${sanityFile} with exactly this content: ${sanityWord}
Change nothing else. Then end your last message with the marker {{done}} on a line of its own.`,
  verifier: `This is a sanity check of the tool that runs you. Read the file ${sanityFile} without changing anything. If its content is exactly ${sanityWord}, end your last message with the marker {{done}} on a line of its own. Otherwise say between <{{tag}}> and </{{tag}}> what you found.`,
};

/** We read the file ourselves: an agent's claim alone proves nothing. */
export function sanityCheckCommand(): string {
  const script = `process.exit(require('fs').readFileSync('${sanityFile}','utf8').trim()==='${sanityWord}'?0:1)`;
  return `${quoted(process.execPath)} -e ${quoted(script)}`;
}

function quoted(text: string): string {
  return process.platform === 'win32'
    ? `"${text.replaceAll('"', '\\"')}"`
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
