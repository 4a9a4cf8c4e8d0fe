// Unit tests in modules of product files: the base gets these modules without the product code of the work.
import type { Calibration } from '#kernel/model/calibration.ts';
import { stemOf } from '#analysis/calibration/file-uses.ts';
import type { TestModule, TestModules } from '#analysis/ecosystems/test-facts.ts';
import { testModulesOf } from '#analysis/test-files/inline-test-parts.ts';
import type { TreeChange } from '#ports/trees.ts';
import { type AddedOn, tryAddedTests } from './added-tests.ts';
import { withLocks } from '#runtime/calibration/attribution.ts';
import type { Subject, Trial } from '#runtime/calibration/bench.ts';
import { type Span, taking } from '#runtime/calibration/changed-material.ts';
import { type TestFile, textsIn } from '#runtime/calibration/test-files.ts';

/** Null if no test that came with the work can be separated from the product. */
export async function tryTestModules(
  subject: Subject,
  on: AddedOn,
  inline: readonly TestFile[],
): Promise<Calibration | null> {
  const separated = await separate(on, inline);
  if (separated.length === 0) return null;
  const atBase = await modulesAtBase(on, separated);
  // Other added tests that do not compile on the base would hide that these pass there.
  const material = on.changes.material.filter(({ path }) => testModulesOf(path) === null);
  const added = {
    files: separated.map(({ file }) => file),
    texts: separated.map(({ file, kind, modules }) => ({ path: file.path, text: kind.join('', modules) })),
    toBase: [...taking(withLocks(material, on.changes.rest), on.workTree), ...atBase],
    names: {
      reported: (name: string) => separated.some((one) => isReportedAs(name, one)),
      inFile: ({ path }: TestFile) => separated.find(({ file }) => file.path === path)?.tests ?? [],
    },
  };
  const onBase = atBase.length === 0 ? withoutRoot : null;
  return tryAddedTests(subject, { ...on, onBase }, added);
}

/** Without a root on the base nothing could load a test. */
const withoutRoot: Trial = { verdict: 'fail', output: '', reads: null };

interface Separated {
  readonly file: TestFile;
  readonly kind: TestModules;
  /** The base's file without its test modules; null if the work added the file. */
  readonly oldProduct: string | null;
  readonly modules: readonly TestModule[];
  /** Tests that came with the work, as `module::test`. */
  readonly tests: readonly string[];
}

async function separate(on: Span, inline: readonly TestFile[]): Promise<Separated[]> {
  const before = await textsIn(on, on.baseTree, inline);
  return inline.flatMap((file): Separated[] => {
    const text = before.get(file.path);
    const kind = testModulesOf(file.path);
    const now = kind?.separate(file.text) ?? null;
    const old = text === undefined ? null : (kind?.separate(text) ?? null);
    if (kind === null || now === null || (text !== undefined && old === null)) return [];
    const known = new Set(old?.modules.flatMap(namesIn));
    const tests = now.modules.flatMap(namesIn).filter((name) => !known.has(name));
    return tests.length === 0
      ? []
      : [{ file, kind, oldProduct: old?.product ?? null, modules: now.modules, tests }];
  });
}

function namesIn({ name, tests }: TestModule): string[] {
  return tests.map((test) => `${name}::${test}`);
}

/** In their own file if the base has it; otherwise in a root of the base, under the name of their file. */
async function modulesAtBase(
  { trees, baseTree }: Span,
  separated: readonly Separated[],
): Promise<TreeChange[]> {
  const isRoot = (path: string): boolean => separated.some(({ kind }) => kind.roots.test(path));
  const roots = [...(await trees.list(baseTree)).keys()].filter(isRoot).toSorted();
  const texts = new Map(await trees.read(baseTree, roots));
  const changed = new Map<string, string>();
  for (const { file, kind, oldProduct, modules } of separated)
    if (oldProduct !== null) changed.set(file.path, kind.join(oldProduct, modules));
  for (const { file, kind, oldProduct, modules } of separated) {
    const own = roots.filter((path) => kind.roots.test(path));
    const root = own.find((path) => path.startsWith(kind.rootFolder(file.path))) ?? own[0];
    if (oldProduct !== null || root === undefined) continue;
    const text = changed.get(root) ?? texts.get(root) ?? '';
    changed.set(root, `${text.trimEnd()}\n\n${kind.inRoot(stemOf(file.path), modules)}\n`);
  }
  return [...changed].map(([path, text]) => ({ path, text }));
}

function isReportedAs(name: string, { file: { path }, kind, tests }: Separated): boolean {
  return kind.isReportedAs(name, { path, stem: stemOf(path) }, tests);
}
