// Files of the work that no test can prove anything by: data, code that the tests only read, and constants that nothing uses.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { namesProduct } from '#analysis/ecosystems/setup/setup-files.ts';
import { holdsOnlyConstants } from '#analysis/calibration/constants-only.ts';
import { loadsModule, stemOf, useOf } from '#analysis/calibration/file-uses.ts';
import { isCode } from '#analysis/tampering/test-material.ts';
import { names, namesStem } from '#analysis/texts/path-words.ts';
import { isTest } from '#analysis/test-files/test-names.ts';
import type { SourceText } from '#analysis/test-runners/test-runner.ts';
import type { Subject } from '#runtime/calibration/bench.ts';
import { type Change, type Changes, goalOf, type Span } from '#runtime/calibration/changed-material.ts';

export interface InertFiles {
  readonly files: readonly Change[];
  /** Files of these kinds that the goal asks for: they are work. */
  readonly asked: readonly Change[];
  /** New modules of nothing but constants that no product file uses. */
  readonly constants: readonly Change[];
  /** Of the files, one that surely is there for the tests alone; null where none is. */
  readonly marker: Change | null;
}

export interface InertOn extends Span {
  readonly changes: Changes;
  /** The added tests. */
  readonly tests: readonly SourceText[];
}

export async function inertFiles(subject: Subject, on: InertOn): Promise<InertFiles> {
  const { trees, workTree, changes, tests } = on;
  const goal = goalOf(subject);
  const present = changes.rest.filter(({ status }) => status !== 'deleted');
  const data = present.filter(({ path }) => !isCode(path) && !isManifest(path));
  const code = present.filter(({ path }) => isCode(path));
  const read = code.filter(({ path }) => isOnlyRead(path, tests));
  const fresh = code.filter((one) => one.status === 'added' && !read.includes(one));
  const texts = await trees.read(workTree, pathsOf(fresh));
  const literal = fresh.filter(({ path }) => holdsOnlyConstants(path, texts.get(path) ?? ''));
  const named = data.filter(({ path }) => tests.some(({ text }) => names(text, path)));
  const product = literal.length + named.length === 0 ? [] : await productOf(on, pathsOf(literal));
  const constants = literal.filter(({ path }) => !product.some(({ text }) => mentions(text, path)));
  const isAsked = ({ path }: Change): boolean =>
    names(goal, path) || (/\.(html?|s?css)$/.test(path) && namesStem(goal, path));
  const isUsed = ({ path }: Change): boolean => tests.some(({ text }) => mentions(text, path));
  // The first is named in the reason.
  const all = [...data, ...read, ...constants].toSorted((a, b) => Number(isUsed(b)) - Number(isUsed(a)));
  const files = all.filter((one) => !isAsked(one));
  const unasked = named.filter((one) => !isAsked(one));
  const marker = await markerAmong(on, { named: unasked, product, goal });
  return { files, asked: all.filter(isAsked), constants, marker };
}

const lockFile = /(^|\/)\w+[.-]lock(b|\.json|\.ya?ml)?$/i;
const loading = factsOf('setup').flatMap((each) => each.loading ?? []);

/** Manifests only say what can be loaded. */
function isManifest(path: string): boolean {
  return lockFile.test(path) || loading.some((pattern) => pattern.test(path));
}

/** Whatever its suffix, a file that tests read and never run is data to them. */
function isOnlyRead(path: string, tests: readonly SourceText[]): boolean {
  const uses = tests.map((test) => useOf(test, path));
  return uses.includes('reads') && !uses.includes('runs');
}

/** Reading takes a moment for each file; a product of more is judged by the first ones. */
const productMax = 1000;
const vendored = /(^|\/)(node_modules|vendor|third_party|dist|build|target|\.[^/]+)\//;

/** What could use a file: the code, pages and manifests of the work, without its tests. */
async function productOf({ trees, workTree, changes }: InertOn, without: string[]): Promise<SourceText[]> {
  const isLeftOut = new Set([...without, ...pathsOf(changes.material)]);
  // What uses a new file is most often changed itself.
  const all = new Set([...pathsOf(changes.rest), ...(await trees.list(workTree)).keys()]);
  const paths = [...all].filter(
    (path) =>
      (isCode(path) || /\.html?$/.test(path) || namesProduct(path)) &&
      !isLeftOut.has(path) &&
      !isTest(path) &&
      !vendored.test(path),
  );
  const texts = await trees.read(workTree, paths.slice(0, productMax));
  return [...texts].map(([path, text]) => ({ path, text }));
}

function mentions(text: string, path: string): boolean {
  return names(text, path) || loadsModule(text, path);
}

interface Candidates {
  /** Data that an added test names, and that the goal does not ask for. */
  readonly named: readonly Change[];
  readonly product: readonly SourceText[];
  readonly goal: string;
}

/**
 * Data is surely a marker where an added test names it, neither the goal nor the product does, and the base has no file of its kind
 * beside it. Other data may be what the product needs: it proves nothing, and accuses no work.
 */
async function markerAmong(
  { trees, baseTree }: InertOn,
  { named, product, goal }: Candidates,
): Promise<Change | null> {
  if (named.length === 0) return null;
  const kinds = new Set([...(await trees.list(baseTree)).keys()].map(kindOf));
  const isMentioned = (path: string): boolean => {
    const quoted = new RegExp(String.raw`['"\`]${stemOf(path).replaceAll(/\W/g, String.raw`\$&`)}['"\`]`);
    return namesStem(goal, path) || product.some(({ text }) => names(text, path) || quoted.test(text));
  };
  // The root of a repository holds files of every kind.
  const isBesideOthers = (path: string): boolean => path.includes('/') && kinds.has(kindOf(path));
  return named.find(({ path }) => !isBesideOthers(path) && !isMentioned(path)) ?? null;
}

/** Its folder and its suffix. */
function kindOf(path: string): string {
  return path.replace(/[^/]*?(\.\w+)?$/, '*$1');
}

function pathsOf(changes: readonly Change[]): string[] {
  return changes.map(({ path }) => path);
}
