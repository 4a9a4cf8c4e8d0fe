import type { Node } from '@vscode/tree-sitter-wasm';
import type { Definition } from './definition.ts';
import type { Grammar } from '#analysis/repo-map/grammar-names.ts';

const functionTypes = new Set(
  'arrow_function function_expression generator_function lambda func_literal lambda_expression'.split(' '),
);

/** The real kind of a variable: `const f = () => …` is a function. */
export function valueKind(node: Node, grammar: Grammar, isMember: boolean): Definition['what'] {
  const value = unwrapped(node.childForFieldName('value') ?? node.childForFieldName('right'));
  if (value === null) return 'variable';
  if (functionTypes.has(value.type)) return isMember ? 'method' : 'function';
  if (value.type === 'class') return 'class';
  // Wrappers of a component: `memo(() => …)`, `forwardRef(function …)`.
  const isWrapped =
    value.type === 'call_expression' && /^(?:React\.)?(?:memo|forwardRef|lazy)\b/.test(value.text);
  return isWrapped && grammar !== 'python' ? 'function' : 'variable';
}

function unwrapped(value: Node | null): Node | null {
  let inner = value;
  while (inner !== null && /^(?:parenthesized|as|satisfies|non_null)_expression$/.test(inner.type))
    inner = inner.namedChild(0);
  return inner;
}

/** Whether a function or class returns markup, as a component does. */
export function isMarkup(node: Node, grammar: Grammar): boolean {
  if (grammar !== 'tsx' && grammar !== 'javascript') return false;
  const isLazy = /^(?:React\.)?lazy\b/.test(node.childForFieldName('value')?.text ?? '');
  return isLazy || node.descendantsOfType(['jsx_element', 'jsx_self_closing_element']).length > 0;
}
