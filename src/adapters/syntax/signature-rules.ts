// Lists the nodes that a map shows, for each grammar, and how much of each.
import type { Grammar } from '#analysis/repo-map/grammar-names.ts';
import { byNode } from './nodes.ts';

/**
 * callable: up to its body · container: the same, then its members · names: the same, then only the names
 * inside · whole: all of its text · value: up to its value · through: nothing itself, but its content.
 */
export type Showing = 'callable' | 'container' | 'names' | 'whole' | 'value' | 'through';

/** By node type; other nodes are not shown. */
export type Shown = Readonly<Record<string, Showing>>;

const script: Shown = byNode({
  through: 'export_statement ambient_declaration expression_statement',
  container: 'internal_module module class_declaration abstract_class_declaration class',
  callable:
    'function_declaration generator_function_declaration function_expression arrow_function function_signature method_definition method_signature abstract_method_signature',
  value:
    'public_field_definition field_definition lexical_declaration variable_declaration assignment_expression',
  names: 'interface_declaration enum_declaration',
  whole: 'type_alias_declaration export_clause',
});

export const signatureRules: Readonly<Record<Grammar, Shown>> = {
  typescript: script,
  tsx: script,
  javascript: script,
  python: byNode({
    through: 'decorated_definition if_statement else_clause elif_clause try_statement except_clause block',
    callable: 'function_definition',
    container: 'class_definition',
    whole: 'type_alias_statement',
  }),
  go: byNode({
    through: 'type_declaration',
    names: 'const_declaration var_declaration type_spec',
    callable: 'function_declaration method_declaration',
    whole: 'type_alias',
  }),
  rust: byNode({
    through: 'foreign_mod_item declaration_list',
    container: 'mod_item impl_item trait_item',
    callable: 'function_item function_signature_item',
    names: 'struct_item enum_item union_item',
    whole: 'type_item use_declaration',
    value: 'const_item static_item',
  }),
  java: byNode({
    container:
      'class_declaration record_declaration interface_declaration annotation_type_declaration enum_declaration',
    through: 'enum_body_declarations',
    callable: 'method_declaration constructor_declaration',
  }),
  'c-sharp': byNode({
    through: 'namespace_declaration file_scoped_namespace_declaration declaration_list',
    container: 'class_declaration record_declaration struct_declaration interface_declaration',
    names: 'enum_declaration',
    whole: 'delegate_declaration',
    callable: 'method_declaration constructor_declaration',
    value: 'property_declaration',
  }),
  cpp: byNode({
    through:
      'preproc_ifdef preproc_if preproc_else preproc_elif linkage_specification declaration_list template_declaration namespace_definition',
    callable: 'function_definition',
    value: 'declaration field_declaration preproc_function_def',
    container: 'class_specifier struct_specifier',
    names: 'union_specifier enum_specifier',
    whole: 'type_definition alias_declaration',
  }),
  php: byNode({
    through: 'namespace_definition compound_statement',
    callable: 'function_definition method_declaration',
    container: 'class_declaration interface_declaration trait_declaration enum_declaration',
  }),
  ruby: byNode({
    container: 'module class',
    callable: 'method singleton_method',
    through: 'singleton_class body_statement',
  }),
  bash: byNode({
    callable: 'function_definition',
  }),
};
