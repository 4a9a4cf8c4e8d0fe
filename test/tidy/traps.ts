import { isScript, placeAt, type Rule, type SourceFile, visit } from './source-file.ts';

/** Two habits that would make a crash look like a success; see the process runner for the right way. */
export const noTraps: Rule = (files) =>
  files.filter((file) => isScript(file) && /^(src|scripts|test|bench)\//.test(file.path)).flatMap(traps);

function traps(file: SourceFile): string[] {
  const found: string[] = [];
  visit(file, {
    // A child killed by a signal has the code null: a default of 0 says that it succeeded.
    LogicalExpression: (node) => {
      const isZero = node.right.type === 'Literal' && node.right.value === 0;
      if (isZero && /(code|status)$/i.test(lastName(node.left))) {
        found.push(`${placeAt(file, node.start)} an exit code never defaults to 0: an ending is a union`);
      }
    },
    // `killed` is true once a signal was sent, not once the child is gone.
    MemberExpression: (node) => {
      if (/^(child|proc|process|subprocess)$/i.test(lastName(node.object)) && lastName(node) === 'killed') {
        found.push(`${placeAt(file, node.start)} '.killed' means that a signal was sent, not that it exited`);
      }
    },
  });
  return found;
}

function lastName(node: { type: string; name?: unknown; property?: unknown }): string {
  if (typeof node.name === 'string') return node.name;
  const property = node.property;
  if (typeof property !== 'object' || property === null || !('name' in property)) return '';
  return String(property.name);
}
