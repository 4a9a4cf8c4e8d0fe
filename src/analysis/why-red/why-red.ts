// Why a check is red before the work: for want of the work, or for want of a program or a package that no work brings. Pure.
import { reportIn } from '#analysis/output/excerpt.ts';
import { linesOf } from '#analysis/test-runners/reports.ts';
import type { RedCause } from '#kernel/model/criterion.ts';
import { missingNodePackage } from './node.ts';
import { otherLanguages } from './others.ts';
import { missingProgram } from './own-program.ts';
import { missingPythonModule } from './python.ts';
import type { RedCheck } from './red-check.ts';

/**
 * Contract: null for an ordinary red. Tests that were written first fail by an assertion, or miss a file, a package or an
 * alias of the repository itself: that is never a missing package.
 */
export function whyRed(given: RedCheck): RedCause | null {
  const check = { ...given, output: linesOf(given.output).join('\n') };
  const causes = [missingProgram(check), missingPackage(check)].filter((one) => one !== null);
  const cause = causes.find(({ kind }) => kind !== 'suspicious') ?? causes[0];
  if (cause === undefined) return doubtful(check.output);
  // Where assertions decide, the set-up works for some tests, and the words may be those of a test.
  const isDecided = reportIn(check.output).failed.some(({ cause: why }) => why === 'assertion');
  return isDecided && cause.kind === 'missing-package' ? { ...cause, kind: 'suspicious' } : cause;
}

function missingPackage(check: RedCheck): RedCause | null {
  const causes = [missingNodePackage(check), missingPythonModule(check)].filter((one) => one !== null);
  const certain = causes.find(({ kind }) => kind !== 'suspicious');
  if (certain !== undefined) return certain;
  for (const language of otherLanguages) {
    const text = language(check);
    if (text !== null) return { kind: 'missing-package', text };
  }
  return causes[0] ?? null;
}

/** Words of a machine or a set-up in trouble; a test may print them as well. */
const troubles =
  /^.*(?:Missing script: |Cannot find type definition file for |could not determine executable to run|npx canceled due to missing packages|npm (?:error|ERR!) 404 +Not Found - |ENOENT[^\n]*package\.json|Cannot connect to the Docker daemon|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|Temporary failure in name resolution|connect ECONNREFUSED|No space left on device|ENOSPC|EACCES: permission denied|Unsupported engine|requires Node|go: cannot find main module|go\.mod file not found|does not contain (?:main module|modules listed in go\.work)|Could not create local repository|requires a project to execute but there is no POM|Could not find or load main class|error while loading shared libraries).*$/m;

const lineMax = 200;

function doubtful(output: string): RedCause | null {
  const line = troubles.exec(output)?.[0].trim();
  return line === undefined
    ? null
    : { kind: 'suspicious', text: `its output says "${line.slice(0, lineMax)}"` };
}
