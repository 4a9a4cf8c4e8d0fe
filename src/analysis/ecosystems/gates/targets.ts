// Reads Makefile and justfile: the name of a target says which gate it is.
import { type Gate, noWays, type Root, sure, type Ways } from './ways.ts';

const targetNames: Readonly<Record<Gate['gate'], readonly string[]>> = {
  tests: ['test', 'tests'],
  lint: ['lint'],
  types: ['typecheck', 'type-check', 'types', 'mypy'],
  build: ['build'],
};

const runners = [
  { file: 'Makefile', run: 'make' },
  { file: 'GNUmakefile', run: 'make' },
  { file: 'justfile', run: 'just' },
  { file: 'Justfile', run: 'just' },
];

export function targetWays(root: Root): Ways {
  const runner = runners.find(({ file }) => root.files.has(file));
  if (runner === undefined) return noWays;
  const targets = targetsOf(root.text(runner.file), runner.run);
  const gates = Object.entries(targetNames).flatMap(([kind, names]) => {
    const name = names.find((one) => targets.has(one));
    if (name === undefined) return [];
    const why = `${runner.file} has the target ${name}`;
    return [{ gate: kind as Gate['gate'], run: `${runner.run} ${name}`, confidence: sure.configured, why }];
  });
  const serve = ['run', 'serve', 'start'].find((name) => targets.has(name));
  return { ...noWays, gates, serve: serve === undefined ? null : `${runner.run} ${serve}` };
}

/** Make allows several targets before the colon; just allows one, followed by its parameters. */
function targetsOf(text: string, runner: string): Set<string> {
  const heads = [...text.matchAll(/^([A-Za-z0-9_][^:=#\n]*):(?!=)/gm)].map((head) =>
    (head[1] ?? '').split(/\s+/),
  );
  return new Set(runner === 'make' ? heads.flat() : heads.flatMap((words) => words.slice(0, 1)));
}
