import type { SymbolCheck } from '#kernel/model/check.ts';
import type { RepositoryFacts } from './facts.ts';
import { type Inference, understood } from './inference.ts';
import { certainty, matchWhole, nameOf, pathOf, patterns } from './match.ts';
import { isOfCode, isReadable } from './names.ts';
import type { Sentence, Token } from './sentence.ts';

const parts = {
  kind: 'function|class|component|hook|type|method|helper|constant|variable|struct|react component',
  place: 'component|page|module|file|class',
};

const uses = patterns(
  parts,
  '(?:{kind} )?@name@(?: {kind})? is (?:used|called|invoked|rendered) (?:in|by|from|inside|within) (?:{place} )?@place@(?: {place})?',
  '(?:{place} )?@place@(?: {place})? (?:uses|calls|invokes|renders) (?:{kind} )?@name@(?: {kind})?',
  '(?:use|call|invoke|render) (?:{kind} )?@name@(?: {kind})? (?:in|from|inside|within) (?:{place} )?@place@(?: {place})?',
);

/** "X is used in Y": a name in the syntax tree of one file. */
export function inferUse(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const found = matchWhole(sentence, uses);
  if (found === null) return null;
  const [name, place] = [found.token('name'), found.token('place')];
  const wanted = nameOf(name);
  const file = pathOf(place, facts) ?? fileOfSymbol(place, facts);
  if (
    wanted === null ||
    file === null ||
    !isReadable(file) ||
    name === null ||
    !isOfCode({ ...name, isCode: false }, facts)
  )
    return null;
  const check: SymbolCheck = { kind: 'symbol', name: wanted, what: 'use', file };
  return understood([check], certainty(name, place), `it names ${wanted} and where it is used, ${file}`);
}

/** A component represents its file if the file is named after it. */
function fileOfSymbol(token: Token | null, { symbols }: RepositoryFacts): string | null {
  const files = symbols.filter(({ name }) => name === token?.text).map(({ file }) => file);
  const [file] = files;
  if (file === undefined || files.length > 1) return null;
  const base = file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return base === token?.text ? file : null;
}
