// Which nodes define something, for each grammar; the walk in definitions.ts is the same for all.
import type { Definition } from './definition.ts';
import type { Grammar } from '#analysis/repo-map/grammar-names.ts';

export interface Rules {
  readonly defines: Readonly<Record<string, Definition['what']>>;
  /** Give a name to what is inside, and define nothing themselves. */
  readonly contains: readonly string[];
  /** In them, every definition is local. */
  readonly bodies: readonly string[];
  readonly exported: 'by-statement' | 'by-capital' | 'by-underscore' | 'by-modifier' | 'unless-private';
}

const script: Rules = {
  defines: {
    function_declaration: 'function',
    generator_function_declaration: 'function',
    function_signature: 'function',
    class_declaration: 'class',
    abstract_class_declaration: 'class',
    interface_declaration: 'type',
    type_alias_declaration: 'type',
    enum_declaration: 'type',
    method_definition: 'method',
    abstract_method_signature: 'method',
    method_signature: 'method',
    public_field_definition: 'variable',
    field_definition: 'variable',
    variable_declarator: 'variable',
  },
  contains: ['internal_module', 'module'],
  bodies: [
    'function_declaration',
    'generator_function_declaration',
    'method_definition',
    'arrow_function',
    'function_expression',
  ],
  exported: 'by-statement',
};

export const rulesOf: Readonly<Record<Grammar, Rules>> = {
  typescript: script,
  tsx: script,
  javascript: script,
  python: {
    defines: {
      function_definition: 'function',
      class_definition: 'class',
      assignment: 'variable',
      type_alias_statement: 'type',
    },
    contains: [],
    bodies: ['function_definition', 'lambda'],
    exported: 'by-underscore',
  },
  go: {
    defines: {
      function_declaration: 'function',
      method_declaration: 'method',
      method_elem: 'method',
      type_spec: 'type',
      type_alias: 'type',
      const_spec: 'variable',
      var_spec: 'variable',
    },
    contains: [],
    bodies: ['function_declaration', 'method_declaration', 'func_literal'],
    exported: 'by-capital',
  },
  rust: {
    defines: {
      function_item: 'function',
      function_signature_item: 'function',
      struct_item: 'type',
      enum_item: 'type',
      union_item: 'type',
      trait_item: 'type',
      type_item: 'type',
      const_item: 'variable',
      static_item: 'variable',
      macro_definition: 'function',
    },
    contains: ['impl_item', 'mod_item'],
    bodies: ['function_item', 'closure_expression'],
    exported: 'by-modifier',
  },
  java: {
    defines: {
      class_declaration: 'class',
      record_declaration: 'class',
      interface_declaration: 'type',
      annotation_type_declaration: 'type',
      enum_declaration: 'type',
      method_declaration: 'method',
      constructor_declaration: 'method',
      field_declaration: 'variable',
    },
    contains: [],
    bodies: ['method_declaration', 'constructor_declaration', 'lambda_expression'],
    exported: 'by-modifier',
  },
  'c-sharp': {
    defines: {
      class_declaration: 'class',
      record_declaration: 'class',
      struct_declaration: 'type',
      interface_declaration: 'type',
      enum_declaration: 'type',
      delegate_declaration: 'type',
      method_declaration: 'method',
      local_function_statement: 'function',
      constructor_declaration: 'method',
      property_declaration: 'variable',
      field_declaration: 'variable',
    },
    contains: ['namespace_declaration'],
    bodies: [
      'method_declaration',
      'constructor_declaration',
      'local_function_statement',
      'lambda_expression',
    ],
    exported: 'by-modifier',
  },
  cpp: {
    defines: {
      function_definition: 'function',
      function_declarator: 'function',
      class_specifier: 'class',
      struct_specifier: 'type',
      enum_specifier: 'type',
      union_specifier: 'type',
      type_definition: 'type',
      alias_declaration: 'type',
      preproc_def: 'variable',
      preproc_function_def: 'function',
      init_declarator: 'variable',
      field_declaration: 'variable',
    },
    contains: ['namespace_definition'],
    bodies: ['function_definition', 'lambda_expression'],
    exported: 'unless-private',
  },
  php: {
    defines: {
      function_definition: 'function',
      class_declaration: 'class',
      interface_declaration: 'type',
      trait_declaration: 'type',
      enum_declaration: 'type',
      method_declaration: 'method',
      const_element: 'variable',
      property_element: 'variable',
    },
    contains: [],
    bodies: ['function_definition', 'method_declaration', 'anonymous_function'],
    exported: 'unless-private',
  },
  ruby: {
    defines: {
      class: 'class',
      module: 'type',
      method: 'method',
      singleton_method: 'method',
      assignment: 'variable',
    },
    contains: [],
    bodies: ['method', 'singleton_method'],
    exported: 'unless-private',
  },
  bash: {
    defines: { function_definition: 'function', variable_assignment: 'variable' },
    contains: [],
    bodies: ['function_definition'],
    exported: 'unless-private',
  },
};
