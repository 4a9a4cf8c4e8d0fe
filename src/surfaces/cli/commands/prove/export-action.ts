import { OperatorError } from '#base/operator-error.ts';
import { printDocument, printNote } from '#surfaces/cli/output.ts';
import { pickProof } from '#surfaces/cli/pick/pick-proof.ts';
import { writeOutput } from '#surfaces/cli/write-output.ts';

export interface ExportOptions {
  readonly format?: string;
  readonly sign?: boolean;
  readonly note?: boolean;
  readonly output?: string;
}

export async function exportCommand(name: string | undefined, options: ExportOptions): Promise<number> {
  if (options.format !== undefined && options.format !== 'in-toto')
    throw new OperatorError(
      'unknown-format',
      `There is no format "${options.format}".`,
      'The only format is in-toto.',
    );
  const { refuseFromInside } = await import('#surfaces/cli/guard.ts');
  if (options.note === true || options.sign === true) await refuseFromInside('untildone export');
  const { attestationText, exportProof, keepAttestation } = await import('#app/prove/keep-proof.ts');
  const { site, proof } = await pickProof(name);
  const made = await exportProof(site, proof, options.sign === true);
  if (options.note === true) {
    await keepAttestation(site, proof.subject.commit, made);
    printNote(`Attached to ${proof.subject.commit.slice(0, 12)} in refs/notes/untildone.`);
  }
  const text = await attestationText(made);
  if (options.output !== undefined) {
    await writeOutput(options.output, text);
    printNote(`Wrote ${options.output}`);
  } else if (options.note !== true) printDocument(text.trimEnd());
  return 0;
}
