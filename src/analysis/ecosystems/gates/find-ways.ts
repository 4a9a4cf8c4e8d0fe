// Finds how a repository is tested, checked, built and started, by the files in its root. Pure.
import type { GateFacts } from '#analysis/ecosystems/ecosystem.ts';
import { factsOf } from '#analysis/ecosystems/ecosystems.ts';
import { type Gate, type Root, sure, type Ways } from './ways.ts';

const gates = factsOf('gates');

/** Whether the text of a file says how a repository is tested, built and started. */
export function isReadForGates(path: string): boolean {
  return gates.some(({ reads }) => reads.some((pattern) => pattern.test(path)));
}

/** Whether a command checks types by compiling. */
export function isCompiler(command: string): boolean {
  return gates.some(({ compilers }) => compilers?.some((program) => command.startsWith(`${program} `)));
}

/** `texts` holds the files that are read for gates; paths are relative to the root. */
export function findWays(files: readonly string[], texts: ReadonlyMap<string, string>): Ways {
  const root: Root = { files: new Set(files), text: (path) => texts.get(path) ?? '' };
  const whole = gates.filter(({ isWhole }) => isWhole === true).map(({ ways }) => ways(root));
  const languages = waysOf(
    gates.filter(({ isWhole }) => isWhole !== true),
    root,
  );
  const all = [...whole, ...languages];
  return {
    gates: (['tests', 'lint', 'types', 'build'] as const).flatMap((kind) => best(kind, whole, languages)),
    serve: all.find(({ serve }) => serve !== null)?.serve ?? null,
    programs: all.flatMap(({ programs }) => programs),
    hasPages: all.some(({ hasPages }) => hasPages),
  };
}

function waysOf(facts: readonly GateFacts[], root: Root): Ways[] {
  const found: { readonly platform: GateFacts['platform']; readonly ways: Ways }[] = [];
  for (const { platform, ways } of facts) {
    const isUsed = found.some(
      (one) => platform !== undefined && one.platform === platform && one.ways.gates.length > 0,
    );
    if (!isUsed) found.push({ platform, ways: ways(root) });
  }
  return found.map(({ ways }) => ways);
}

/** A target covers the whole repository; with two languages no single command does, so neither is sure. */
function best(kind: Gate['gate'], whole: readonly Ways[], languages: readonly Ways[]): Gate[] {
  const of = (ways: Ways): Gate[] => ways.gates.filter(({ gate }) => gate === kind);
  const target = whole.flatMap(of)[0];
  if (target !== undefined) return [target];
  const found = languages.flatMap(of).toSorted((one, other) => other.confidence - one.confidence);
  const [first, second] = found;
  if (first === undefined) return [];
  if (second === undefined) return [first];
  const why = `${first.why}; but there is also ${second.run}`;
  return [{ ...first, confidence: Math.min(first.confidence, sure.guessed), why }];
}
