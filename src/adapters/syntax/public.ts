// Decides what other files can use from a file, by the rules of each language.
import type { Node } from '@vscode/tree-sitter-wasm';
import type { Grammar } from '#analysis/repo-map/grammar-names.ts';
import type { SignaturePlace } from './outline.ts';

/** Private: shown only if a file has nothing else. */
export function isHidden(node: Node, grammar: Grammar, { owner }: SignaturePlace): boolean {
  switch (grammar) {
    case 'python':
      return /^_(?!_init__$)/.test(nameOf(node));
    case 'go':
      return node.type.endsWith('_declaration') && nameOf(node) === ''
        ? false
        : !/^\p{Lu}/u.test(nameOf(node));
    case 'rust':
      return !isShownInRust(node, owner);
    case 'java':
      return !isInterface(owner) && !/\bpublic\b/.test(modifiersOf(node));
    case 'c-sharp':
      return owner !== null && !isInterface(owner) && !/\bpublic\b/.test(modifiersOf(node));
    case 'cpp':
      return owner === null && /^static\b/.test(node.text.slice(0, 7));
    case 'javascript':
      return (
        (node.childForFieldName('name') ?? node.childForFieldName('property'))?.type ===
          'private_property_identifier' || isOwnVariable(node, owner)
      );
    default:
      return /\b(?:private|protected)\b/.test(modifiersOf(node)) || nameOf(node).startsWith('#');
  }
}

/** Never shown, wherever it is. */
export function isLeftOut(node: Node, grammar: Grammar, { owner }: SignaturePlace): boolean {
  switch (grammar) {
    case 'rust':
      // The trait itself declares its methods; tests are no part of the code.
      return (
        (node.type === 'impl_item' && node.childForFieldName('trait') !== null) ||
        (node.type === 'mod_item' &&
          (node.childForFieldName('body') === null || /^tests?$/.test(nameOf(node)))) ||
        (node.type === 'use_declaration' && !/^pub\b/.test(node.text.slice(0, 4)))
      );
    case 'cpp':
      return isLeftOutInCpp(node, owner);
    case 'typescript':
    case 'tsx':
    case 'javascript':
      return (
        (node.type === 'assignment_expression' && !/^(?:module\.)?exports\b/.test(node.text.slice(0, 20))) ||
        (node.type === 'class' && node.childForFieldName('body') === null)
      );
    default:
      return false;
  }
}

function isLeftOutInCpp(node: Node, owner: Node | null): boolean {
  if (node.type === 'declaration' || node.type === 'field_declaration') {
    const declarator = innermost(node.childForFieldName('declarator'));
    return (
      declarator?.type !== 'function_declarator' &&
      !(owner === null && /^extern\b/.test(node.text.slice(0, 7)))
    );
  }
  // A forward declaration.
  return node.type.endsWith('_specifier') && node.childForFieldName('body') === null;
}

function innermost(node: Node | null): Node | null {
  let at = node;
  while (at !== null && (at.type === 'pointer_declarator' || at.type === 'reference_declarator')) {
    at = at.childForFieldName('declarator') ?? at.namedChild(0);
  }
  return at;
}

function isShownInRust(node: Node, owner: Node | null): boolean {
  if (owner?.type === 'trait_item' || node.type === 'impl_item') return true;
  return node.namedChild(0)?.type === 'visibility_modifier';
}

/** A variable of a script that is not exported. */
function isOwnVariable(node: Node, owner: Node | null): boolean {
  const isVariable = /^(?:variable|lexical)_declaration$/.test(node.type);
  return isVariable && owner === null && node.parent?.type !== 'export_statement';
}

function isInterface(owner: Node | null): boolean {
  return owner !== null && /^(?:interface|annotation_type)_declaration$/.test(owner.type);
}

function nameOf(node: Node): string {
  return node.childForFieldName('name')?.text ?? '';
}

function modifiersOf(node: Node): string {
  let text = '';
  for (let at = 0; at < Math.min(node.namedChildCount, 6); at += 1) {
    const child = node.namedChild(at);
    if (child !== null && child.type.includes('modifier')) text += ` ${child.text.slice(0, 200)}`;
  }
  return text;
}
