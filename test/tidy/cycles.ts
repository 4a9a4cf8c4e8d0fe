import { importsOf } from './import-law.ts';
import { isProduct, type Rule, type SourceFile, visit } from './source-file.ts';

/**
 * No source reaches itself by its imports, `import()` and a program's own URL (`entryOf`) included. Types do not count: they
 * are gone when the program runs.
 */
export const noCycles: Rule = (files) => {
  const cycles = cyclesIn(graphOf(files.filter(isProduct)));
  return cycles.map((cycle) => `${cycle.toSorted().join(' ⇄ ')} import each other, perhaps by import()`);
};

type Graph = ReadonlyMap<string, readonly string[]>;

function graphOf(files: readonly SourceFile[]): Graph {
  const paths = new Set(files.map(({ path }) => path));
  return new Map(
    files.map((file) => {
      const folder = file.path.slice(0, file.path.lastIndexOf('/'));
      const named = importsOf(file)
        .filter(({ isType }) => !isType)
        .map(({ specifier }) => specifier.replace(/^#/, 'src/').replace(/^\./, folder));
      return [file.path, [...named, ...entriesIn(file)].filter((path) => paths.has(path))];
    }),
  );
}

/** `import(pathToFileURL(entryOf('mcp')).href)`; where the name is a variable, it may be any of them. */
function entriesIn(file: SourceFile): string[] {
  const found: string[] = [];
  visit(file, {
    ImportExpression: ({ source: { start, end } }) => {
      const [, named] = /\bentryOf\((?:'([\w-]+)'\))?/.exec(file.text.slice(start, end)) ?? [null, null];
      if (named === null) return;
      const names = named === undefined ? ['host', 'browser', 'mcp', 'plugin'] : [named];
      found.push(...names.map((name) => `src/surfaces/${name}/main.ts`));
    },
  });
  return found;
}

/** Tarjan: the strongly connected components of more than one file, and files that import themselves. */
function cyclesIn(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const lower = (path: string, to: number): void => {
    lowest.set(path, Math.min(lowest.get(path) ?? to, to));
  };
  const enter = (path: string): void => {
    const at = order.size;
    order.set(path, at);
    lower(path, at);
    open.push(path);
    for (const next of graph.get(path) ?? []) {
      if (!order.has(next)) {
        enter(next);
        lower(path, lowest.get(next) ?? at);
      } else if (open.includes(next)) lower(path, order.get(next) ?? at);
    }
    if (lowest.get(path) !== at) return;
    const component = open.splice(open.indexOf(path));
    if (component.length > 1 || graph.get(path)?.includes(path) === true) cycles.push(component);
  };
  for (const path of graph.keys()) if (!order.has(path)) enter(path);
  return cycles;
}
