// Decides why a check is red before the work: the work, a program or a package is missing. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { reportIn } from '#analysis/output/excerpt.ts';
import { linesOf } from '#analysis/test-runners/reports.ts';
import type { RedCause } from '#kernel/model/criterion.ts';
import { missingProgram } from './own-program.ts';
import type { RedCheck } from './red-check.ts';

/**
 * Contract: null for an ordinary red. Tests that were written first fail by an assertion, or miss a file, a
 * package or an alias of the repository itself: that is never a missing package.
 */
export function whyRed(red: RedCheck): RedCause | null {
  const check = { ...red, output: linesOf(red.output).join('\n') };
  const causes = [missingProgram(check), missingPackage(check)].filter((one) => one !== null);
  const cause = causes.find(({ kind }) => kind !== 'suspicious') ?? causes[0];
  if (cause === undefined) return doubtful(check.output);
  // If assertions decide, the setup works for some tests, and the message may come from a test.
  const isDecided = reportIn(check.output).failed.some(({ cause: why }) => why === 'assertion');
  return isDecided && cause.kind === 'missing-package' ? { ...cause, kind: 'suspicious' } : cause;
}

const setups = factsOf('setup');
const declaring = setups.flatMap((each) => each.declaring ?? []);
const missing = setups.flatMap((each) => each.missing ?? []);

/** Whether a file may declare a dependency, or a name for imports between files of the repository. */
export function isManifest(path: string): boolean {
  return declaring.some((pattern) => pattern.test(path));
}

function missingPackage(check: RedCheck): RedCause | null {
  const causes = missing.flatMap((language) => language(check) ?? []);
  return causes.find(({ kind }) => kind !== 'suspicious') ?? causes[0] ?? null;
}

/** Messages of a broken machine or setup; a test may print them as well. */
const troubles = new RegExp(
  `^.*(?:${[
    /Cannot connect to the Docker daemon|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|Temporary failure in name resolution/,
    /connect ECONNREFUSED|No space left on device|ENOSPC|EACCES: permission denied|error while loading shared libraries/,
    ...setups.flatMap((each) => each.troubles ?? []),
  ]
    .map(({ source }) => source)
    .join('|')}).*$`,
  'm',
);

const lineMax = 200;

function doubtful(output: string): RedCause | null {
  const line = troubles.exec(output)?.[0].trim();
  return line === undefined
    ? null
    : { kind: 'suspicious', text: `its output says "${line.slice(0, lineMax)}"` };
}
