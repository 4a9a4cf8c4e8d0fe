import type { Node, TreeCursor } from '@vscode/tree-sitter-wasm';
import { parse, type Reading, type SourceText } from './parse.ts';

export interface Use {
  readonly line: number;
  /** An import alone is no use, and neither is the definition itself. */
  readonly role: 'use' | 'import' | 'definition';
}

/** Finds a name in code, never in a comment or a string. Of `Account.balance` it finds the last part. */
export async function usesOf(source: SourceText, name: string): Promise<Reading<readonly Use[]>> {
  const wanted = name.split(/\.|::|#/).at(-1) ?? name;
  return parse(source, (root) => findUses(root, wanted));
}

const nameTypes = /(?:^|_)identifier(?:_pattern)?$|^(?:constant|name|variable_name|word|instance_variable)$/;
const importTypes =
  /^(?:import_\w+|use_declaration|using_directive|namespace_use_\w+|namespace_export|export_statement)$/;
// The field `name` of these nodes is what they define; a tag or a call also has one, but only uses it.
const definingTypes =
  /_(?:declaration|definition|item|spec|declarator|signature|alias|parameter)$|^(?:class|struct|enum|union)_specifier$|^(?:class|method|singleton_method|module|property_element)$/;

interface Above {
  readonly type: string;
  readonly isImport: boolean;
}

/** One pass without recursion or parent lookups: a file may nest to any depth. */
function findUses(root: Node, wanted: string): Use[] {
  const found: Use[] = [];
  const above: Above[] = [];
  const cursor = root.walk();
  try {
    for (let isInside = true; isInside;) {
      const use = nameTypes.test(cursor.nodeType) && cursor.nodeText === wanted ? toUse(cursor, above) : null;
      if (use !== null) found.push(use);
      const here = { type: cursor.nodeType, isImport: isImport(cursor, above.at(-1)) };
      if (cursor.gotoFirstChild()) {
        above.push(here);
        continue;
      }
      while (isInside && !cursor.gotoNextSibling()) {
        isInside = cursor.gotoParent();
        above.pop();
      }
    }
  } finally {
    cursor.delete();
  }
  return found;
}

function toUse(cursor: TreeCursor, above: readonly Above[]): Use | null {
  const parent = above.at(-1);
  const type = parent?.type ?? '';
  // In a shell script every argument is a word; only the first one names something.
  if (cursor.nodeType === 'word' && type !== 'command_name' && type !== 'function_definition') return null;
  const line = cursor.startPosition.row + 1;
  if (parent?.isImport === true) return { line, role: 'import' };
  const isDefined = cursor.currentFieldName === 'name' && definingTypes.test(type);
  return { line, role: isDefined ? 'definition' : 'use' };
}

/** An export from another file is an import; the body of an exported function is not. */
function isImport(cursor: TreeCursor, parent: Above | undefined): boolean {
  if (parent?.isImport === true) return true;
  if (!importTypes.test(cursor.nodeType)) return false;
  return cursor.nodeType !== 'export_statement' || cursor.currentNode.childForFieldName('source') !== null;
}
