import type { Node } from '@vscode/tree-sitter-wasm';
import type { Grammar } from '#analysis/repo-map/grammar-names.ts';
import { present } from './nodes.ts';

/** The names that one defining node introduces: several for `var a, b` and for a pattern. */
export function namesOf(node: Node, grammar: Grammar): string[] {
  if (grammar === 'cpp') return declaredNames(node);
  return nameNodes(node)
    .flatMap(bound)
    .map((text) => text.replace(/^\$/, ''))
    .filter((name) => name !== '');
}

function nameNodes(node: Node): Node[] {
  const named = present(node.childrenForFieldName('name'));
  if (named.length > 0) return named;
  // Fields of Java and C# have declarators, assignments a left side, JavaScript's fields a property.
  if (node.type === 'field_declaration') {
    const declarators = present(node.descendantsOfType('variable_declarator'));
    return present(declarators.map((child) => child.childForFieldName('name')));
  }
  const other = node.childForFieldName('left') ?? node.childForFieldName('property');
  if (other !== null) return [other];
  return node.type === 'const_element' ? present([node.namedChild(0)]) : [];
}

const patterns = new Set(['object_pattern', 'array_pattern', 'pattern_list', 'tuple_pattern']);
const plain = /(?:^|_)identifier$|^(?:constant|name|variable_name|word)$/;

function bound(node: Node): string[] {
  if (plain.test(node.type)) return [node.text];
  // The left side of `type X = …` in Python.
  if (node.type === 'type') return node.text.match(/^\w+/) ?? [];
  if (!patterns.has(node.type)) return [];
  const found = node.descendantsOfType(['identifier', 'shorthand_property_identifier_pattern']);
  return present(found).map(({ text }) => text);
}

/** C and C++ wrap a name in declarators: pointer, array, function, initial value. */
function declaredNames(node: Node): string[] {
  if (node.type === 'function_declarator' && isDefinedAbove(node)) return [];
  let name = node.childForFieldName('name') ?? node.childForFieldName('declarator');
  while (name !== null && name.type.endsWith('_declarator')) name = name.childForFieldName('declarator');
  const isForward =
    /^(?:class|struct|enum|union)_specifier$/.test(node.type) && node.childForFieldName('body') === null;
  if (
    name === null ||
    isForward ||
    (node.childForFieldName('declarator')?.type === 'function_declarator' &&
      node.type === 'field_declaration')
  ) {
    return [];
  }
  return [name.type === 'qualified_identifier' ? (name.text.split('::').at(-1) ?? name.text) : name.text];
}

/** The definition of a function already gave the name of its declarator. */
function isDefinedAbove(node: Node): boolean {
  let { parent } = node;
  while (parent !== null && parent.type.endsWith('_declarator')) ({ parent } = parent);
  return (
    parent?.type === 'function_definition' ||
    parent?.type === 'parameter_declaration' ||
    parent?.type === 'type_definition'
  );
}
