// Decides which files are tests by their text, where the path does not show it. Pure.
//
// A test file uses a test library *and* defines tests, at the outermost level where the language has one, and
// offers nothing to others. Product code that mentions a library, helpers for tests, the sources of a test
// framework and product code with its own tests in the same file have at most two of the three. In a file
// with an ambiguous name (`src/sum-test.js`) a library or a definition is enough. Rust keeps tests inside
// product files: they are pinned one by one, and never as files.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { isShellTest } from './shell-tests.ts';
import { isAmbiguousTestName } from './test-names.ts';

const languages = factsOf('tests').flatMap((each) => each.texts ?? []);

/** Whether the text of such a file could make it a test. */
export function isReadableTest(path: string): boolean {
  return languages.some(({ files }) => files.test(path));
}

/** Alone no proof: helpers for tests, and product code with its own tests, do so as well. */
export function loadsTestLibrary(path: string, text: string): boolean {
  return languages.some(({ files, library }) => files.test(path) && library.test(text));
}

export function definesTests(path: string, text: string): boolean {
  return languages.some(({ files, defines }) => files.test(path) && defines.test(text));
}

export function isTestText(path: string, text: string): boolean {
  if (isShellTest(path, text)) return true;
  const language = languages.find(({ files }) => files.test(path));
  if (language === undefined) return false;
  const { library, words, defines, offers } = language;
  const isUsing = library.test(text) || words?.test(text) === true;
  const isDefining = defines.test(text);
  const isLikely = isAmbiguousTestName(path) ? isUsing || isDefining : isUsing && isDefining;
  return isLikely && offers?.(text) !== true;
}
