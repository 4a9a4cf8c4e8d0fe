// Which variants of the case agents run, and which do not.
import type { CaseAgent } from './cases/case.ts';
import { waysHere } from './cases/case.ts';
import type { Toolchain } from './cases/toolchains.ts';
import type { Life } from './life.ts';
import type { BoardAgent } from './staging.ts';

/** A seed for each way that this machine can run; null for agents that have no ways. */
export function seedsOfEachWay(
  agent: BoardAgent | undefined,
  here: readonly Toolchain[],
): readonly number[] | null {
  if (agent === undefined || !('ways' in agent)) return null;
  return waysHere(agent, here).map((_, index) => index + 1);
}

export interface WaysRun {
  readonly possible: number;
  /** Ways that this machine can run and that were not run, such as `name-editor 3 (perl)`. */
  readonly left: readonly string[];
}

export function waysRun(
  agents: readonly BoardAgent[],
  lives: readonly Life[],
  here: readonly Toolchain[],
): WaysRun {
  const met = new Set(lives.map(({ agent, way }) => `${agent} ${way}`));
  const all = agents.flatMap((agent) => ('ways' in agent ? namesOfWays(agent, here) : []));
  return { possible: all.length, left: all.filter(({ key }) => !met.has(key)).map(({ name }) => name) };
}

function namesOfWays(agent: CaseAgent, here: readonly Toolchain[]) {
  return waysHere(agent, here).map((way) => {
    const key = `${agent.name} ${agent.ways.indexOf(way) + 1}`;
    return { key, name: `${key} (${way.in})` };
  });
}
