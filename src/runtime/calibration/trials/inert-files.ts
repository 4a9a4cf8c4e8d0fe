// Files of the work that prove nothing in a test: data, code that tests only read, and unused constants.
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
import { vendored } from '#runtime/calibration/test-files.ts';

export interface InertFiles {
  readonly files: readonly Change[];
  /** Files of these kinds that the goal asks for: they are work. */
  readonly asked: readonly Change[];
  /** New modules with only constants that no product file uses. */
  readonly constants: readonly Change[];
  /** One of the files that certainly exists only for the tests; null if there is none. */
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
  // The reason names the first one.
  const all = [...data, ...read, ...constants].toSorted((a, b) => Number(isUsed(b)) - Number(isUsed(a)));
  const files = all.filter((one) => !isAsked(one));
  const unasked = named.filter((one) => !isAsked(one));
  const marker = await markerAmong(on, { named: unasked, product, goal });
  return { files, asked: all.filter(isAsked), constants, marker };
}

const lockFile = /(^|\/)\w+[.-]lock(b|\.json|\.ya?ml)?$/i;
const loading = factsOf('setup').flatMap((each) => each.loading ?? []);

/** Manifests only list what can be loaded. */
function isManifest(path: string): boolean {
  return lockFile.test(path) || loading.some((pattern) => pattern.test(path));
}

/** A file that tests read and never run is data to them, whatever its suffix. */
function isOnlyRead(path: string, tests: readonly SourceText[]): boolean {
  const uses = tests.map((test) => useOf(test, path));
  return uses.includes('reads') && !uses.includes('runs');
}

/** Reading costs time per file; a larger product is judged by its first files. */
const productMax = 1000;

/** Files that could use another file: code, pages and manifests of the work, without its tests. */
async function productOf({ trees, workTree, changes }: InertOn, without: string[]): Promise<SourceText[]> {
  const isLeftOut = new Set([...without, ...pathsOf(changes.material)]);
  // A file that uses a new file was most often changed itself, so changed files come first.
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
  /** Data that an added test names and the goal does not ask for. */
  readonly named: readonly Change[];
  readonly product: readonly SourceText[];
  readonly goal: string;
}

/**
 * Data is certainly a marker if an added test names it, neither goal nor product does, and the base has no
 * file of its kind beside it. Other data may be needed by the product: it proves nothing and accuses no work.
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

function kindOf(path: string): string {
  return path.replace(/[^/]*?(\.\w+)?$/, '*$1');
}

function pathsOf(changes: readonly Change[]): string[] {
  return changes.map(({ path }) => path);
}
