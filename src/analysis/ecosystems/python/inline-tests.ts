// Separates tests inside a product file from the product. Pure.

const testClass = /^class (\w+)\(.*TestCase\b.*\):/;
const testFunction = /^(?:async )?def (test_\w*)\s*\(/;

/** Outermost statements, each with its decorators and its indented block. */
export function separateTests(text: string): ReadonlyMap<string, string> | null {
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

/** The product part of a file that names its tests, or the runner's hooks, could change them. */
function reachesTests(text: string, tests: ReadonlyMap<string, string>): boolean {
  let product = text;
  for (const test of tests.values()) product = product.replace(test, '');
  const hooks =
    /\b(?:load_tests|__test__|globals\(\)|unittest\.(?!main\b|TestCase\b)\w+|TestCase\.\w+)|^(?:class|import|from) .*\bas TestCase\b/m;
  return hooks.test(product) || [...tests.keys()].some((name) => new RegExp(`\\b${name}\\b`).test(product));
}
