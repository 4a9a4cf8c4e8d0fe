// Which nodes a map shows, for each grammar, and how much of each.
import type { Grammar } from './grammars.ts';

/**
 * callable: up to its body · container: the same, then its members · names: the same, then only the names inside ·
 * whole: all of its text · value: up to its value · through: nothing itself, but what is inside.
 */
export type Showing = 'callable' | 'container' | 'names' | 'whole' | 'value' | 'through';

export interface SignatureRules {
  readonly shows: Readonly<Record<string, Showing>>;
  /** Nodes whose text begins a line: comments that a person wrote for readers. */
  readonly comments: readonly string[];
  /** Nodes that name another file. */
  readonly imports: readonly string[];
}

const script: SignatureRules = {
  shows: {
    export_statement: 'through',
    ambient_declaration: 'through',
    expression_statement: 'through',
    internal_module: 'container',
    module: 'container',
    function_declaration: 'callable',
    generator_function_declaration: 'callable',
    function_signature: 'callable',
    class_declaration: 'container',
    abstract_class_declaration: 'container',
    class: 'container',
    method_definition: 'callable',
    method_signature: 'callable',
    abstract_method_signature: 'callable',
    public_field_definition: 'value',
    field_definition: 'value',
    interface_declaration: 'names',
    enum_declaration: 'names',
    type_alias_declaration: 'whole',
    lexical_declaration: 'value',
    variable_declaration: 'value',
    export_clause: 'whole',
    assignment_expression: 'value',
  },
  comments: ['comment'],
  imports: ['import_statement', 'export_statement', 'lexical_declaration', 'variable_declaration'],
};

export const signatureRules: Readonly<Record<Grammar, SignatureRules>> = {
  typescript: script,
  tsx: script,
  javascript: script,
  python: {
    shows: {
      decorated_definition: 'through',
      if_statement: 'through',
      else_clause: 'through',
      elif_clause: 'through',
      try_statement: 'through',
      except_clause: 'through',
      block: 'through',
      function_definition: 'callable',
      class_definition: 'container',
      type_alias_statement: 'whole',
    },
    comments: ['comment', 'expression_statement'],
    imports: ['import_statement', 'import_from_statement'],
  },
  go: {
    shows: {
      type_declaration: 'through',
      const_declaration: 'names',
      var_declaration: 'names',
      function_declaration: 'callable',
      method_declaration: 'callable',
      type_spec: 'names',
      type_alias: 'whole',
    },
    comments: ['comment'],
    imports: ['import_declaration'],
  },
  rust: {
    shows: {
      foreign_mod_item: 'through',
      declaration_list: 'through',
      mod_item: 'container',
      impl_item: 'container',
      trait_item: 'container',
      function_item: 'callable',
      function_signature_item: 'callable',
      struct_item: 'names',
      enum_item: 'names',
      union_item: 'names',
      type_item: 'whole',
      const_item: 'value',
      static_item: 'value',
      use_declaration: 'whole',
    },
    comments: ['line_comment', 'block_comment'],
    imports: ['use_declaration', 'mod_item'],
  },
  java: {
    shows: {
      class_declaration: 'container',
      record_declaration: 'container',
      interface_declaration: 'container',
      annotation_type_declaration: 'container',
      enum_declaration: 'container',
      enum_body_declarations: 'through',
      method_declaration: 'callable',
      constructor_declaration: 'callable',
    },
    comments: ['line_comment', 'block_comment'],
    imports: ['import_declaration'],
  },
  'c-sharp': {
    shows: {
      namespace_declaration: 'through',
      file_scoped_namespace_declaration: 'through',
      declaration_list: 'through',
      class_declaration: 'container',
      record_declaration: 'container',
      struct_declaration: 'container',
      interface_declaration: 'container',
      enum_declaration: 'names',
      delegate_declaration: 'whole',
      method_declaration: 'callable',
      constructor_declaration: 'callable',
      property_declaration: 'value',
    },
    comments: ['comment'],
    imports: ['using_directive'],
  },
  cpp: {
    shows: {
      preproc_ifdef: 'through',
      preproc_if: 'through',
      preproc_else: 'through',
      preproc_elif: 'through',
      linkage_specification: 'through',
      declaration_list: 'through',
      template_declaration: 'through',
      namespace_definition: 'through',
      function_definition: 'callable',
      declaration: 'value',
      field_declaration: 'value',
      class_specifier: 'container',
      struct_specifier: 'container',
      union_specifier: 'names',
      enum_specifier: 'names',
      type_definition: 'whole',
      alias_declaration: 'whole',
      preproc_function_def: 'value',
    },
    comments: ['comment'],
    imports: ['preproc_include'],
  },
  php: {
    shows: {
      namespace_definition: 'through',
      compound_statement: 'through',
      function_definition: 'callable',
      class_declaration: 'container',
      interface_declaration: 'container',
      trait_declaration: 'container',
      enum_declaration: 'container',
      method_declaration: 'callable',
    },
    comments: ['comment'],
    imports: ['namespace_use_declaration'],
  },
  ruby: {
    shows: {
      module: 'container',
      class: 'container',
      method: 'callable',
      singleton_method: 'callable',
      singleton_class: 'through',
      body_statement: 'through',
    },
    comments: ['comment'],
    imports: ['call'],
  },
  bash: { shows: { function_definition: 'callable' }, comments: ['comment'], imports: [] },
};
