// Makes the outline of a file for a map: its signatures, line by line, without bodies.
import type { Node } from '@vscode/tree-sitter-wasm';
import { type Grammar, grammarOf } from '#analysis/repo-map/grammar-names.ts';
import { parse, type Reading, type SourceText } from './parse.ts';
import { isHidden, isLeftOut } from './public.ts';
import { headOf, namesInside } from './signature-text.ts';
import { type Showing, type Shown, signatureRules } from './signature-rules.ts';
import { withoutBodies } from '#analysis/repo-map/without-bodies.ts';

export interface Signature {
  /** 0 at the top level, 1 for members, and so on. */
  readonly depth: number;
  readonly text: string;
  readonly isPublic: boolean;
}

export interface QuickReading {
  readonly reading: Reading<readonly Signature[]>;
  /** Whether the text without bodies was enough. */
  readonly isShort: boolean;
}

/** Empties bodies first; if the rest does not parse, uses the whole text. */
export async function outlineOf({ path, text }: SourceText): Promise<QuickReading> {
  const grammar = grammarOf(path);
  const sketch = grammar === null ? null : withoutBodies(text, grammar);
  if (sketch !== null) {
    const reading = await parse({ path, text: sketch.code }, signaturesOf);
    if (reading.kind === 'read' && !reading.hasErrors) return { reading, isShort: true };
  }
  return { reading: await wholeOutlineOf({ path, text }), isShort: false };
}

/** As `outlineOf`, from the whole text: slower, but it does not depend on finding bodies. */
export async function wholeOutlineOf(source: SourceText): Promise<Reading<readonly Signature[]>> {
  return parse(source, signaturesOf);
}

interface OutlineContext {
  readonly grammar: Grammar;
  readonly shows: Shown;
  readonly signatures: Signature[];
}

export interface SignaturePlace {
  readonly depth: number;
  /** The depth in the tree, whatever is shown of it. */
  readonly level: number;
  readonly isPublic: boolean;
  /** Where the text begins if a node around it belongs to it: `export`, `template <…>`. */
  readonly start: number | null;
  /** The enclosing node with members; null at the top. */
  readonly owner: Node | null;
}

// Deeper than any real definition; such files are malicious.
const levelMax = 24;
// A file with more is a table, not code for people.
const signaturesMax = 2_000;

function signaturesOf(root: Node, grammar: Grammar): readonly Signature[] {
  const into: OutlineContext = { grammar, shows: signatureRules[grammar], signatures: [] };
  const isScript = grammar === 'typescript' || grammar === 'tsx' || grammar === 'javascript';
  const isOpen = !isScript || (grammar === 'javascript' && isCommonJs(root));
  walk(root, into, { depth: 0, level: 0, isPublic: isOpen, start: null, owner: null });
  return into.signatures;
}

/** A CommonJS module exports one object, which may hold everything in the file. */
function isCommonJs(root: Node): boolean {
  return (
    !root.namedChildren.some((node) => node?.type === 'export_statement') && /\bexports\b/.test(root.text)
  );
}

function walk(parent: Node, into: OutlineContext, place: SignaturePlace): void {
  // A C++ class is private by default; a template or `#if` inside has the access of its place.
  let isHiddenFromHere = place.owner?.type === 'class_specifier' && parent.type === 'field_declaration_list';
  for (const node of parent.namedChildren) {
    if (node === null || into.signatures.length >= signaturesMax) continue;
    isHiddenFromHere = switched(node, into.grammar, isHiddenFromHere);
    const showing = into.shows[node.type];
    if (showing === undefined || isLeftOut(node, into.grammar, place)) continue;
    const isPublic = place.isPublic && !isHiddenFromHere;
    if (showing === 'through' && !passesOn(node)) walkThrough(node, into, { ...place, isPublic });
    else if (showing === 'through') show(node, 'whole', into, { ...place, isPublic: true });
    else show(node, showing, into, { ...place, isPublic: isPublic && !isHidden(node, into.grammar, place) });
  }
}

/** Matches `export … from './x'`. */
function passesOn(node: Node): boolean {
  return node.type === 'export_statement' && node.childForFieldName('source') !== null;
}

/** C++ and Ruby set the access once for all members below. */
function switched(node: Node, grammar: Grammar, isHiddenNow: boolean): boolean {
  if (grammar === 'cpp' && node.type === 'access_specifier') return !node.text.startsWith('public');
  if (grammar === 'ruby' && node.type === 'identifier') {
    if (/^(?:private|protected)$/.test(node.text)) return true;
    if (node.text === 'public') return false;
  }
  return isHiddenNow;
}

function walkThrough(node: Node, into: OutlineContext, place: SignaturePlace): void {
  if (place.level >= levelMax) return;
  const isExport = node.type === 'export_statement' || node.type === 'ambient_declaration';
  const takesAlong = isExport || node.type === 'template_declaration';
  walk(node, into, {
    ...place,
    level: place.level + 1,
    isPublic: place.isPublic || isExport,
    start: takesAlong ? (place.start ?? node.startIndex) : null,
  });
}

function show(node: Node, showing: Showing, into: OutlineContext, place: SignaturePlace): void {
  const text = headOf(node, showing, into.grammar, place.start);
  const isNamed = showing === 'names' || node.type === 'enum_declaration' || node.type === 'struct_specifier';
  const names = isNamed ? namesInside(node, into.grammar) : '';
  // Go constants that are not exported.
  if (text === '' || (names === '' && /^(?:const|var)$/.test(text))) return;
  into.signatures.push({
    depth: place.depth,
    text: names === '' ? text : `${text} ${names}`,
    isPublic: place.isPublic,
  });
  const body = node.childForFieldName('body');
  if (showing !== 'container' || body === null || place.level >= levelMax) return;
  walk(body, into, {
    depth: place.depth + 1,
    level: place.level + 1,
    isPublic: place.isPublic,
    start: null,
    owner: node,
  });
}
