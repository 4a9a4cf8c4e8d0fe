// Every agent with one seed. In `npm run test:long` every way of the case agents, and three seeds of the others. More: `npm run scoreboard`.
// `UNTILDONE_SCOREBOARD_FROM=4 npm test -- test/scoreboard` takes other seeds, and so other ways; the default is 1.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { howMany } from '../support/how-many.ts';
import { agents } from './agents.ts';
import { isGood, isUnforgivable, liveAll, rowsOf } from './board.ts';
import { wayOf } from './cases/case.ts';
import { missingToolchains, toolchainsHere } from './cases/toolchains.ts';
import { seedsOfEachWay, waysRun } from './each-way.ts';
import type { Life } from './life.ts';
import type { Program } from './program.ts';
import { copyProgram } from './program.ts';
import { linesOf, timesOf, totals } from './table.ts';

const rounds = howMany({ usual: 1, long: 3 });
const isLong = rounds > 1;
const from = Number(process.env['UNTILDONE_SCOREBOARD_FROM'] ?? '1');
const here = toolchainsHere();
const missing = missingToolchains(here);
const lives: Life[] = [];
let program: Program | null = null;

/** Neighbours get different seeds, so that one round meets every language and every kind of repository. */
const seedsOf = (index: number): readonly number[] =>
  (isLong ? seedsOfEachWay(agents[index], here) : null) ??
  Array.from({ length: rounds }, (_, round) => ((index + round) % 3) + from);

/** Agents that need a language which is not here are not run. */
const lived = (index: number): readonly number[] => {
  const agent = agents[index];
  return agent !== undefined && 'ways' in agent && wayOf(agent, 1, here) === null ? [] : seedsOf(index);
};

/** Which calibration or rule caught each agent, what the runs took, and which ways were not run. */
function summary(): string {
  const rows = rowsOf(agents, lives);
  const { possible, left } = waysRun(agents, lives, here);
  const all = `${possible - left.length} of ${possible} ways of the case agents were run`;
  const ways = isLong && left.length > 0 ? `${all}; NOT RUN: ${left.join(', ')}` : all;
  return [linesOf(rows), ...missing, totals(rows), timesOf(lives), ways].join('\n');
}

// Generous: a machine that is busy with other tests takes many times as long.
const limitMs = 3_600_000;

describe('The scoreboard', () => {
  beforeAll(async () => {
    program = await copyProgram();
    const { launcher } = program;
    // Ten runs of every check that turned green, as without this setting, are most of what a life costs.
    const looks = howMany({ usual: 2, long: 10 });
    const options = { launcher, toolchains: here, attempts: 1, atOnce: 2, looks };
    lives.push(...(await liveAll(agents, seedsOf, options)));
    process.stdout.write(`${summary()}\n`);
  }, limitMs);
  afterAll(() => program?.remove());

  it('The scoreboard runs the agents in every language that they are written in', (context) => {
    expect(new Set(lives.map(({ language }) => language)).size).toBeGreaterThan(3);
    if (missing.length > 0) context.skip(missing.join('; '));
  });

  it('`npm run test:long` runs every way of every agent that this machine can run, and `npm test` one of each', () => {
    const { possible, left } = waysRun(agents, lives, here);
    expect(possible).toBeGreaterThan(agents.length);
    expect(isLong ? left : []).toEqual([]);
    const able = agents.filter((agent) => !('ways' in agent) || wayOf(agent, 1, here) !== null);
    expect(new Set(lives.map(({ agent }) => agent)).size).toBe(able.length);
  });

  it('The scoreboard has no false completion, whatever an agent says, changes or leaves behind [X7][X8][X9][X10]', () => {
    expect(lives).toHaveLength(agents.flatMap((_, index) => lived(index)).length);
    expect(lives.filter(({ isFalseCompletion }) => isFalseCompletion)).toEqual([]);
  });

  it('Work that only its own wrong tests prove is reported with added tests as its proof [X7]', () => {
    const limits = lives.filter(({ agent }) => agent === 'wrong-tester');
    expect(limits.length).toBeGreaterThan(0);
    for (const life of limits) expect(life).toMatchObject({ isKnownLimit: true, proof: 'added-tests' });
  });

  it('The scoreboard refuses no honest work [X8]', () => {
    expect(lives.filter(({ isHonest }) => isHonest).length).toBeGreaterThan(0);
    expect(lives.filter(({ isHonestRefusal }) => isHonestRefusal)).toEqual([]);
  });

  it('Every run of the scoreboard ends by itself, and no process of an agent survives [X11]', () => {
    expect(lives.filter(({ exitCode }) => exitCode === null)).toEqual([]);
    expect(lives.filter(({ damage }) => damage.some(isUnforgivable))).toEqual([]);
  });

  it('Every run of the scoreboard names the rule that has to catch its agent [X8]', () => {
    expect(lives.filter(({ isUncaught }) => isUncaught)).toEqual([]);
    expect(new Set(lives.map(({ ground }) => ground))).toContain('half tested');
    const rows = rowsOf(agents, lives);
    expect(isGood(rows)).toBe(true);
    const [first] = rows;
    for (const harm of [
      { damage: { 'main moved': 1 } },
      { damage: { 'a process alive': 1 } },
      { uncaught: 1 },
    ])
      expect(isGood([...rows, ...(first === undefined ? [] : [{ ...first, ...harm }])])).toBe(false);
  });
});
