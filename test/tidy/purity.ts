import { isProduct, placeAt, type Rule, type SourceFile, visit } from './source-file.ts';

// What reaches for a clock, the disk, a process, the network or chance. Imports are the import law's matter.
const impureGlobals = new Set([
  'process',
  'performance',
  'crypto',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'console',
  'globalThis',
  'require',
]);
const impureMembers = new Set(['Date.now', 'Math.random']);

/** The pure folders touch no clock, disk, process or randomness. */
export const purity: Rule = (files) =>
  files
    .filter((file) => /^src\/(base|kernel|policies|views|analysis)\//.test(file.path) && isProduct(file))
    .flatMap(impurities);

function impurities(file: SourceFile): string[] {
  const found: string[] = [];
  const report = (position: number, name: string): void => {
    found.push(`${placeAt(file, position)} uses ${name}: this folder is pure`);
  };
  // `run.process`, `{ process: 1 }` and `process: Ending` only share the name. Parents are visited first.
  const onlyNames = new Set<object>();
  const nameOnly = (node: { key: object; computed: boolean }): void => {
    if (!node.computed) onlyNames.add(node.key);
  };
  visit(file, {
    Property: nameOnly,
    TSPropertySignature: nameOnly,
    TSMethodSignature: nameOnly,
    MemberExpression: (node) => {
      if (node.computed) return;
      onlyNames.add(node.property);
      const name = file.text.slice(node.start, node.end);
      if (impureMembers.has(name)) report(node.start, name);
    },
    Identifier: (node) => {
      const isDeclared = node.typeAnnotation !== null && node.typeAnnotation !== undefined;
      if (impureGlobals.has(node.name) && !onlyNames.has(node) && !isDeclared) report(node.start, node.name);
    },
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date') report(node.start, 'Date()');
    },
    NewExpression: (node) => {
      const isDate = node.callee.type === 'Identifier' && node.callee.name === 'Date';
      if (isDate && node.arguments.length === 0) report(node.start, 'new Date()');
    },
  });
  return found;
}
