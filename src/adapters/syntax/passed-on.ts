// Finds the names that a file exports apart from their definition: its own, and re-exports.
import type { Node } from '@vscode/tree-sitter-wasm';
import type { Definition } from './definition.ts';
import type { Grammar } from '#analysis/repo-map/grammar-names.ts';
import { valueKind } from './values.ts';
import { present } from './nodes.ts';

export interface NamedExport {
  readonly local: string;
  readonly as: string;
  readonly line: number;
  /** Used if the file has no statement that defines `local`. */
  readonly what: Definition['what'];
}

/** `export { a, b as c }`, `export default d`, `module.exports = { e }`, `exports.f = …`. */
export function scriptExports(root: Node): NamedExport[] {
  return children(root).flatMap((node) => {
    if (node.type === 'export_statement') return statementExports(node);
    return node.type === 'expression_statement' ? assignedExports(node) : [];
  });
}

function statementExports(node: Node): NamedExport[] {
  const line = node.startPosition.row + 1;
  const specifiers = children(node)
    .filter(({ type }) => type === 'export_clause')
    .flatMap(children);
  const value = node.childForFieldName('value');
  const namespaces = children(node)
    .filter(({ type }) => type === 'namespace_export')
    .flatMap(children);
  return [
    ...specifiers.map((specifier) => {
      const local = specifier.childForFieldName('name')?.text ?? specifier.text;
      return {
        local,
        as: specifier.childForFieldName('alias')?.text ?? local,
        line,
        what: 'export' as const,
      };
    }),
    ...namespaces.map(({ text }) => ({ local: text, as: text, line, what: 'export' as const })),
    ...(value?.type === 'identifier'
      ? [{ local: value.text, as: value.text, line, what: 'export' as const }]
      : []),
  ];
}

function assignedExports(node: Node): NamedExport[] {
  const assignment = node.namedChild(0);
  if (assignment?.type !== 'assignment_expression') return [];
  const left = assignment.childForFieldName('left')?.text ?? '';
  const right = assignment.childForFieldName('right');
  const line = node.startPosition.row + 1;
  const member = /^(?:module\.)?exports\.([\w$]+)$/.exec(left)?.[1];
  if (member !== undefined)
    return [{ local: member, as: member, line, what: valueKind(assignment, 'javascript', false) }];
  if (left !== 'module.exports' || right === null) return [];
  if (right.type === 'identifier') return [{ local: right.text, as: right.text, line, what: 'export' }];
  return right.type === 'object' ? children(right).flatMap((entry) => objectExport(entry, line)) : [];
}

function objectExport(entry: Node, line: number): NamedExport[] {
  if (entry.type === 'shorthand_property_identifier')
    return [{ local: entry.text, as: entry.text, line, what: 'export' }];
  const as = (entry.childForFieldName('key') ?? entry.childForFieldName('name'))?.text;
  if (as === undefined) return [];
  const value = entry.childForFieldName('value');
  const what = valueKind(entry, 'javascript', false);
  return [{ local: value?.type === 'identifier' ? value.text : as, as, line, what }];
}

/** Re-exported names: `pub use` in Rust, imports in the `__init__.py` of a Python package. */
export function passedOn(
  root: Node,
  grammar: Grammar,
  path: string,
): { readonly name: string; readonly line: number }[] {
  if (grammar === 'python' && path.endsWith('__init__.py')) {
    return statements(root, 'import_from_statement').flatMap((node) =>
      node.childrenForFieldName('name').flatMap((name) => lastName(name, node)),
    );
  }
  if (grammar !== 'rust') return [];
  return statements(root, 'use_declaration')
    .filter((node) => node.namedChild(0)?.text === 'pub')
    .flatMap((node) => usedNames(node.childForFieldName('argument')).flatMap((name) => lastName(name, node)));
}

function usedNames(node: Node | null): Node[] {
  if (node === null) return [];
  if (node.type === 'scoped_use_list') return usedNames(node.childForFieldName('list'));
  return node.type === 'use_list' ? children(node).flatMap(usedNames) : [node];
}

function lastName(node: Node | null, statement: Node): { name: string; line: number }[] {
  if (node === null) return [];
  const name = (node.childForFieldName('alias') ?? node).text.split(/::|\./).at(-1) ?? '';
  return /^\w+$/.test(name) ? [{ name, line: statement.startPosition.row + 1 }] : [];
}

function statements(root: Node, type: string): Node[] {
  return children(root).filter((node) => node.type === type);
}

function children(node: Node): Node[] {
  return present(node.namedChildren);
}
