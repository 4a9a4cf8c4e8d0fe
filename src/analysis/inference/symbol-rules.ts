import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import type { SymbolCheck } from '#kernel/model/check.ts';
import type { RepositoryFacts } from './facts.ts';
import { ask, type Inference, understood } from './inference.ts';
import { certainty, type Match, matchWhole, nameOf, pathOf, patterns } from './match.ts';
import { isOfCode, isReadable, isDistinctiveName } from './names.ts';
import type { Sentence } from './sentence.ts';

type What = Exclude<SymbolCheck['what'], 'use'>;

const kinds: Readonly<Record<string, What>> = {
  function: 'function',
  'helper function': 'function',
  'utility function': 'function',
  'async function': 'function',
  'factory function': 'function',
  method: 'function',
  hook: 'function',
  class: 'class',
  'exception class': 'class',
  'error class': 'class',
  exception: 'class',
  type: 'type',
  'type alias': 'type',
  interface: 'type',
  struct: 'type',
  enum: 'type',
  trait: 'type',
  component: 'component',
  'react component': 'component',
  constant: 'variable',
  variable: 'variable',
};

const parts = {
  kind: Object.keys(kinds)
    .toSorted((one, other) => other.length - one.length)
    .join('|'),
  exists: 'exists|is defined|is declared|is present|is added|is created|is available',
  in: 'in|inside|within|from|to',
  named: 'called |named ',
  public: 'exported |public ',
};

const defined = patterns(
  parts,
  '(?<public>{public})?(?:(?<kind>{kind}) )?(?:{named})?@name@(?: (?<after>{kind}))? (?<exists>{exists})(?: (?<in>{in}) (?:file )?@path@)?',
  'there (?:is|exists) (?<public>{public})?(?<kind>{kind}) (?:{named})?@name@(?: (?<in>{in}) (?:file )?@path@)?',
  'there (?:is|exists) (?<public>{public})?@name@ (?<kind>{kind})(?: (?<in>{in}) (?:file )?@path@)?',
  '(?:file |module )?@path@ (?:defines|declares) (?<public>{public})?(?:(?<kind>{kind}) )?(?:{named})?@name@(?: (?<after>{kind}))?',
  '(?:file |module )?@path@ (?<holds>contains|has|provides|includes) (?<public>{public})?(?<kind>{kind}) (?:{named})?@name@',
  '(?:file |module )?@path@ (?<holds>contains|has|provides|includes) (?<public>{public})?@name@ (?<kind>{kind})',
  '(?:add|create|define|introduce|declare) (?<public>{public})?(?<kind>{kind}) (?:{named})?@name@(?: (?<in>{in}) (?:file )?@path@)?',
  '(?:add|create|define|introduce|declare) (?<public>{public})?@name@ (?<kind>{kind})(?: (?<in>{in}) (?:file )?@path@)?',
);

const exported = patterns(
  parts,
  '(?:file |module )?@path@ exports (?:(?<kind>{kind}) )?(?:{named})?@name@(?: (?<after>{kind}))?',
  '(?:(?<kind>{kind}) )?@name@(?: (?<after>{kind}))? is exported(?: (?:from|by|in) (?:file |module )?@path@)?',
  'export (?:(?<kind>{kind}) )?@name@(?: (?<after>{kind}))? (?:from|in) (?:file |module )?@path@',
);

const members = patterns(
  parts,
  '(?:(?:class|struct|type|interface|trait) )?@owner@(?: (?:class|struct|type|interface|trait))? (?:has|defines|declares|provides) (?:public )?(?:method|function) (?:{named})?@name@',
  '(?:(?:class|struct|type|interface|trait) )?@owner@(?: (?:class|struct|type|interface|trait))? (?:has|defines|declares|provides) (?:public )?@name@ (?:method|function)',
);

export function inferSymbol(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const member = matchWhole(sentence, members);
  if (member !== null && isOwner(member, facts)) return inferMember(member);
  const out = matchWhole(sentence, exported);
  const found = out ?? matchWhole(sentence, defined);
  if (found === null) return null;
  const name = nameOf(found.token('name'));
  if (name === null) return null;
  const place = placeOf(found, facts);
  if (place === null && found.token('path') !== null) return unclear(found);
  const what = kindOf(found, place, facts);
  if (what === 'none' || isPlaced(found, what) || (what === 'component' && !hasMarkup(facts))) return null;
  const isOut = out !== null || found.word('public') !== null;
  if (what === 'any' && !isOut && !isCertainName(found, place, facts)) return null;
  return symbolChecks(found, { name, what, file: place, isOut });
}

/** A class of this repository, or a name in the style of a class. */
function isOwner(found: Match, facts: RepositoryFacts): boolean {
  const token = found.token('owner');
  if (token === null || pathOf(token, facts) !== null) return false;
  return /^[A-Z]/.test(token.text) || facts.symbols.some(({ name }) => name === token.text);
}

function inferMember(found: Match): Inference | null {
  const [owner, name] = [nameOf(found.token('owner')), nameOf(found.token('name'))];
  if (owner === null || name === null || name.includes('.')) return null;
  const check: SymbolCheck = { kind: 'symbol', name: `${owner}.${name}`, what: 'function', file: null };
  return understood(
    [check],
    certainty(found.token('owner'), found.token('name')),
    `it names the member ${name} of ${owner}`,
  );
}

/** "P has a component X", "add component X to P": unclear whether shown or defined there. */
function isPlaced(found: Match, what: What): boolean {
  return (
    what === 'component' &&
    found.token('path') !== null &&
    (found.word('holds') !== null || found.word('in') === 'to')
  );
}

/** Only there a component differs from any other function. */
function hasMarkup({ files }: RepositoryFacts): boolean {
  return files.some((path) => /\.[jt]sx$/.test(path));
}

/** A name alone, without its kind and place, must look like a name in the code. */
function isCertainName(found: Match, file: string | null, facts: RepositoryFacts): boolean {
  const name = found.token('name')?.text ?? '';
  const verb = found.word('exists') ?? 'is defined';
  if (file !== null) return isOfCode(found.token('name'), facts) && isDefinedThere(verb, name, file, facts);
  const isClass = /^[A-Z]/.test(name) && isDistinctiveName(name) && !name.includes('_');
  return isClass && /^(?:exists|is defined)$/.test(verb);
}

/** "X is present in F", while X is defined in another file: it may as well be used there. */
function isDefinedThere(verb: string, name: string, file: string, { symbols }: RepositoryFacts): boolean {
  if (/^is (?:defined|declared)$/.test(verb)) return true;
  const known = symbols.filter((symbol) => symbol.name === name);
  return verb === 'exists' && (known.length === 0 || known.some((symbol) => symbol.file === file));
}

function placeOf(found: Match, facts: RepositoryFacts): string | null {
  const path = pathOf(found.token('path'), facts);
  return path !== null && isReadable(path) ? path : null;
}

function unclear(found: Match): Inference {
  return ask(
    `it is not certain which file ${found.token('path')?.text ?? ''} is, or its symbols cannot be read: give the whole path`,
  );
}

function kindOf(found: Match, file: string | null, facts: RepositoryFacts): What | 'none' {
  const [before, after] = [found.word('kind'), found.word('after')];
  if (before !== null && after !== null) return 'none';
  const word = before ?? after;
  if (word === null) return 'any';
  const what = kinds[word] ?? 'none';
  return what === 'class' && !hasClasses(file, facts) ? 'type' : what;
}

const classless = factsOf('programs').flatMap((each) => each.classless ?? []);

/** In a language without classes, "class" means a struct. */
function hasClasses(file: string | null, { files }: RepositoryFacts): boolean {
  return !classless.some(({ sources, manifest }) =>
    file === null ? files.includes(manifest) : sources.test(file),
  );
}

function symbolChecks(
  found: Match,
  { name, what, file, isOut }: { name: string; what: What; file: string | null; isOut: boolean },
): Inference {
  const check = (one: What): SymbolCheck => ({ kind: 'symbol', name, what: one, file });
  const sure = certainty(found.token('name'), found.token('path'));
  const why = `it names the ${what === 'any' ? 'symbol' : what} ${name}${file === null ? '' : ` in ${file}`}`;
  if (!isOut) return understood([check(what)], sure, why);
  return what === 'any'
    ? understood([check('export')], sure, why)
    : understood([check('export'), check(what)], sure, why);
}
