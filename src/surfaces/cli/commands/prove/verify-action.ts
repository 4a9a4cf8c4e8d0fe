import { exitCodes } from '#kernel/model/outcome.ts';
import { abortOnInterrupt } from '#surfaces/cli/abort-on-interrupt.ts';
import { print, printJson, printNote } from '#surfaces/cli/output.ts';
import { pickProof } from '#surfaces/cli/pick/pick-proof.ts';
import { busy, busyChecks } from '#surfaces/cli/render/busy.ts';
import { verificationText } from '#views/report/verification-text.ts';

export interface VerifyCommandOptions {
  readonly signature?: boolean;
  readonly json?: boolean;
}

export async function verifyCommand(
  name: string | undefined,
  options: VerifyCommandOptions,
): Promise<number> {
  const { verifyProof } = await import('#app/prove/verify.ts');
  const { site, proof } = await pickProof(name);
  const interrupt = abortOnInterrupt();
  const onNote = (text: string): void => printNote(`note: ${text}`);
  const how = { signal: interrupt.signal, onNote, ...busyChecks() };
  const found = await busy('verifying on a clean checkout', () => verifyProof(site, proof, how)).finally(() =>
    interrupt.dispose(),
  );
  if (found === null) {
    printNote('Interrupted: nothing is verified.');
    return exitCodes.stopped;
  }
  const isSigned = found.signature?.kind === 'good';
  const isRefused = options.signature === true && !isSigned;
  const exitCode = found.isProven && !isRefused ? exitCodes.completed : exitCodes.failed;
  if (options.json === true) {
    printJson({ ...found, isSignatureRequired: options.signature === true, exitCode });
    return exitCode;
  }
  print(verificationText(found));
  if (isRefused) print('❌ There is no valid signature, which --signature requires.');
  return exitCode;
}
