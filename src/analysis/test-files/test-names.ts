// Decides which files are tests, by path: the default names of runners, and the folders of tests. Pure.
//
// A name that product code has as well (`src/commands/test.ts`, `src/main/…/TestResult.java`) counts only
// outside of source folders; inside them the text decides, see test-texts.ts.

import { factsOf } from '#analysis/ecosystems/ecosystems.ts';

const tests = factsOf('tests');
const script = '[cm]?[jt]sx?';
const native = 'c|cc|cpp|cxx|m|mm';

/** Any file below one of these. */
const folders: readonly RegExp[] = [
  /(^|\/)(__tests__|__mocks__|__snapshots__|__fixtures__|tests?|specs?|e2e|cypress|testdata)\//,
  /(^|\/)src\/(test|androidTest|integrationTest)\//,
  /(^|\/)(unit|integration|functional|acceptance|e2e|system|smoke|regression)([-_]tests?|tests)\//,
  // Swift, PHP and .NET: `Tests/`, `App.Tests/`, `App.IntegrationTests/`.
  /(^|\/)([^/]+\.)?(Unit|Integration|Functional|Acceptance|UI)?Tests\/|\.Test\//,
  /^(testing|x?t)\//,
  /\.(test|spec)\.[^/]+-snapshots\//,
];

const files: readonly RegExp[] = [
  /\.(test|spec)\.[^/]+$/,
  /\.feature$/,
  ...tests.flatMap((each) => each.files ?? []),
  // References for comparison that a person accepted once.
  /\.(snap|ambr|golden)$|\.(approved|verified)\.[^/]+$/,
];

/** Test names that product code has as well. */
const ambiguous: readonly RegExp[] = [
  new RegExp(String.raw`(^|\/)tests?\.(${script}|${native}|ml|sh)$`),
  new RegExp(String.raw`[_-]tests?\.(${script}|sh)$|-tests?\.(${native}|py|rb|ml)$`),
  // `test-utils.ts` is a library for tests, and often a product.
  new RegExp(
    String.raw`(^|\/)test-(?!(utils?|helpers?|kit|tools?|support|doubles?)\.)[^/]+\.(${script}|${native}|ml|sh)$`,
  ),
  /(^|\/)testsuites?\//,
];

/** The same, for languages whose build tools keep product code in a separate folder. */
const ambiguousClasses = tests.flatMap((each) => each.classes ?? []);
const mainClasses = /(^|\/)src\/main\//;

/** Folders of product code, where an ambiguous name proves nothing. */
const sources =
  /(^|\/)(src|lib|app|pkg|cmd|internal|sources?|commands?|cli|routes?|pages?|views?|components?|controllers?|models?|api|public|docs?|examples?)\//;

export function isTest(path: string): boolean {
  const isOneOf = (patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(path));
  if (isOneOf(folders) || isOneOf(files)) return true;
  return (
    (isOneOf(ambiguous) && !sources.test(path)) || (isOneOf(ambiguousClasses) && !mainClasses.test(path))
  );
}

export function isAmbiguousTestName(path: string): boolean {
  return [...ambiguous, ...ambiguousClasses].some((pattern) => pattern.test(path));
}

/** Scenarios of Cucumber and their code: all files of a `features` folder that holds a `.feature`. */
export function scenarioFiles(paths: readonly string[]): string[] {
  const roots = new Set(
    paths.flatMap((path) => (path.endsWith('.feature') ? (/^(.*\/)?features\//.exec(path)?.[0] ?? []) : [])),
  );
  return roots.size === 0 ? [] : paths.filter((path) => [...roots].some((root) => path.startsWith(root)));
}
