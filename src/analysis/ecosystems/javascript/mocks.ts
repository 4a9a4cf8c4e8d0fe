// Finds files that replace a dependency in tests.
import type { NewFile } from '#analysis/ecosystems/pin-facts.ts';

/** A file in a `__mocks__` folder replaces a dependency in every test. */
export async function mocksDependency({ path, isTest, textAtBase }: NewFile): Promise<string | null> {
  const mock = isTest(path) ? mockedBy(path) : null;
  if (mock === null) return null;
  const isDependency = (await textAtBase(mock.manifest)).includes(`"${mock.name}"`);
  return isDependency ? `takes the place of ${mock.name} in every test` : null;
}

/** The dependency that a `__mocks__` file replaces, with its manifest; null for other files. */
export function mockedBy(path: string): { readonly manifest: string; readonly name: string } | null {
  const found = /^(.*\/)?__mocks__\/((?:@[^/]+\/)?[^/]+)\.[cm]?[jt]sx?$/.exec(path);
  const [, folder = '', name = ''] = found ?? [];
  return found === null ? null : { manifest: `${folder}package.json`, name };
}
