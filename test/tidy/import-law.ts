import { posix } from 'node:path';
import { isTest, placeAt, type Rule, type SourceFile, visit } from './source-file.ts';

// The folders are the architecture: who may import whom. A layer may always import itself.
const pure = ['kernel', 'policies', 'views', 'analysis'];
/** Without I/O, so that pure layers may use them. */
const pureParsers = ['smol-toml', 'yaml'];
const everything = [
  'kernel',
  'policies',
  'views',
  'analysis',
  'ports',
  'runtime',
  'adapters',
  'config',
  'compose',
  'testing',
];
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  policies: ['kernel'],
  views: ['kernel'],
  analysis: ['kernel'],
  ports: ['kernel'],
  runtime: ['kernel', 'ports', 'policies', 'analysis'],
  adapters: ['kernel', 'ports', 'analysis'],
  config: ['kernel', 'ports', 'policies', 'analysis'],
  compose: ['kernel', 'policies', 'views', 'analysis', 'ports', 'runtime', 'adapters', 'config'],
  surfaces: ['kernel', 'views', 'ports', 'config', 'compose'],
  testing: everything,
  index: everything,
};

interface Import {
  readonly specifier: string;
  readonly isType: boolean;
  readonly position: number;
}

export const importLaw: Rule = (files) =>
  files
    .filter((file) => /^src\/.*\.ts$/.test(file.path))
    .flatMap((file) =>
      importsOf(file).flatMap((found) => {
        const problem = problemOf(file, found);
        return problem === null ? [] : [`${placeAt(file, found.position)} ${problem}`];
      }),
    );

function problemOf(file: SourceFile, found: Import): string | null {
  const { specifier } = found;
  if (specifier.startsWith('.')) return relativeProblem(specifier);
  if (specifier.startsWith('#test/')) return isTest(file) ? null : supportProblem(specifier);
  if (specifier.startsWith('#')) return layerProblem(file, specifier);
  return outsideProblem(file, found);
}

function relativeProblem(specifier: string): string | null {
  if (/^\.\/[^/]+\.ts$/.test(specifier)) return null;
  return `imports '${specifier}': only the same folder is relative ('./x.ts'), other folders begin with '#'`;
}

function layerProblem(file: SourceFile, specifier: string): string | null {
  const target = `src/${specifier.slice(1)}`;
  if (posix.dirname(target) === posix.dirname(file.path)) {
    return `imports '${specifier}': the same folder is imported relatively, './${posix.basename(target)}'`;
  }
  const [from, to] = [layerOf(file.path), layerOf(target)];
  if (to === 'surfaces') return surfaceProblem(file, target);
  if (from === to) return null;
  const allowed = isTest(file) ? everything : mayImport[from];
  if (allowed === undefined) return `is in no layer of the architecture ('${from}')`;
  return allowed.includes(to) ? null : `imports '${specifier}': ${from} may not import ${to}`;
}

function supportProblem(specifier: string): string {
  return `imports '${specifier}': only tests import test support`;
}

/** Nothing imports a surface, not even another surface. */
function surfaceProblem(file: SourceFile, target: string): string | null {
  const surface = (path: string): string => path.split('/').slice(0, 3).join('/');
  return surface(file.path) === surface(target) ? null : `imports ${target}: nothing imports a surface`;
}

function outsideProblem(file: SourceFile, { specifier, isType }: Import): string | null {
  const from = layerOf(file.path);
  if (isTest(file)) return null;
  if (from === 'analysis' && pureParsers.includes(specifier)) return null;
  if (pure.includes(from))
    return `imports '${specifier}': ${from} is pure and imports no package and no Node module`;
  if (from === 'ports' && !isType) return `imports '${specifier}': ports have no behaviour, only types`;
  if (!specifier.startsWith('node:') && isBuiltin(specifier)) return `imports '${specifier}' without 'node:'`;
  return null;
}

function isBuiltin(specifier: string): boolean {
  return process.getBuiltinModule(specifier.split('/')[0] ?? '') !== undefined;
}

/** `src/kernel/run.ts` → kernel, `src/compose.ts` and `src/compose/host.ts` → compose. */
function layerOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/(\.test)?\.ts$/, '');
}

function importsOf(file: SourceFile): readonly Import[] {
  const found: Import[] = [];
  const add = (source: { value?: unknown; start: number } | null, isType: boolean): void => {
    if (source === null || typeof source.value !== 'string') return;
    found.push({ specifier: source.value, isType, position: source.start });
  };
  visit(file, {
    ImportDeclaration: (node) => add(node.source, node.importKind === 'type'),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.source.type === 'Literal' ? node.source : null, false),
    TSImportType: (node) => add(node.source, true),
  });
  return found;
}
