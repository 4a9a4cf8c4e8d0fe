import { exitCodes } from '#kernel/model/outcome.ts';
import { abortOnInterrupt } from '#surfaces/cli/abort-on-interrupt.ts';
import { print, printJson, printNote } from '#surfaces/cli/output.ts';
import { newestOver } from '#surfaces/cli/pick/newest-over.ts';
import { openHere } from '#surfaces/cli/open-here.ts';
import { verificationText } from '#views/report/verification-text.ts';

export interface VerifyCommandOptions {
  readonly signature?: boolean;
  readonly json?: boolean;
}

export async function verifyCommand(
  name: string | undefined,
  options: VerifyCommandOptions,
): Promise<number> {
  const { findProof } = await import('#app/prove/find-proof.ts');
  const { verifyProof } = await import('#app/prove/verify.ts');
  const site = await openHere();
  const proof = await findProof(site, name ?? (await newestOver(site)));
  const interrupt = abortOnInterrupt();
  const found = await verifyProof(site, proof, {
    signal: interrupt.signal,
    onNote: (text) => printNote(`note: ${text}`),
  }).finally(() => interrupt.dispose());
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
  if (isRefused) print('❌ A signature was asked for (--signature), and there is no valid one.');
  return exitCode;
}
