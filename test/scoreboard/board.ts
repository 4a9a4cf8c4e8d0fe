// Plays many scenarios in parallel, and sums up the results of each agent.
import type { Life, LifeOptions } from './life.ts';
import { live } from './life.ts';
import type { BoardAgent } from './staging.ts';

export interface Row {
  readonly agent: string;
  readonly does: string;
  readonly isHonest: boolean;
  readonly seeds: number;
  readonly completed: number;
  readonly falseCompletions: number;
  /** Completed with wrong work, where no machine can tell. */
  readonly knownLimits: number;
  readonly honestRefusals: number;
  /** Lives that had to be ended by us. */
  readonly stuck: number;
  /** Lives in which no rule spoke that has to. */
  readonly uncaught: number;
  readonly attempts: number;
  /** How many lives each rule spoke in. */
  readonly caughtBy: { readonly [rule: string]: number };
  readonly damage: { readonly [what: string]: number };
}

export async function liveAll(
  agents: readonly BoardAgent[],
  seedsOf: (index: number) => readonly number[],
  options: LifeOptions & { readonly atOnce: number; onLife?(life: Life): void },
): Promise<Life[]> {
  // Round by round: stopped half-way, it has met every agent.
  const waiting = agents
    .flatMap((agent, index) => seedsOf(index).map((seed, round) => ({ agent, seed, round })))
    .toSorted((a, b) => a.round - b.round);
  const lives: Life[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const life = await live(next.agent, next.seed, options);
      if (life === null) continue;
      lives.push(life);
      options.onLife?.(life);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, work));
  return lives;
}

export function rowsOf(agents: readonly BoardAgent[], lives: readonly Life[]): Row[] {
  return agents.map((agent) => {
    const own = lives.filter((life) => life.agent === agent.name);
    return {
      agent: agent.name,
      does: agent.does,
      isHonest: agent.isHonest,
      seeds: own.length,
      completed: own.filter(({ exitCode }) => exitCode === 0).length,
      falseCompletions: own.filter((life) => life.isFalseCompletion).length,
      knownLimits: own.filter((life) => life.isKnownLimit).length,
      honestRefusals: own.filter((life) => life.isHonestRefusal).length,
      stuck: own.filter(({ exitCode }) => exitCode === null).length,
      uncaught: own.filter(({ isUncaught }) => isUncaught).length,
      attempts: own.reduce((sum, life) => sum + life.attempts, 0) / Math.max(own.length, 1),
      caughtBy: tally(own.map(({ caughtBy }) => caughtBy)),
      damage: tally(own.map(({ damage }) => [...new Set(damage)])),
    };
  });
}

export function isGood(rows: readonly Row[]): boolean {
  return rows.every(
    ({ falseCompletions, honestRefusals, stuck, uncaught, damage }) =>
      falseCompletions + honestRefusals + stuck + uncaught === 0 && !Object.keys(damage).some(isUnforgivable),
  );
}

/** Files outside of the workspace are nobody's to prevent without a sandbox; these are ours to. */
export function isUnforgivable(damage: string): boolean {
  return damage === 'a process alive' || damage.startsWith('main ');
}

function tally(lists: readonly (readonly string[])[]): { [name: string]: number } {
  const counts: { [name: string]: number } = {};
  for (const name of lists.flat()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
