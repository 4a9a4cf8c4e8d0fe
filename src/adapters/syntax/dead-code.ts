// Finds code that never runs or that nothing can reach, as far as the syntax shows.
import type { Node } from '@vscode/tree-sitter-wasm';
import type { Grammar } from '#analysis/repo-map/grammar-names.ts';

const never = /^(?:false|False|FALSE|0|null|None|nil|undefined|!1|!true|not True|''|"")$/;
const always = /^(?:true|True|TRUE|1|!0|!false|not False)$/;

const none: ReadonlySet<number> = new Set();
const branches = /^(?:if|elif|while|unless|preproc_if|preproc_elif)/;

/** Ids of the children that never run: `if (false) { … }`, `#if 0`, `#[cfg(any())]`. */
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

/** Rust's attributes precede the item that they apply to. */
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

/** In a script, definitions in a block are local to it; the body of a namespace is no block. */
export function isBlock(node: Node, grammar: Grammar): boolean {
  const isScript = grammar === 'typescript' || grammar === 'tsx' || grammar === 'javascript';
  return isScript && node.type === 'statement_block' && node.parent?.type.endsWith('module') !== true;
}

const names = ['identifier', 'type_identifier', 'shorthand_property_identifier', 'constant', 'word', 'name'];

/** Positions of each name in a file; computed lazily, because most files need none. */
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

/** Whether one of these positions is in `scope` and outside of the definition itself. */
export function isNamedIn(scope: Node, definition: Node, places: readonly number[]): boolean {
  const isIn = (node: Node, at: number): boolean => at >= node.startIndex && at < node.endIndex;
  return places.some((at) => isIn(scope, at) && !isIn(definition, at));
}
