// Separates modules of tests inside product files from the product. Pure.
import type { ModuleFile, ProductParts, TestModule, TestModules } from '#analysis/ecosystems/test-facts.ts';
import { closingBracket, isClosed, mask, openBrackets } from '#analysis/texts/mask.ts';

const crateRoot = /(^|\/)src\/(lib|main)\.rs$/;

export const rustModules: TestModules = {
  files: /\.rs$/,
  separate,
  join: withModules,
  roots: crateRoot,
  rootFolder: (path) => path.replace(/(^|\/)src\/.*$/, '$1src/'),
  inRoot: (name, modules) => `#[cfg(test)]\nmod ${name} {\n${withModules('', modules)}}`,
  isReportedAs,
};

const testModule =
  /(?:#\[[^\]]*\]\s*)*#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*\{/g;
const rustTest = /#\[(?:\w+::)*test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g;
/** Code for tests alone, outside of their modules; tests in separate files do not count. */
const tested =
  /\bcfg(?:_attr)?!?\([^)]*\btest\b(?!\)\]\s*mod\s+\w+\s*;)|#\[(?:\w+::)*(?:test|rstest|test_case)\b/;

/** `#[cfg(test)] mod … { … }` at the outermost level. */
function separate(text: string): ProductParts | null {
  const masked = mask(text, 'rust');
  if (!isClosed(masked)) return null;
  const modules: TestModule[] = [];
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

export function withModules(product: string, modules: readonly TestModule[]): string {
  return [product.trimEnd(), ...modules.map(({ text }) => text)].join('\n\n') + '\n';
}

/** cargo reports `file::module::test`; nextest adds the crate in front. */
function isReportedAs(name: string, { path, stem }: ModuleFile, tests: readonly string[]): boolean {
  const isRoot = crateRoot.test(path) || /(^|\/)src\/bin\//.test(path);
  const [reported = ''] = name.split(' ').slice(-1);
  return tests.some((test) => {
    const [module = '', own = ''] = test.split('::');
    const before = isRoot ? '' : String.raw`(?:\w+::)*${stem}::`;
    return new RegExp(String.raw`^${before}${module}::(?:\w+::)*${own}$`).test(reported);
  });
}
