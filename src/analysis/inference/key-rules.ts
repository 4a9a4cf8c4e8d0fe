// Rules for keys of JSON files: settings, scripts and dependencies.
import type { FileCheck } from '#kernel/model/check.ts';
import type { RepositoryFacts } from './facts.ts';
import { ask, type Inference, understood } from './inference.ts';
import { certainty, type Match, matchWhole, pathOf, patterns } from './match.ts';
import type { Sentence, Token } from './sentence.ts';

const parts = {
  noun: '(?:(?:top-level|config|configuration|json) )?(?:key|field|property|setting|option|entry)',
  named: 'called |named ',
  has: 'has|contains|defines|includes|declares|sets|provides',
  word: String.raw`[a-z][\w-]*`,
};

const keys = patterns(
  parts,
  '(?<path><\\d+>) (?:{has}) (?<noun>{noun}) (?<named>{named})?(?<key><\\d+>|{word})',
  '@path@ (?:{has}) (?<key><\\d+>|{word}) (?<noun>{noun})',
  '@path@ (?:{has}|sets) @key@',
  '(?<noun>{noun}) (?<named>{named})?(?<key><\\d+>|{word}) (?:exists|is present|is defined|is set|is added) in @path@',
  '@key@ (?:(?<noun>{noun}) )?(?:exists|is present|is defined|is set|is added) in @path@',
  'there is (?<key><\\d+>|{word}) (?<noun>{noun}) in @path@',
  'there is (?<noun>{noun}) (?<named>{named})?(?<key><\\d+>|{word}) in @path@',
  'add (?:(?<noun>{noun}) )?(?:{named})?@key@(?: {noun})? to @path@',
);

const value = String.raw`(?<value><\d+>|-?\d+(?:\.\d+)?|true|false|null)`;
const values = patterns(
  parts,
  `@path@ (?:sets|has) (?:{noun} )?@key@ (?:set )?to ${value}`,
  `(?:{noun} )?@key@ (?:{noun} )?in @path@ is (?:set to |equal to )?${value}`,
  `(?:{noun} )?@key@ (?:{noun} )?is (?:set to |equal to )?${value} in @path@`,
  `in @path@ ,? ?(?:{noun} )?@key@ is (?:set to |equal to )?${value}`,
  `set @key@ to ${value} in @path@`,
);

const scripts = patterns(
  parts,
  '@path@ (?:{has}) (?:npm )?script (?<named>{named})?(?<key><\\d+>|{word})',
  '@path@ (?:{has}) (?<key><\\d+>|{word}) script',
  'there is (?:npm |package )?script (?<named>{named})?(?<key><\\d+>|{word})(?: in @path@)?',
  'there is (?<key><\\d+>|{word}) script in @path@',
  '(?:npm |package )?script (?:{named})?@key@ (?:exists|is defined|is present|is added)(?: in @path@)?',
  '@key@ script (?:exists|is defined|is present|is added) in @path@',
  'add (?<key><\\d+>|{word}) script to @path@',
);

const dependencies = patterns(
  parts,
  '@path@ (?:lists|has|includes|declares|contains) (?<key><\\d+>|{word}) (?:as|in|under|among) (?:its )?(?<dev>dev |development |runtime |production )?(?<list>dependency|dependencies|devdependency|devdependencies)',
  '(?<key><\\d+>|{word}) is (?:listed |declared |added )?(?:as |in |under )(?<dev>dev |development |runtime |production )?(?<list>dependency|dependencies|devdependency|devdependencies) (?:in|of|to) @path@',
);

export function inferKey(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  return (
    inferScript(sentence, facts) ??
    inferDependency(sentence, facts) ??
    inferValue(sentence, facts) ??
    inferPlainKey(sentence, facts)
  );
}

function inferScript(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const found = matchWhole(sentence, scripts);
  const name = found === null ? null : keyText(found);
  if (found === null || name === null || !/^[\w:.-]+$/.test(name)) return null;
  if (!isNamed(found, usualScripts)) return null;
  const named = found.token('path');
  const path = named === null ? 'package.json' : pathOf(named, facts);
  if (path === null || !path.endsWith('package.json') || (named === null && !facts.files.includes(path)))
    return null;
  return keyCheck(path, `scripts${step(name)}`, null, [named, found.token('key')]);
}

function inferDependency(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const found = matchWhole(sentence, dependencies);
  const name = found === null ? null : keyText(found);
  const path = pathOf(found?.token('path') ?? null, facts);
  if (found === null || name === null || path === null || !path.endsWith('package.json')) return null;
  if (/^(?:it|this|that|them|everything|nothing|something|one|each|any|all)$/.test(name)) return null;
  const isDev = [found.word('dev'), found.word('list')].some((word) => word?.startsWith('dev') === true);
  return keyCheck(path, `${isDev ? 'devDependencies' : 'dependencies'}${step(name)}`, null, [
    found.token('path'),
  ]);
}

function inferValue(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const found = matchWhole(sentence, values);
  if (found === null) return null;
  const token = found.token('value');
  const json = token === null ? found.word('value') : valueOf(token);
  return json === null ? null : inferAt(found, json, facts);
}

function inferPlainKey(sentence: Sentence, facts: RepositoryFacts): Inference | null {
  const found = matchWhole(sentence, keys);
  if (found === null) return null;
  const key = found.token('key');
  // Without the word "key" only a path of keys can be meant.
  const isKey = found.word('noun') !== null || /^[\w-]+(?:\.[\w-]+)+$/.test(key?.text ?? '');
  return isKey ? inferAt(found, null, facts) : null;
}

function inferAt(found: Match, json: string | null, facts: RepositoryFacts): Inference | null {
  const key = keyText(found);
  const path = pathOf(found.token('path'), facts);
  if (key === null || path === null || !/^[\w$@/.[\]-]+$/.test(key)) return null;
  if (!isNamed(found, facts.keys[path] ?? [])) return null;
  if (!/\.jsonc?$/.test(path)) return ask(`${path} is not JSON, and only JSON is looked into by keys`);
  const place = placeOf(key, path, facts);
  // The key exists deeper inside: is that one meant, or a new one at the top? Only its value decides.
  const isDeeper = place !== key && !place?.startsWith('compilerOptions.');
  return place === null || (isDeeper && json === null)
    ? ask(`${path} has a key ${key} deeper inside: say the whole path of the one that is meant`)
    : keyCheck(path, place, json, [found.token('path'), found.token('key')]);
}

/** The current place of a key; a new one belongs where the sentence says. */
function placeOf(key: string, path: string, facts: RepositoryFacts): string | null {
  const known = facts.keys[path] ?? [];
  if (known.includes(key) || key.includes('.')) return key;
  const deeper = known.filter((one) => one.endsWith(`.${key}`));
  if (deeper.length > 0) return deeper.length === 1 ? (deeper[0] ?? null) : null;
  const isOption =
    /(?:^|\/)tsconfig[\w.-]*\.json$/.test(path) &&
    !/^(?:files|include|exclude|extends|references)$/.test(key);
  return isOption ? `compilerOptions.${key}` : key;
}

function keyText(found: Match): string | null {
  return found.token('key')?.text ?? found.word('key');
}

/** "a valid entry", "a working script": a bare word may be a description, not a name. */
function isNamed(found: Match, known: readonly string[]): boolean {
  return (
    found.token('key') !== null || found.word('named') !== null || known.includes(found.word('key') ?? '')
  );
}

const usualScripts =
  'test lint build format typecheck start dev e2e coverage docs clean prepare preview watch serve migrate seed bench check'.split(
    ' ',
  );

function valueOf({ text }: Token): string {
  return /^(?:-?\d+(?:\.\d+)?|true|false|null)$/.test(text) ? text : JSON.stringify(text);
}

function step(name: string): string {
  return /^[\w$-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function keyCheck(
  path: string,
  key: string,
  json: string | null,
  tokens: readonly (Token | null)[],
): Inference {
  const check: FileCheck = { kind: 'file', path, holds: { kind: 'json', path: key, value: json } };
  return understood(
    [check],
    certainty(...tokens),
    `it names the key ${key} of ${path}${json === null ? '' : ' and its value'}`,
  );
}
