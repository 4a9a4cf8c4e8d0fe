import type { Node } from '@vscode/tree-sitter-wasm';
import type { Definition } from './definition.ts';
import type { Grammar } from '#analysis/repo-map/grammar-names.ts';
import { isBlock, isNamedIn, nameIndex, neverRun } from './dead-code.ts';
import { namesOf } from './names.ts';
import { parse, type Reading, type SourceText } from './parse.ts';
import { passedOn, scriptExports } from './passed-on.ts';
import { type Rules, rulesOf } from './rules.ts';
import { isMarkup, valueKind } from './values.ts';
import { present } from './nodes.ts';

/** All definitions of a file, in order. */
export async function definitionsOf(source: SourceText): Promise<Reading<readonly Definition[]>> {
  return parse(source, (root, grammar) => {
    const found: Definition[] = [];
    walk(
      root,
      { grammar, rules: rulesOf[grammar], found, root, names: nameIndex(root) },
      { within: null, scope: null, isDead: false, isExported: false, depth: 0 },
    );
    return withExports(found, root, grammar, source.path);
  });
}

interface Walk {
  readonly grammar: Grammar;
  readonly rules: Rules;
  readonly found: Definition[];
  readonly root: Node;
  readonly names: ReturnType<typeof nameIndex>;
}

interface Place {
  readonly within: string | null;
  /** The function or block to which everything here is local; null for the file. */
  readonly scope: Node | null;
  readonly isDead: boolean;
  readonly isExported: boolean;
  readonly depth: number;
}

/** Deeper than any definition; an expression may nest without end. */
const depthMax = 300;

function walk(node: Node, into: Walk, place: Place): void {
  const what = into.rules.defines[node.type];
  const defined = what === undefined ? [] : define(node, what, into, place);
  into.found.push(...defined);
  if (place.depth > depthMax || node.type === 'string') return;
  const inner = placeInside(node, defined, into, place);
  const children = present(node.namedChildren);
  const dead = neverRun(node, children, into.grammar);
  for (const child of children) walk(child, into, dead.has(child.id) ? { ...inner, isDead: true } : inner);
}

function placeInside(
  node: Node,
  defined: readonly Definition[],
  { rules, grammar }: Walk,
  place: Place,
): Place {
  const isBody = rules.bodies.includes(node.type);
  const owner = defined.find(({ isClass, what }) => isClass || what === 'type');
  const container = rules.contains.includes(node.type)
    ? (node.childForFieldName('type') ?? node.childForFieldName('name'))
    : null;
  return {
    within: isBody ? null : (owner?.name ?? container?.text.replace(/<.*$/s, '') ?? place.within),
    scope: isBody || (place.scope === null && isBlock(node, grammar)) ? node : place.scope,
    isDead: place.isDead,
    isExported: !isBody && (node.type === 'export_statement' || (place.isExported && owner === undefined)),
    depth: place.depth + 1,
  };
}

function define(node: Node, what: Definition['what'], into: Walk, place: Place): Definition[] {
  const { grammar, rules } = into;
  const kind = kindOf(node, what, grammar, place);
  const isLocal = place.scope !== null || place.isDead;
  if (isLocal && kind === 'variable') return [];
  return namesOf(node, grammar).map((name) => {
    const receiver = receiverOf(node, grammar);
    const isComponent =
      (kind === 'function' || kind === 'class') && /^[A-Z]/.test(name) && isMarkup(node, grammar);
    return {
      name,
      what: isComponent ? 'component' : kind,
      isExported: !isLocal && isExported(node, name, rules, place),
      isLocal,
      isReached: kind === 'method' ? !place.isDead : isReached(node, name, into, place),
      isClass: kind === 'class',
      within: receiver ?? place.within,
      line: node.startPosition.row + 1,
    };
  });
}

/** Not for a method: it belongs to a value that may go anywhere. */
function isReached(node: Node, name: string, { root, names }: Walk, { scope, isDead }: Place): boolean {
  if (isDead || scope === null) return !isDead;
  // Old scripts expose a function outside of its block.
  const around = scope.type === 'statement_block' ? root : scope;
  return isNamedIn(around, node, names().get(name) ?? []);
}

function kindOf(node: Node, what: Definition['what'], grammar: Grammar, place: Place): Definition['what'] {
  if (what === 'variable') return valueKind(node, grammar, place.within !== null);
  if (what === 'function' && place.within !== null && isMember(node, grammar)) return 'method';
  return what;
}

/** If functions and methods look alike, the place decides. */
function isMember(node: Node, grammar: Grammar): boolean {
  const above = node.parent?.parent?.type ?? '';
  return grammar === 'python' || (grammar === 'rust' && ['impl_item', 'trait_item'].includes(above));
}

/** Go writes a method beside its type. */
function receiverOf(node: Node, grammar: Grammar): string | null {
  if (grammar !== 'go' || node.type !== 'method_declaration') return null;
  return node.childForFieldName('receiver')?.descendantsOfType('type_identifier')[0]?.text ?? null;
}

function isExported(node: Node, name: string, { exported }: Rules, place: Place): boolean {
  switch (exported) {
    case 'by-statement':
      return place.isExported;
    case 'by-capital':
      return /^\p{Lu}/u.test(name);
    case 'by-underscore':
      return !name.startsWith('_');
    case 'by-modifier':
      return node.namedChildren.some(
        (child) => child !== null && /modifier/.test(child.type) && /^pub$|\bpublic\b/.test(child.text),
      );
    case 'unless-private':
      return !node.namedChildren.some(
        (child) => child !== null && /^(?:private|protected)$/.test(child.text),
      );
  }
}

/** Adds exports by name elsewhere in the file: `export { a as b }`, `module.exports`, `pub use`. */
function withExports(found: readonly Definition[], root: Node, grammar: Grammar, path: string): Definition[] {
  const exports = ['typescript', 'tsx', 'javascript'].includes(grammar) ? scriptExports(root) : [];
  const marked = found.map((definition) =>
    exports.some(({ local, as }) => local === definition.name && as === local) && definition.within === null
      ? { ...definition, isExported: !definition.isLocal }
      : definition,
  );
  const others = exports.filter(({ local, as }) => local !== as || !found.some(({ name }) => name === local));
  return [
    ...marked,
    ...others.map(({ local, as, line, what }) =>
      exportedAs(
        { name: as, line, what },
        found.find(({ name }) => name === local),
      ),
    ),
    ...passedOn(root, grammar, path).map(({ name, line }) =>
      exportedAs({ name, line, what: 'export' }, undefined),
    ),
  ];
}

function exportedAs(
  definition: Pick<Definition, 'name' | 'line' | 'what'>,
  same: Definition | undefined,
): Definition {
  const what = same?.what ?? definition.what;
  const isClass = same?.isClass ?? what === 'class';
  const isReached = same?.isReached ?? true;
  const { name, line } = definition;
  return { name, what, isExported: true, isLocal: false, isReached, isClass, within: null, line };
}
