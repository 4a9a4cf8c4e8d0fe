// Finds packages that Node, its test runners, bundlers or the TypeScript compiler could not find. Pure.
import type { RedCause } from '#kernel/model/criterion.ts';
import { namesIn, type Names, packageNamed } from './import-names.ts';
import type { RedCheck } from '#analysis/why-red/red-check.ts';

const unresolved =
  /Cannot find (?:package|module) ['"]([^'"\n]+)['"]|Failed to resolve import "([^"\n]+)" from|Failed to load url (\S+) \(resolved id|Could not resolve "([^"\n]+)"|Can't resolve '([^'\n]+)' in/;

/**
 * The first package that does not resolve; null if only files of the repository are missing.
 * Contract: if only a message names a package, but another error ended the check, it is only suspicious.
 */
export function missingNodePackage(check: RedCheck): RedCause | null {
  const lines = check.output.split('\n');
  const found = lines.flatMap((line, at) => {
    const specifier = unresolved
      .exec(line)
      ?.slice(1)
      .find((group) => group !== undefined);
    return specifier === undefined ? [] : [{ specifier, at }];
  });
  if (found.length === 0) return null;
  const known = namesIn(check);
  const isEnding = endingsOf(lines);
  let doubt: RedCause | null = null;
  for (const { specifier, at } of found.slice(0, foundMax)) {
    const name = missingIn(known, specifier);
    if (name === null) continue;
    const text = clauseFor(name, known.declared);
    if (isEnding(at)) return { kind: 'missing-package', text };
    doubt ??= { kind: 'suspicious', text };
  }
  return doubt;
}

const foundMax = 200;

/** The package of a specifier, if no file of the work can provide it. */
function missingIn(known: Names, specifier: string): string | null {
  const name = packageNamed(specifier);
  if (name === null || known.aliases.some((matches) => matches(specifier))) return null;
  if (known.linked.has(name)) return specifier === name ? name : null;
  if (known.own.has(name)) return null;
  if (known.declared.has(name)) return name;
  // A file of the work, named from a tool's root folder.
  const isFile = /\.(?:[cm]?[jt]sx?|json|vue|svelte|css)$|\/.*\.\w{2,5}$/.test(specifier);
  const isInstalled = specifier.includes('/node_modules/');
  if (isFile && !isInstalled && !name.startsWith('@')) return null;
  return known.scopes.has(name.split('/')[0] ?? '') ? null : name;
}

/** The line with the name of an error; a runner may indent it or prefix a sign. */
const headline = /^[\s>|#✖×]*(?:Exception during run: |Uncaught )?(?:[A-Z]\w*)?[Ee]rror(?: \[\w+\])?:(?: |$)/;
/** Tool messages for a file that did not load; a program does not print these itself. */
const loadFailure =
  /Failed to resolve import|Failed to load url|Could not resolve "|Can't resolve '|error TS\d+:|or its corresponding type declarations/;
const failedFile = /^\s*(?:FAIL\s|● Test suite failed to run)/;
const nodeEnds = /^[\s#]*Node\.js v\d/;

/** Decides whether the error of a line ended a process or the load of a test file. */
function endingsOf(lines: readonly string[]): (at: number) => boolean {
  const ended = new Set<number>();
  let last = -1;
  for (const [at, line] of lines.entries()) {
    if (headline.test(line)) last = at;
    if (nodeEnds.test(line) && last >= 0) ended.add(last);
  }
  const isOther = (line: string): boolean => headline.test(line) && !unresolved.test(line);
  const lastOther = lines.findLastIndex(isOther);
  return (at) => {
    const line = lines[at] ?? '';
    if (loadFailure.test(line) || lines.slice(Math.max(0, at - 3), at).some((one) => failedFile.test(one)))
      return true;
    // Node prints its version after the error that ended it: the last one above.
    if (ended.size > 0) return ended.has(at);
    return (headline.test(line) || /['"] from ['"]|imported from/.test(line)) && lastOther < at;
  };
}

/** The package of a program that a script calls by name. */
export function packageOfProgram(check: RedCheck, program: string): string | null {
  const { declared } = namesIn(check);
  const candidates = [program, ...(programs[program] ?? [])];
  const name = candidates.find((one) => declared.has(one));
  return name === undefined ? null : clauseFor(name, declared);
}

function clauseFor(name: string, declared: ReadonlyMap<string, string>): string {
  const where = declared.get(name);
  return where === undefined
    ? `the package "${name}" is not installed, and no package.json declares it`
    : `the package "${name}" is declared in ${where} and not installed`;
}

/** Programs whose name differs from their package. */
const programs: { readonly [program: string]: readonly string[] } = {
  tsc: ['typescript'],
  playwright: ['@playwright/test'],
  biome: ['@biomejs/biome'],
  ng: ['@angular/cli'],
  babel: ['@babel/cli'],
  webpack: ['webpack-cli'],
  'run-s': ['npm-run-all', 'npm-run-all2'],
  'run-p': ['npm-run-all', 'npm-run-all2'],
};
