// The tests inside of a product file, apart from the product. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import type { ProductParts, TestModule, TestModules } from '#analysis/ecosystems/test-facts.ts';

const tests = factsOf('tests');
const ownTests = tests.flatMap((each) => each.ownTests ?? []);
const moduleKinds = tests.flatMap((each) => each.modules ?? []);

/** A product file that was changed, and whose own tests are all there as they were. */
export function keepsItsTests(path: string, before: string | null, after: string | null): boolean {
  const separate = ownTests.find(([files]) => files.test(path))?.[1];
  if (separate === undefined || before === null || after === null) return false;
  const [old, now] = [separate(before), separate(after)];
  if (old === null || now === null || old.size === 0) return false;
  return [...old].every(([name, test]) => now.get(name) === test);
}

/** How modules of tests are kept in such a product file; null where they are not. */
export function testModulesOf(path: string): TestModules | null {
  return moduleKinds.find(({ files }) => files.test(path)) ?? null;
}

/** Null where tests cannot be separated from the product. */
export function separateModules(path: string, text: string): ProductParts | null {
  return testModulesOf(path)?.separate(text) ?? null;
}

/** The product with modules of tests. */
export function withTests(path: string, product: string, modules: readonly TestModule[]): string {
  const kind = testModulesOf(path);
  return kind === null || modules.length === 0 ? product : kind.join(product, modules);
}
