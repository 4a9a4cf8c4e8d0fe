// Unit tests in Rust that came with the work: the base gets their modules without the product code of the work.
import type { Calibration } from '#kernel/model/calibration.ts';
import { stemOf } from '#analysis/calibration/file-uses.ts';
import { type RustModule, separateRust, withModules } from '#analysis/test-files/inline-test-parts.ts';
import type { TreeChange } from '#ports/trees.ts';
import { type AddedOn, tryAddedTests } from './added-tests.ts';
import { withLocks } from '#runtime/calibration/attribution.ts';
import type { Subject, Trial } from '#runtime/calibration/bench.ts';
import { type Span, taking } from '#runtime/calibration/changed-material.ts';
import type { TestFile } from '#runtime/calibration/test-files.ts';

/** Null where no test that came with the work can be separated from the product. */
export async function tryInRust(
  subject: Subject,
  on: AddedOn,
  inline: readonly TestFile[],
): Promise<Calibration | null> {
  const separated = await separate(on, inline);
  if (separated.length === 0) return null;
  const atBase = await modulesAtBase(on, separated);
  // Other added tests that do not compile on the base would hide that these pass there.
  const material = on.changes.material.filter(({ path }) => !path.endsWith('.rs'));
  const added = {
    files: separated.map(({ file }) => file),
    texts: separated.map(({ file, modules }) => ({ path: file.path, text: withModules('', modules) })),
    toBase: [...taking(withLocks(material, on.changes.rest), on.workTree), ...atBase],
    names: {
      reported: (name: string) => separated.some((one) => isReportedAs(name, one)),
      inFile: ({ path }: TestFile) => separated.find(({ file }) => file.path === path)?.tests ?? [],
    },
  };
  const onBase = atBase.length === 0 ? withoutCrate : null;
  return tryAddedTests(subject, { ...on, onBase }, added);
}

/** Without a crate on the base there is nothing that could load a test. */
const withoutCrate: Trial = { verdict: 'fail', output: '', reads: null };

interface Separated {
  readonly file: TestFile;
  /** The file on the base without its modules of tests; null where the work added it. */
  readonly oldProduct: string | null;
  readonly modules: readonly RustModule[];
  /** Those that came with the work, as `module::test`. */
  readonly tests: readonly string[];
}

async function separate({ trees, baseTree }: Span, inline: readonly TestFile[]): Promise<Separated[]> {
  const before = await trees.read(
    baseTree,
    inline.map(({ path }) => path),
  );
  return inline.flatMap((file): Separated[] => {
    const text = before.get(file.path);
    const now = separateRust(file.path, file.text);
    const old = text === undefined ? null : separateRust(file.path, text);
    if (now === null || (text !== undefined && old === null)) return [];
    const known = new Set(old?.modules.flatMap(namesIn));
    const tests = now.modules.flatMap(namesIn).filter((name) => !known.has(name));
    return tests.length === 0
      ? []
      : [{ file, oldProduct: old?.product ?? null, modules: now.modules, tests }];
  });
}

function namesIn({ name, tests }: RustModule): string[] {
  return tests.map((test) => `${name}::${test}`);
}

/** In their own file where the base has it; else in a root of the base, under the name of their file. */
async function modulesAtBase(
  { trees, baseTree }: Span,
  separated: readonly Separated[],
): Promise<TreeChange[]> {
  const roots = [...(await trees.list(baseTree)).keys()].filter((path) => crateRoot.test(path)).toSorted();
  const texts = new Map(await trees.read(baseTree, roots));
  const changed = new Map<string, string>();
  for (const { file, oldProduct, modules } of separated)
    if (oldProduct !== null) changed.set(file.path, withModules(oldProduct, modules));
  for (const { file, oldProduct, modules } of separated) {
    const crate = file.path.replace(/(^|\/)src\/.*$/, '$1src/');
    const root = roots.find((path) => path.startsWith(crate)) ?? roots[0];
    if (oldProduct !== null || root === undefined) continue;
    const text = changed.get(root) ?? texts.get(root) ?? '';
    const module = `#[cfg(test)]\nmod ${stemOf(file.path)} {\n${withModules('', modules)}}`;
    changed.set(root, `${text.trimEnd()}\n\n${module}\n`);
  }
  return [...changed].map(([path, text]) => ({ path, text }));
}

const crateRoot = /(^|\/)src\/(lib|main)\.rs$/;

/** cargo reports `file::module::test`; nextest puts the crate in front. */
function isReportedAs(name: string, { file, tests }: Separated): boolean {
  const isRoot = crateRoot.test(file.path) || /(^|\/)src\/bin\//.test(file.path);
  const [reported = ''] = name.split(' ').slice(-1);
  return tests.some((test) => {
    const [module = '', own = ''] = test.split('::');
    const before = isRoot ? '' : String.raw`(?:\w+::)*${stemOf(file.path)}::`;
    return new RegExp(String.raw`^${before}${module}::(?:\w+::)*${own}$`).test(reported);
  });
}
