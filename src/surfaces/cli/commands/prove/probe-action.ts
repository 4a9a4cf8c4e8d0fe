import type { ProbeOptions } from '#app/prove/probe.ts';
import { exitCodes } from '#kernel/model/outcome.ts';
import { OperatorError } from '#base/operator-error.ts';
import { abortOnInterrupt } from '#surfaces/cli/abort-on-interrupt.ts';
import { pickProof } from '#surfaces/cli/pick/pick-proof.ts';
import { print, printJson, printNote } from '#surfaces/cli/output.ts';
import { busy } from '#surfaces/cli/render/busy.ts';
import { isWeak, type ProbedMutant, probingText } from '#views/report/probing.ts';

export interface ProbeCommandOptions {
  readonly mutants: string;
  readonly seed: string;
  readonly json?: boolean;
}

export async function probeCommand(name: string | undefined, options: ProbeCommandOptions): Promise<number> {
  const mutantsMax = wholeNumber('--mutants', options.mutants, 1);
  const seed = wholeNumber('--seed', options.seed, 0);
  const { probeProof } = await import('#app/prove/probe.ts');
  const { site, proof } = await pickProof(name);
  const interrupt = abortOnInterrupt();
  const order = {
    mutantsMax,
    seed,
    signal: interrupt.signal,
    onNote: (text: string) => printNote(`note: ${text}`),
    onMutant: ({ path, line, what, noticedBy }: ProbedMutant) =>
      printNote(`${noticedBy.length === 0 ? 'unnoticed' : 'noticed'}: ${path}:${line} ${what}`),
  } satisfies ProbeOptions;
  const found = await busy('mutation-testing the new code', () => probeProof(site, proof, order)).finally(
    () => interrupt.dispose(),
  );
  if (found === null) {
    printNote('Interrupted. There is no result.');
    return exitCodes.stopped;
  }
  const exitCode = isWeak(found) ? exitCodes.failed : exitCodes.completed;
  if (options.json === true) printJson({ ...found, exitCode });
  else print(probingText(found));
  return exitCode;
}

function wholeNumber(flag: string, text: string, min: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (value >= min) return value;
  throw new OperatorError(
    'usage',
    `${flag} takes a whole number from ${min} on, not "${text}".`,
    `For example ${flag} 20.`,
  );
}
