// Counts how criteria sentences are understood: right, wrong and asked, each separately.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findWays } from '#analysis/ecosystems/gates/find-ways.ts';
import type { MachineCheck } from '#kernel/model/check.ts';
import type { RepositoryFacts, SymbolFact } from '#analysis/inference/facts.ts';
import { infer } from '#analysis/inference/infer.ts';
import type { Inference } from '#analysis/inference/inference.ts';
import { jsonKeys } from '#analysis/inference/json-keys.ts';

export interface Labelled {
  readonly text: string;
  readonly repo: string;
  readonly expect: { readonly kind: string; readonly target?: string };
}

interface DescribedRepository {
  readonly files: readonly string[];
  readonly packageJson?: unknown;
  readonly contents?: Readonly<Record<string, string>>;
  readonly symbols?: readonly SymbolFact[];
}

/** `asked` where a check was expected is a chance missed; a check where another or none was expected is wrong. */
export type Mark = 'right' | 'asked' | 'wrong';

export interface Counts {
  readonly total: number;
  readonly rightChecks: number;
  readonly rightAsks: number;
  readonly asked: number;
  readonly wrong: number;
}

const here = import.meta.dirname;

export function readSet(name: string): Labelled[] {
  return readFileSync(join(here, name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Labelled);
}

export function readRepositories(): ReadonlyMap<string, RepositoryFacts> {
  const described = JSON.parse(readFileSync(join(here, 'repos.json'), 'utf8')) as Record<
    string,
    DescribedRepository
  >;
  return new Map(Object.entries(described).map(([name, repository]) => [name, factsOf(repository)]));
}

function factsOf({ files, packageJson, contents = {}, symbols = [] }: DescribedRepository): RepositoryFacts {
  const texts = new Map(Object.entries(contents));
  if (packageJson !== undefined) texts.set('package.json', JSON.stringify(packageJson));
  const keys = Object.fromEntries(
    [...texts].filter(([path]) => path.endsWith('.json')).map(([path, text]) => [path, jsonKeys(text)]),
  );
  return { ...findWays(files, texts), files, symbols, keys, timeoutMs: 600_000 };
}

export function judge(
  { text, repo, expect }: Labelled,
  repositories: ReadonlyMap<string, RepositoryFacts>,
): { mark: Mark; inference: Inference } {
  const facts = repositories.get(repo);
  if (facts === undefined) throw new Error(`there is no repository ${repo}`);
  const inference = infer(text, facts);
  if (inference.kind === 'ask') return { mark: expect.kind === 'ask' ? 'right' : 'asked', inference };
  const isKind = inference.checks[0].kind === expect.kind;
  return {
    mark: isKind && isSameTarget(inference.checks, expect.target ?? '') ? 'right' : 'wrong',
    inference,
  };
}

export function count(set: readonly Labelled[]): Counts {
  const repositories = readRepositories();
  const marks = set.map((one) => ({ isAsk: one.expect.kind === 'ask', mark: judge(one, repositories).mark }));
  const of = (mark: Mark, isAsk?: boolean): number =>
    marks.filter((one) => one.mark === mark && (isAsk === undefined || one.isAsk === isAsk)).length;
  return {
    total: set.length,
    rightChecks: of('right', false),
    rightAsks: of('right', true),
    asked: of('asked'),
    wrong: of('wrong'),
  };
}

function isSameTarget(checks: readonly MachineCheck[], target: string): boolean {
  const wanted = target.split(' + ').map(plain);
  const spelt = checks.map(spellings);
  return (
    wanted.every((one) => spelt.some((ways) => ways.includes(one))) &&
    spelt.every((ways) => ways.some((way) => wanted.includes(way)))
  );
}

/** The class before a member, quotes in a path of keys, a call's ending and a host are ways of writing, not other targets. */
function spellings(check: MachineCheck): string[] {
  const target = plain(targetOf(check));
  if (check.kind !== 'symbol' || !check.name.includes('.')) return [target];
  const [owner = '', member = ''] = check.name.split('.');
  return ['.', '::', '#']
    .map((between) => target.replace(check.name, `${owner}${between}${member}`))
    .concat(target.replace(check.name, member));
}

function plain(target: string): string {
  return target
    .trim()
    .replaceAll(/\["([^"]*)"\]/g, '.$1')
    .replace(/^([A-Z]+) https?:\/\/[^/]+/, '$1 ')
    .replace(/\(\)(?=@|$)/, '');
}

function targetOf(check: MachineCheck): string {
  switch (check.kind) {
    case 'file':
      return check.holds.kind === 'json' ? `${check.path}#${check.holds.path}` : check.path;
    case 'symbol':
      return `${check.what === 'use' ? 'use:' : ''}${check.name}${check.file === null ? '' : `@${check.file}`}`;
    case 'command':
      return check.run;
    case 'gate':
      return check.gate;
    case 'http':
      return `GET ${check.url.replace(/^https?:\/\/[^/]+/, '') || '/'}`;
    case 'browser':
      return check.look.kind === 'page' ? (check.look.text ?? check.look.url) : check.look.path;
    case 'hook':
      return 'pre-commit';
    case 'held-out':
      return check.hash;
  }
}
