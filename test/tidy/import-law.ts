import { posix } from 'node:path';
import type { ESTree } from 'vite';
import { isTest, placeAt, type Rule, type SourceFile, visit } from './source-file.ts';

// The folders are the architecture: which may import which. A layer may always import itself. A path of POSIX is plain text.
const pure = ['base', 'kernel', 'policies', 'views', 'analysis'];
/** Without I/O, so that pure layers may use them. */
const pureParsers = ['smol-toml', 'yaml', 'jsonc-parser', 'picomatch'];
const belowApp = [...pure, 'ports', 'runtime', 'agents', 'adapters', 'tasks', 'config'];
const everything = [...belowApp, 'app', 'testing'];
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  kernel: ['base'],
  policies: ['base', 'kernel'],
  views: ['base', 'kernel'],
  analysis: ['base', 'kernel'],
  ports: ['base', 'kernel'],
  runtime: ['base', 'kernel', 'ports', 'policies', 'analysis'],
  agents: ['base', 'kernel', 'ports', 'analysis', 'adapters/machine', 'adapters/processes'],
  adapters: ['base', 'kernel', 'ports', 'analysis'],
  tasks: ['base', 'kernel', 'policies', 'analysis'],
  config: [
    'base',
    'kernel',
    'ports',
    'policies',
    'analysis',
    'tasks',
    'agents/clients.ts',
    'agents/drivers.ts',
    'agents/openai/facts.ts',
    'agents/shared/client-facts.ts',
    'agents/shared/driver-facts.ts',
  ],
  app: belowApp,
  surfaces: ['base', 'kernel', 'views', 'ports', 'tasks', 'config', 'app'],
  testing: everything,
  index: everything,
};

/** Adapters import one another in this order only: a row imports the rows before it. */
export const adapterOrder: readonly (readonly string[])[] = [
  ['files', 'logs', 'processes', 'syntax'],
  ['machine', 'git', 'sessions'],
  ['sandbox', 'checkers', 'store', 'github', 'notifiers', 'repo-map'],
  ['waiting'],
];

type ImportSpecifier = Parameters<
  NonNullable<Parameters<typeof visit>[1]['ImportDeclaration']>
>[0]['specifiers'][number];

export interface Import {
  readonly specifier: string;
  readonly isType: boolean;
  /** By `import()`. */
  readonly isLazy: boolean;
  /** Null for everything that the module has. */
  readonly names: readonly string[] | null;
  readonly position: number;
}

export const importLaw: Rule = (files) =>
  files
    .filter((file) => /^src\/.*\.ts$/.test(file.path))
    .flatMap((file) => [
      ...importsOf(file).flatMap((found) => {
        const problem = problemOf(file, found);
        return problem === null ? [] : [`${placeAt(file, found.position)} ${problem}`];
      }),
      ...computedImports(file),
    ]);

/** No rule could follow it. What a user brings, and a program of ours (`entryOf`), are loaded by the URL of a file. */
function computedImports(file: SourceFile): string[] {
  const found: string[] = [];
  visit(file, {
    ImportExpression: ({ source, start }) => {
      const isUrl = /^pathToFileURL\(.*\)\.href$/s.test(file.text.slice(source.start, source.end));
      if (plainText(source) === null && !isUrl && !isTest(file))
        found.push(`${placeAt(file, start)} imports a computed name: write it out`);
    },
  });
  return found;
}

/** The text of a string, also of one between backticks without a placeholder. */
function plainText(node: ESTree.Expression): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return null;
  return node.quasis[0]?.value.cooked ?? null;
}

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
  if (from === 'adapters' && to === 'adapters' && !isTest(file)) return adapterProblem(file.path, target);
  if (from === 'agents' && to === 'agents' && !isTest(file)) return siblingProblem(file.path, target);
  if (from === to) return null;
  const allowed = isTest(file) ? everything : mayImport[from];
  if (allowed === undefined) return `is in no layer of the architecture ('${from}')`;
  const isAllowed = allowed.some(
    (one) => to === one || target === `src/${one}` || target.startsWith(`src/${one}/`),
  );
  return isAllowed ? null : `imports '${specifier}': ${from} may not import ${to}`;
}

/** These read what a client prints or answers, whichever it is. */
const readClients = ['acp', 'command'];

/** A folder of agents knows itself and `shared`; the lists know every folder. */
function siblingProblem(from: string, target: string): string | null {
  const [own, other] = [roomOf(from), roomOf(target)];
  const isList = own.endsWith('.ts');
  const isClients = other === 'clients.ts' && readClients.includes(own);
  if (isList || isClients || own === other || other === 'shared') return null;
  return `imports ${target}: a folder of agents imports only itself and shared`;
}

/** An adapter imports only adapters that stand in an earlier row. */
function adapterProblem(path: string, target: string): string | null {
  const [from, to] = [roomOf(path), roomOf(target)];
  if (from === to) return null;
  const [own, other] = [from, to].map((room) => adapterOrder.findIndex((row) => row.includes(room)));
  if (own === undefined || other === undefined || own === -1 || other === -1)
    return `imports '${target}': ${own === -1 ? from : to} is not in the order of the adapters`;
  return other < own ? null : `imports '${target}': adapters/${from} may not import adapters/${to}`;
}

/** `src/adapters/git/refs/refs.ts` → git, `src/agents/clients.ts` → clients.ts */
function roomOf(path: string): string {
  return path.split('/')[2] ?? '';
}

function supportProblem(specifier: string): string {
  return `imports '${specifier}': only tests import test support`;
}

/** Nothing imports a surface, not even another surface. */
function surfaceProblem(file: SourceFile, target: string): string | null {
  const surface = (path: string): string => path.split('/').slice(0, 3).join('/');
  return surface(file.path) === surface(target) ? null : `imports ${target}: nothing imports a surface`;
}

function outsideProblem(file: SourceFile, { specifier, isType, names }: Import): string | null {
  const from = layerOf(file.path);
  if (isTest(file)) return null;
  if (from === 'base' && isType && specifier === 'zod') return null;
  if ((from === 'analysis' || from === 'base') && pureParsers.includes(specifier)) return null;
  if (
    pure.includes(from) &&
    specifier === 'node:path' &&
    names?.every((name) => isPlain(from, name)) === true
  )
    return null;
  if (pure.includes(from))
    return `imports '${specifier}': ${from} is pure and imports no package and no Node module`;
  if (from === 'ports' && !isType) return `imports '${specifier}': ports have no behaviour, only types`;
  if (!specifier.startsWith('node:') && isBuiltin(specifier)) return `imports '${specifier}' without 'node:'`;
  return null;
}

/** `sep` is a constant of the platform; base alone has it, for the one rule of what lies within a folder. */
function isPlain(layer: string, name: string): boolean {
  return name === 'posix' || (layer === 'base' && name === 'sep');
}

function isBuiltin(specifier: string): boolean {
  return process.getBuiltinModule(specifier.split('/')[0] ?? '') !== undefined;
}

/** `src/kernel/fold/run.ts` → kernel, `src/index.ts` → index. */
function layerOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/(\.test)?\.ts$/, '');
}

export function importsOf(file: SourceFile): readonly Import[] {
  const found: Import[] = [];
  const add = (
    source: { value?: unknown; start: number } | null,
    isType: boolean,
    names: readonly string[] | null = null,
    isLazy = false,
  ): void => {
    if (source === null || typeof source.value !== 'string') return;
    found.push({ specifier: source.value, isType, isLazy, names, position: source.start });
  };
  visit(file, {
    ImportDeclaration: (node) => add(node.source, node.importKind === 'type', namesOf(node.specifiers)),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: ({ source }) =>
      add({ value: plainText(source), start: source.start }, false, null, true),
    TSImportType: (node) => add(node.source, true),
  });
  return found;
}

function namesOf(specifiers: readonly ImportSpecifier[]): readonly string[] | null {
  const names = specifiers.map((one) =>
    'imported' in one && 'name' in one.imported ? one.imported.name : null,
  );
  return names.every((name) => name !== null) ? names : null;
}
