import { posix } from 'node:path';
import { importsOf } from './import-law.ts';
import { isProduct, type Rule, type SourceFile } from './source-file.ts';

/** The programs and the entries of the package. */
const entry = /^src\/(index|testing\/index|surfaces\/[\w-]+\/main)\.ts$/;

/** What only tests use belongs into test/support: a program or an entry of the package reaches each source. */
export const reachedSources: Rule = (files) => {
  const sources = new Map(files.filter(isSource).map((file) => [file.path, file]));
  const reached = new Set<string>();
  const open = [...sources.keys()].filter((path) => entry.test(path));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = sources.get(path);
    if (file === undefined || reached.has(path)) continue;
    reached.add(path);
    open.push(...targetsOf(file));
  }
  return [...sources.values()]
    .filter((file) => isProduct(file) && !reached.has(file.path))
    .map(({ path }) => `${path} is in no program: what only tests use belongs into test/support`);
};

/** The contract suites count: they are a part of the package. */
function isSource({ path }: SourceFile): boolean {
  return /^src\/.*\.ts$/.test(path) && !path.endsWith('.test.ts');
}

function targetsOf(file: SourceFile): string[] {
  return importsOf(file).map(({ specifier }) =>
    specifier.startsWith('#') ? `src/${specifier.slice(1)}` : posix.join(posix.dirname(file.path), specifier),
  );
}
