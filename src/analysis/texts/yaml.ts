// Reads YAML as plain JSON: anchors and merges resolved, one value per document. Pure.
import { Composer, type CST, isScalar, Lexer, Parser, visit, type Document } from 'yaml';
import { toPlain } from './plain.ts';

// The parser reads about 2 MB per second, and less on a text full of errors.
const charactersMax = 4 * 1024 * 1024;
// An alias of an alias of an alias grows without limit.
const aliasesMax = 100;
// Beyond some thousand levels the parser does not throw: it crashes the whole process.
const depthMax = 100;
const documentsMax = 10;

/** `text` keeps every scalar as written: `3.10` is a version, not a number. */
export type Scalars = 'typed' | 'text';

/** Contract: null for a text with errors, duplicate or non-scalar keys, or more than the limits allow. */
export function readYaml(text: string, scalars: Scalars): unknown[] | null {
  if (text.length > charactersMax || isTooDeep(text)) return null;
  try {
    const schema = scalars === 'text' ? 'failsafe' : 'core';
    // `uniqueKeys` compares every key with every other: minutes for a large lock file.
    const composer = new Composer({ schema, merge: true, uniqueKeys: false });
    const values: unknown[] = [];
    for (const document of composer.compose(soundTokens(text))) {
      if (values.length === documentsMax || document.errors.length > 0 || hasOddKeys(document)) return null;
      values.push(toPlain(document.toJS({ maxAliasCount: aliasesMax })));
    }
    return values;
  } catch {
    return null;
  }
}

/** Stops at the first error: the parser collects errors, and a text of nothing else takes minutes. */
function* soundTokens(text: string): Generator<CST.Token> {
  for (const token of new Parser().parse(text)) {
    if (token.type === 'error') throw new SyntaxError(token.message);
    yield token;
  }
}

/** A key that occurs twice, or that only some parsers can turn into a name. */
function hasOddKeys(document: Document): boolean {
  let isOdd = false;
  visit(document, {
    Map(_, { items }) {
      const names = items.map(({ key }) => (isScalar(key) ? String(key.value) : null));
      isOdd ||= names.includes(null) || new Set(names).size < names.length;
      return isOdd ? visit.BREAK : undefined;
    },
  });
  return isOdd;
}

/** Open brackets and nested blocks: each needs its own column. */
function isTooDeep(text: string): boolean {
  if (new RegExp(`^[ \\t?:-]{${depthMax * 8}}`, 'm').test(text)) return true;
  let [depth, isScalarNext] = [0, false];
  for (const lexeme of new Lexer().lex(text)) {
    if (!isScalarNext && (lexeme === '[' || lexeme === '{')) depth += 1;
    if (!isScalarNext && (lexeme === ']' || lexeme === '}')) depth -= 1;
    if (depth > depthMax) return true;
    isScalarNext = lexeme === '\u001F';
  }
  return false;
}
