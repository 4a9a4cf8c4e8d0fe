// Lists the nodes that define something, for each grammar; definitions.ts walks them all alike.
import type { Definition } from './definition.ts';
import type { Grammar } from '#analysis/repo-map/grammar-names.ts';
import { byNode, nodes } from './nodes.ts';

export interface Rules {
  readonly defines: Readonly<Record<string, Definition['what']>>;
  /** They name a scope and define nothing themselves. */
  readonly contains: readonly string[];
  /** All definitions inside are local. */
  readonly bodies: readonly string[];
  readonly exported: 'by-statement' | 'by-capital' | 'by-underscore' | 'by-modifier' | 'unless-private';
}

const script: Rules = {
  defines: byNode({
    function: 'function_declaration generator_function_declaration function_signature',
    class: 'class_declaration abstract_class_declaration',
    type: 'interface_declaration type_alias_declaration enum_declaration',
    method: 'method_definition abstract_method_signature method_signature',
    variable: 'public_field_definition field_definition variable_declarator',
  }),
  contains: nodes('internal_module module'),
  bodies: nodes(
    'function_declaration generator_function_declaration method_definition arrow_function function_expression',
  ),
  exported: 'by-statement',
};

export const rulesOf: Readonly<Record<Grammar, Rules>> = {
  typescript: script,
  tsx: script,
  javascript: script,
  python: {
    defines: byNode({
      function: 'function_definition',
      class: 'class_definition',
      variable: 'assignment',
      type: 'type_alias_statement',
    }),
    contains: [],
    bodies: nodes('function_definition lambda'),
    exported: 'by-underscore',
  },
  go: {
    defines: byNode({
      function: 'function_declaration',
      method: 'method_declaration method_elem',
      type: 'type_spec type_alias',
      variable: 'const_spec var_spec',
    }),
    contains: [],
    bodies: nodes('function_declaration method_declaration func_literal'),
    exported: 'by-capital',
  },
  rust: {
    defines: byNode({
      function: 'function_item function_signature_item macro_definition',
      type: 'struct_item enum_item union_item trait_item type_item',
      variable: 'const_item static_item',
    }),
    contains: nodes('impl_item mod_item'),
    bodies: nodes('function_item closure_expression'),
    exported: 'by-modifier',
  },
  java: {
    defines: byNode({
      class: 'class_declaration record_declaration',
      type: 'interface_declaration annotation_type_declaration enum_declaration',
      method: 'method_declaration constructor_declaration',
      variable: 'field_declaration',
    }),
    contains: [],
    bodies: nodes('method_declaration constructor_declaration lambda_expression'),
    exported: 'by-modifier',
  },
  'c-sharp': {
    defines: byNode({
      class: 'class_declaration record_declaration',
      type: 'struct_declaration interface_declaration enum_declaration delegate_declaration',
      method: 'method_declaration constructor_declaration',
      function: 'local_function_statement',
      variable: 'property_declaration field_declaration',
    }),
    contains: nodes('namespace_declaration'),
    bodies: nodes('method_declaration constructor_declaration local_function_statement lambda_expression'),
    exported: 'by-modifier',
  },
  cpp: {
    defines: byNode({
      function: 'function_definition function_declarator preproc_function_def',
      class: 'class_specifier',
      type: 'struct_specifier enum_specifier union_specifier type_definition alias_declaration',
      variable: 'preproc_def init_declarator field_declaration',
    }),
    contains: nodes('namespace_definition'),
    bodies: nodes('function_definition lambda_expression'),
    exported: 'unless-private',
  },
  php: {
    defines: byNode({
      function: 'function_definition',
      class: 'class_declaration',
      type: 'interface_declaration trait_declaration enum_declaration',
      method: 'method_declaration',
      variable: 'const_element property_element',
    }),
    contains: [],
    bodies: nodes('function_definition method_declaration anonymous_function'),
    exported: 'unless-private',
  },
  ruby: {
    defines: byNode({
      class: 'class',
      type: 'module',
      method: 'method singleton_method',
      variable: 'assignment',
    }),
    contains: [],
    bodies: nodes('method singleton_method'),
    exported: 'unless-private',
  },
  bash: {
    defines: byNode({
      function: 'function_definition',
      variable: 'variable_assignment',
    }),
    contains: [],
    bodies: nodes('function_definition'),
    exported: 'unless-private',
  },
};
