// The tests inside of a product file, apart from the product: in Python, in JavaScript for vitest, and in Rust. Pure.
import { closingBracket, isClosed, mask, openBrackets } from '#analysis/texts/mask.ts';

/** A product file that was changed, and whose own tests are all there as they were. */
export function keepsItsTests(path: string, before: string | null, after: string | null): boolean {
  const separate = languages.find(([files]) => files.test(path))?.[1];
  if (separate === undefined || before === null || after === null) return false;
  const [old, now] = [separate(before), separate(after)];
  if (old === null || now === null || old.size === 0) return false;
  return [...old].every(([name, test]) => now.get(name) === test);
}

/** Name of each test to its text; null where a file is nothing but tests, or where its tests cannot be separated. */
type Separate = (text: string) => ReadonlyMap<string, string> | null;

const languages: readonly (readonly [RegExp, Separate])[] = [
  [/\.py$/, separatePython],
  [/\.[cm]?[jt]sx?$/, separateScript],
];

const testClass = /^class (\w+)\(.*TestCase\b.*\):/;
const testFunction = /^(?:async )?def (test_\w*)\s*\(/;

/** Outermost statements, each with its decorators and what is indented below it. */
function separatePython(text: string): ReadonlyMap<string, string> | null {
  if (/"""|'''/.test(text.replace(/^\s*(?:"""[^"]*"""|'''[^']*''')/gm, ''))) return null;
  const tests = new Map<string, string>();
  let hasProduct = false;
  for (const block of text.split(/\n(?=[^\s#)\]}])/).reduce<string[]>(withDecorators, [])) {
    const head = block.replace(/^(?:@.*\n)*/, '');
    const name = (testClass.exec(head) ?? testFunction.exec(head))?.[1];
    hasProduct ||= /^(?:async )?(?:def|class) /.test(head) && name === undefined;
    if (name === undefined) continue;
    if (tests.has(name)) return null;
    tests.set(name, block.trimEnd());
  }
  return hasProduct && !reachesTests(text, tests) ? tests : null;
}

function withDecorators(blocks: string[], next: string): string[] {
  const last = blocks.at(-1);
  const isDecorated = last !== undefined && /(?:^|\n)@[^\n]*$/.test(last.trimEnd());
  return isDecorated ? [...blocks.slice(0, -1), `${last}\n${next}`] : [...blocks, next];
}

/** The product of a file that names its tests, or the runner's hooks, could change them. */
function reachesTests(text: string, tests: ReadonlyMap<string, string>): boolean {
  let product = text;
  for (const test of tests.values()) product = product.replace(test, '');
  const hooks =
    /\b(?:load_tests|__test__|globals\(\)|unittest\.(?!main\b|TestCase\b)\w+|TestCase\.\w+)|^(?:class|import|from) .*\bas TestCase\b/m;
  return hooks.test(product) || [...tests.keys()].some((name) => new RegExp(`\\b${name}\\b`).test(product));
}

/** `if (import.meta.vitest) { … }` at the outermost level. */
function separateScript(text: string): ReadonlyMap<string, string> | null {
  const blocks = [...text.matchAll(/^if \(import\.meta\.vitest\) \{\n[\s\S]*?^\}/gm)].map(([block]) => block);
  const product = blocks.reduce((rest, block) => rest.replace(block, ''), text);
  const isProduct = /^export\b/m.test(product) && !/\bvitest\b|\bexpect\b/.test(product);
  return isProduct ? new Map(blocks.map((block, at) => [String(at), block])) : null;
}

export interface RustParts {
  /** The file without its modules of tests. */
  readonly product: string;
  readonly modules: readonly RustModule[];
}

export interface RustModule {
  readonly name: string;
  readonly text: string;
  /** Names of its tests. */
  readonly tests: readonly string[];
}

const testModule =
  /(?:#\[[^\]]*\]\s*)*#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*\{/g;
const rustTest = /#\[(?:\w+::)*test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g;
/** Code that is there for tests alone, outside of their modules; tests in a file of their own are elsewhere. */
const tested =
  /\bcfg(?:_attr)?!?\([^)]*\btest\b(?!\)\]\s*mod\s+\w+\s*;)|#\[(?:\w+::)*(?:test|rstest|test_case)\b/;

/** `#[cfg(test)] mod … { … }` at the outermost level; null where tests cannot be separated, or in another language. */
export function separateRust(path: string, text: string): RustParts | null {
  if (!path.endsWith('.rs')) return null;
  const masked = mask(text, 'rust');
  if (!isClosed(masked)) return null;
  const modules: RustModule[] = [];
  let product = '';
  let last = 0;
  for (const { 0: head, 1: name = '', index } of masked.matchAll(testModule)) {
    if (index < last || openBrackets(masked, index)?.length !== 0) continue;
    const end = closingBracket(masked, index + head.length - 1) + 1;
    const tests = [...masked.slice(index, end).matchAll(rustTest)].map(([, test = '']) => test);
    modules.push({ name, text: text.slice(index, end), tests });
    product += text.slice(last, index);
    last = end;
  }
  product += text.slice(last);
  return tested.test(mask(product, 'rust')) ? null : { product, modules };
}

export function withModules(product: string, modules: readonly RustModule[]): string {
  return [product.trimEnd(), ...modules.map(({ text }) => text)].join('\n\n') + '\n';
}
