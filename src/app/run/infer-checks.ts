// Turns criteria in plain words into checks, by the repository's ecosystem and each sentence's meaning.
import { findWays, isReadForGates } from '#analysis/ecosystems/gates/find-ways.ts';
import { readTree, type Tree } from '#adapters/git/trees/read-tree.ts';
import { definitionsOf } from '#adapters/syntax/definitions.ts';
import { createGit } from '#adapters/git/repo/git.ts';
import type { Infer } from '#tasks/criteria/written-criteria.ts';
import { present } from '#base/assert.ts';
import { describeCheck } from '#kernel/model/check.ts';
import type { RepositoryFacts, SymbolFact } from '#analysis/inference/facts.ts';
import { infer } from '#analysis/inference/infer.ts';
import type { Inference } from '#analysis/inference/inference.ts';
import { jsonKeys } from '#analysis/inference/json-keys.ts';
import { namesIn } from '#analysis/inference/names-in.ts';
import type { Site } from '#app/site.ts';

type Place = Pick<Site, 'root' | 'prefix' | 'ownEnv' | 'head'>;

/** One answer per text, in the same order, for the commit that a run would start from. Changes nothing. */
export async function inferChecks(
  site: Place,
  texts: readonly string[],
  timeoutMs: number,
): Promise<Inference[]> {
  const git = createGit(site.root, site.ownEnv);
  const tree = await readTree(git, site.head.commit, site.prefix);
  const facts = await readFacts(tree, texts, timeoutMs);
  return texts.map((text) => infer(text, facts));
}

/** For the criteria of a run: a guess is offered to a person and decides nothing by itself. */
export function createInfer(site: Place, timeoutMs: number): Infer {
  return async (text) => {
    const [found] = await inferChecks(site, [text], timeoutMs);
    const inference = present(found, 'every text has an answer');
    const { why } = inference;
    if (inference.kind === 'ask') return { checks: null, why, suggestion: inference.suggestion };
    const { checks, confidence, isSuggestion } = inference;
    if (!isSuggestion) return { checks, confidence, why };
    const suggestion = `a check that could decide it: ${checks.map(describeCheck).join(' · ')}`;
    return { checks: null, why, suggestion };
  };
}

async function readFacts(tree: Tree, texts: readonly string[], timeoutMs: number): Promise<RepositoryFacts> {
  const [telling, keys, symbols] = await Promise.all([
    readAll(tree, tree.files.filter(isReadForGates)),
    readKeys(tree, texts),
    readSymbols(tree, texts),
  ]);
  return { ...findWays(tree.files, telling), files: tree.files, keys, symbols, timeoutMs };
}

async function readAll(tree: Tree, paths: readonly string[]): Promise<Map<string, string>> {
  const texts = await Promise.all(paths.map(async (path) => [path, await tree.text(path)] as const));
  return new Map(texts.flatMap(([path, text]) => (text === null ? [] : [[path, text] as const])));
}

// More than a person names in one list of criteria.
const filesMax = 50;

/** Keys of the JSON files that a text names. */
async function readKeys(tree: Tree, texts: readonly string[]): Promise<Record<string, string[]>> {
  const named = tree.files.filter((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return /\.jsonc?$/.test(name) && texts.some((text) => text.includes(name));
  });
  const read = await readAll(tree, named.slice(0, filesMax));
  return Object.fromEntries([...read].map(([path, text]) => [path, jsonKeys(text)]));
}

async function readSymbols(tree: Tree, texts: readonly string[]): Promise<SymbolFact[]> {
  const names = namesIn(texts);
  const paths = (await tree.defining(names)).slice(0, filesMax);
  const read = await readAll(tree, paths);
  const found: SymbolFact[] = [];
  // One by one: each needs a parser's memory.
  for (const [file, text] of read) {
    const reading = await definitionsOf({ path: file, text });
    if (reading.kind === 'unread') continue;
    const wanted = reading.found.filter(
      ({ name, isLocal, what }) => !isLocal && what !== 'export' && names.includes(name),
    );
    found.push(...wanted.map(({ name, what, isExported }) => ({ name, what, isExported, file })));
  }
  return found;
}
