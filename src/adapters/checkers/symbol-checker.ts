// Decides a criterion by the syntax tree of the source: a word in a comment or a string is no function.
import type { SymbolCheck } from '#kernel/model/check.ts';
import type { CheckRequest } from '#ports/checker.ts';
import { isAsked, isNamed } from '#adapters/syntax/definition.ts';
import { definitionsOf } from '#adapters/syntax/definitions.ts';
import { grammarOf } from '#analysis/repo-map/grammar-names.ts';
import { usesOf } from '#adapters/syntax/uses.ts';
import { placeOf, readConfined } from '#adapters/files/confined-file.ts';
import { sourcesOf } from './source-files.ts';
import { findingOf, type UntimedFinding } from './tools.ts';

type Sighting =
  | { readonly kind: 'there'; readonly line: number; readonly isSure: boolean }
  | { readonly kind: 'not-there'; readonly line?: number }
  | { readonly kind: 'unread'; readonly why: string };

// All source of a large repository; text beyond that was generated.
const charactersMax = 100_000_000;

export async function checkSymbol(request: CheckRequest, check: SymbolCheck): Promise<UntimedFinding> {
  const sources = await sourcesOf(request.cwd, check.file);
  switch (sources.kind) {
    case 'none':
      return findingOf('fail', sources.why);
    case 'one':
      return judgeOne(sources.path, check, await searchFiles(request.cwd, sources.path, check));
    case 'many':
      return search(request, check, sources);
  }
}

function judgeOne(path: string, check: SymbolCheck, sighting: Sighting): UntimedFinding {
  switch (sighting.kind) {
    case 'there':
      return there(path, check, sighting);
    case 'not-there':
      return findingOf('fail', `${path} has no ${wordsFor(check)}${outOfReach(sighting)}`);
    case 'unread':
      return findingOf('unknown', `${path} ${sighting.why}`);
  }
}

async function search(
  { cwd, signal }: CheckRequest,
  check: SymbolCheck,
  { paths, isCut }: { readonly paths: readonly string[]; readonly isCut: boolean },
): Promise<UntimedFinding> {
  let unread: string | null = null;
  let unsure: UntimedFinding | null = null;
  let characters = 0;
  for (const path of paths) {
    if (signal.aborted) return findingOf('unknown', 'cancelled');
    if (characters > charactersMax) return tooMuch(check);
    const sighting = await searchFiles(cwd, path, check, (length) => (characters += length));
    if (sighting.kind === 'unread') unread ??= `${path} ${sighting.why}`;
    if (sighting.kind === 'not-there' && sighting.line !== undefined)
      unread ??= `${path}${outOfReach(sighting)}`;
    if (sighting.kind !== 'there') continue;
    if (sighting.isSure) return there(path, check, sighting);
    unsure ??= there(path, check, sighting);
  }
  if (unsure !== null) return unsure;
  if (isCut) return tooMuch(check);
  const where = check.file ?? `${paths.length} source files`;
  return findingOf('fail', `no ${wordsFor(check)} in ${where}${unread === null ? '' : ` (${unread})`}`);
}

async function searchFiles(
  cwd: string,
  path: string,
  check: SymbolCheck,
  count: (characters: number) => void = () => {},
): Promise<Sighting> {
  const place = await placeOf(cwd, path);
  if (place.kind !== 'file') return { kind: 'unread', why: 'is no file of the checkout' };
  const reading = await readConfined(place.path);
  if (reading.kind === 'too-large') return { kind: 'unread', why: 'is too large to be parsed' };
  if (reading.kind === 'refused') return { kind: 'unread', why: reading.problem };
  count(reading.text.length);
  // A name that the text lacks is not in its tree either; parsing every file would take seconds.
  const isNamed = reading.text.includes(check.name.split(/\.|::|#/).at(-1) ?? check.name);
  if (!isNamed && grammarOf(path) !== null) return { kind: 'not-there' };
  return searchFile({ path, text: reading.text }, check);
}

async function searchFile(
  source: { path: string; text: string },
  { name, what }: SymbolCheck,
): Promise<Sighting> {
  const reading = what === 'use' ? await usesOf(source, name) : await definitionsOf(source);
  if (reading.kind === 'unread') return reading;
  const found = reading.found.find((one) =>
    'role' in one ? one.role === 'use' : what !== 'use' && isAsked(one, { name, what }),
  );
  if (found === undefined) {
    const dead = reading.found.find(
      (one) => !('role' in one) && what !== 'use' && isNamed(one, { name, what }),
    );
    return dead === undefined ? { kind: 'not-there' } : { kind: 'not-there', line: dead.line };
  }
  // Macros cause syntax errors in every C parser that does not expand them.
  return { kind: 'there', line: found.line, isSure: !reading.hasErrors || grammarOf(source.path) === 'cpp' };
}

function there(
  path: string,
  check: SymbolCheck,
  { line, isSure }: Sighting & { kind: 'there' },
): UntimedFinding {
  return isSure
    ? findingOf('pass', `${wordsFor(check)} is at ${path}:${line}`)
    : findingOf('unknown', `${wordsFor(check)} is at ${path}:${line}, but that file has a syntax error`);
}

function outOfReach({ line }: Sighting & { kind: 'not-there' }): string {
  return line === undefined ? '' : ` that anything reaches: the one in line ${line} is never run or named`;
}

function tooMuch(check: SymbolCheck): UntimedFinding {
  return findingOf(
    'unknown',
    `there is too much source to look for ${wordsFor(check)}; say in which file it is`,
  );
}

function wordsFor({ what, name }: SymbolCheck): string {
  return what === 'use' ? `use of ${name}` : what === 'any' ? `definition of ${name}` : `${what} ${name}`;
}
