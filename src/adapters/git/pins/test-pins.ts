// Pins tests that no name rule finds: by their texts, through links, and the data that tests name.
import { namesProduct } from '#analysis/ecosystems/setup/setup-files.ts';
import { posix } from 'node:path';
import { testStarters } from '#analysis/test-files/shell-tests.ts';
import { isTest, scenarioFiles } from '#analysis/test-files/test-names.ts';
import { isCode } from '#analysis/tampering/test-material.ts';
import { isReadableTest, isTestText } from '#analysis/test-files/test-texts.ts';
import type { Pin } from '#kernel/model/criterion.ts';
import { isTestData } from '#analysis/tampering/pins/named-work.ts';
import { isDependency, testWhy, whyPinned } from '#analysis/tampering/pins/pin-rules.ts';
import type { TreeGround } from '#adapters/git/trees/pin-tree.ts';
import { dataOfTest, isNamedByProduct, isNamedIn, isPlainData } from '#analysis/tampering/pins/data-pins.ts';
import { type Links, linksIn, resolvePath } from '#analysis/tampering/pins/links.ts';
import { objectOf, readTexts } from '#adapters/git/trees/read-texts.ts';

type Files = ReadonlyMap<string, string>;

export interface TestTexts {
  readonly links: Links;
  /** Of tests by name, of files that could be tests by their text, and of the product. */
  readonly texts: ReadonlyMap<string, string>;
  /** By object: of all these and of the files that say how checks run. */
  readonly byObject: ReadonlyMap<string, string>;
}

/** Scripts and the manifests that name them. */
export const sayingHow =
  /(^|\/)(package\.json|GNUmakefile|[Mm]akefile|\.?[Jj]ustfile|Taskfile\.ya?ml|[^/]+\.sh)$/;

/** Contract: the number of git processes does not grow with the number of files. */
export async function readTests(ground: TreeGround, files: Files): Promise<TestTexts> {
  const links = [...files].filter(([, file]) => file.startsWith('120000'));
  const plain = [...files].filter(([path, file]) => file.startsWith('100') && !isBrought(path));
  const tests = plain.filter(([path]) => isTest(path));
  const others = plain.filter(
    ([path, file]) => !isTest(path) && (isReadableTest(path) || isProduct(path) || isProgram(path, file)),
  );
  const manifests = plain.filter(([path]) => sayingHow.test(path));
  const read = await readTexts(
    ground,
    [...links, ...manifests, ...tests, ...others].map(([, file]) => file),
  );
  const texts = (of: readonly [string, string][]): [string, string][] =>
    of.flatMap(([path, file]): [string, string][] => {
      const text = read.get(objectOf(file));
      return text === undefined ? [] : [[path, text]];
    });
  return { links: linksIn(texts(links)), texts: new Map(texts([...tests, ...others])), byObject: read };
}

function isProduct(path: string): boolean {
  return isCode(path) || namesProduct(path) || /(^|\/)(Dockerfile|[Mm]akefile)$/.test(path);
}

/** A script may have no suffix; its first line names its interpreter. */
function isProgram(path: string, file: string): boolean {
  return file.startsWith('100755') && !posix.basename(path).includes('.');
}

/** Third-party code: its tests do not run here. */
function isBrought(path: string): boolean {
  return isDependency(path) || /(^|\/)(vendor|third_party|site-packages)\//.test(path);
}

/** `goals`: the purpose of the work, as a person wrote it. Data that they name belongs to the work. */
export function testPins(files: Files, { links, texts }: TestTexts, goals: readonly string[]): Pin[] {
  const paths = [...files.keys()];
  const byText = [...texts].filter(([path, text]) => isTestText(path, text)).map(([path]) => path);
  const found = new Map(
    [...byText, ...testStarters(texts), ...scenarioFiles(paths)].map((path) => [path, testWhy]),
  );
  const add = (path: string, why: string): void => {
    if (!found.has(path) && files.has(path)) found.set(path, why);
  };
  for (const link of links.keys()) for (const [path, why] of ofLink(link, files, links)) add(path, why);
  const isPinned = (path: string): boolean => found.has(path) || isTest(path);
  for (const link of links.keys())
    if (isPinned(resolvePath(links, link)?.path ?? '')) add(link, 'leads to a test');
  for (const [path, test] of dataPins(paths, texts, isPinned))
    if (!isNamedIn(goals, path)) add(path, `data of the test ${test}`);
  return [...found].map(([path, why]) => ({ path, hash: files.get(path) ?? '', why }));
}

// More data than this lies in folders with a test name.
const plainMax = 100;

/** Maps each data file to a test that names it. */
function dataPins(
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
  isPinned: (path: string) => boolean,
): Map<string, string> {
  const data = paths.filter((path) => (isTestData(path) || isPlainData(path)) && !isTest(path));
  const found = new Map<string, string>();
  for (const [test, text] of texts)
    if (isPinned(test)) for (const path of dataOfTest(test, text, data)) found.set(path, test);
  const product = [...texts].filter(([path]) => !isPinned(path)).map(([, text]) => text);
  const unclear = [...found.keys()].filter((path) => !isTestData(path));
  for (const [at, path] of unclear.entries())
    if (at >= plainMax || isNamedByProduct(path, product)) found.delete(path);
  return found;
}

/**
 * The target of a link with a pinned name, and of a link to a folder of tests. A link from a test folder to
 * the sources (`test/lib` to `src`) has no such name.
 */
function ofLink(link: string, files: Files, links: Links): (readonly [path: string, why: string])[] {
  const path = resolvePath(links, link)?.path;
  if (path === undefined) return [];
  const name = posix.basename(link);
  if (files.has(path)) {
    const why = whyPinned(name) ?? (isTest(link) && isTestData(path) ? testWhy : null);
    return why === null ? [] : [[path, why]];
  }
  const below = [...files.keys()].filter((each) => each.startsWith(`${path}/`));
  const isTests = isTest(`${name}/x`) || (isTest(link) && isTestData(`${name}/x`));
  if (isTests) return [link, ...below].map((each) => [each, testWhy]);
  return isTest(`${path}/x`) ? [[link, 'leads to tests']] : [];
}
