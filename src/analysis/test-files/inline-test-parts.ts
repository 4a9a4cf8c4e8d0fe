// Separates the tests inside a product file from the product. Pure.
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import type { ProductParts, TestModule, TestModules } from '#analysis/ecosystems/test-facts.ts';

const tests = factsOf('tests');
const ownTests = tests.flatMap((each) => each.ownTests ?? []);
const moduleKinds = tests.flatMap((each) => each.modules ?? []);

/** A changed product file whose own tests are all unchanged. */
export function keepsItsTests(path: string, before: string | null, after: string | null): boolean {
  const separate = ownTests.find(([files]) => files.test(path))?.[1];
  if (separate === undefined || before === null || after === null) return false;
  const [old, now] = [separate(before), separate(after)];
  if (old === null || now === null || old.size === 0) return false;
  return [...old].every(([name, test]) => now.get(name) === test);
}

/** The rules for test modules in such a product file; null if it has none. */
export function testModulesOf(path: string): TestModules | null {
  return moduleKinds.find(({ files }) => files.test(path)) ?? null;
}

/** Null if tests cannot be separated from the product. */
export function separateModules(path: string, text: string): ProductParts | null {
  return testModulesOf(path)?.separate(text) ?? null;
}

/** Adds modules of tests to the product. */
export function withTests(path: string, product: string, modules: readonly TestModule[]): string {
  const kind = testModulesOf(path);
  return kind === null || modules.length === 0 ? product : kind.join(product, modules);
}
