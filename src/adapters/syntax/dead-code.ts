// Code that is never run or that nothing can get at, as far as the syntax alone tells.
import type { Node } from '@vscode/tree-sitter-wasm';
import type { Grammar } from '#analysis/repo-map/grammar-names.ts';

const never = /^(?:false|False|FALSE|0|null|None|nil|undefined|!1|!true|not True|''|"")$/;
const always = /^(?:true|True|TRUE|1|!0|!false|not False)$/;

const none: ReadonlySet<number> = new Set();
const branches = /^(?:if|elif|while|unless|preproc_if|preproc_elif)/;

/** The children of a node, by id, that are never run: `if (false) { … }`, `#if 0`, `#[cfg(any())]`. */
export function neverRun(node: Node, children: readonly Node[], grammar: Grammar): ReadonlySet<number> {
  if (grammar === 'rust') return leftOut(children);
  if (!branches.test(node.type)) return none;
  const condition = node.childForFieldName('condition');
  const other = node.childForFieldName('alternative');
  const text = condition?.text.replace(/^[\s(]+|[\s)]+$/g, '') ?? '';
  if (always.test(text)) return other === null ? none : new Set([other.id]);
  if (!never.test(text)) return none;
  return new Set(children.map(({ id }) => id).filter((id) => id !== condition?.id && id !== other?.id));
}

/** Rust's attributes stand before what they are about. */
function leftOut(children: readonly Node[]): ReadonlySet<number> {
  const found = new Set<number>();
  let isOut = false;
  for (const child of children) {
    if (child.type === 'attribute_item') isOut ||= isNowhere.test(child.text);
    else {
      if (isOut) found.add(child.id);
      isOut = false;
    }
  }
  return found;
}

const isNowhere = /\bcfg\(\s*(?:any\(\s*\)|false|FALSE|not\(\s*all\(\s*\)\s*\))\s*\)/;

/** In a module, what a block defines is the block's own; only a body of a namespace is none. */
export function isBlock(node: Node, grammar: Grammar): boolean {
  const isScript = grammar === 'typescript' || grammar === 'tsx' || grammar === 'javascript';
  return isScript && node.type === 'statement_block' && node.parent?.type.endsWith('module') !== true;
}

const names = ['identifier', 'type_identifier', 'shorthand_property_identifier', 'constant', 'word', 'name'];

/** Where each name stands in a file; read when it is first asked for, because most files need none of it. */
export function nameIndex(root: Node): () => ReadonlyMap<string, readonly number[]> {
  let index: Map<string, number[]> | null = null;
  return () => {
    if (index !== null) return index;
    index = new Map();
    for (const node of root.descendantsOfType(names)) {
      if (node === null) continue;
      const places = index.get(node.text);
      if (places === undefined) index.set(node.text, [node.startIndex]);
      else places.push(node.startIndex);
    }
    return index;
  };
}

/** Whether one of these places is in `scope`, and outside of the definition itself. */
export function isNamedIn(scope: Node, definition: Node, places: readonly number[]): boolean {
  const isIn = (node: Node, at: number): boolean => at >= node.startIndex && at < node.endIndex;
  return places.some((at) => isIn(scope, at) && !isIn(definition, at));
}
