// Every fault agent with one seed, and with three in `npm run test:long`: the whole scoreboard is `npm run scoreboard`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { howMany } from '../support/how-many.ts';
import { agents } from './agents.ts';
import { isGood, isUnforgivable, liveAll, rowsOf } from './board.ts';
import { wayOf } from './cases/case.ts';
import { missingToolchains, toolchainsHere } from './cases/toolchains.ts';
import type { Life } from './life.ts';
import type { Program } from './program.ts';
import { copyProgram } from './program.ts';

const rounds = howMany({ usual: 1, long: 3 });
const here = toolchainsHere();
const missing = missingToolchains(here);
const lives: Life[] = [];
let program: Program | null = null;

/** Neighbours get different seeds, so that one round meets every language and every kind of repository. */
const seedsOf = (index: number): readonly number[] =>
  Array.from({ length: rounds }, (_, round) => ((index + round) % 3) + 1);

// Generous: a machine that is busy with other tests takes many times as long.
const limitMs = 3_600_000;

describe('the scoreboard', () => {
  beforeAll(async () => {
    program = await copyProgram();
    const { launcher } = program;
    // Ten runs of every check that turned green, as without this setting, are most of what a life costs.
    const looks = howMany({ usual: 2, long: 10 });
    const options = { launcher, toolchains: here, attempts: 1, atOnce: 2, looks };
    lives.push(...(await liveAll(agents, seedsOf, options)));
  }, limitMs);
  afterAll(() => program?.remove());

  it('meets the agents in every language that they are written in', (context) => {
    expect(new Set(lives.map(({ language }) => language)).size).toBeGreaterThan(3);
    if (missing.length > 0) context.skip(missing.join('; '));
  });

  it('has no false completion: whatever an agent says, changes or leaves behind [X7][X8][X9][X10]', () => {
    const able = agents.filter((agent) => !('ways' in agent) || wayOf(agent, 1, here) !== null);
    expect(lives).toHaveLength(able.length * rounds);
    expect(lives.filter(({ isFalseCompletion }) => isFalseCompletion)).toEqual([]);
  });

  it('says of work that only its own wrong tests prove that added tests are its proof [X7]', () => {
    const limits = lives.filter(({ agent }) => agent === 'wrong-tester');
    expect(limits).toHaveLength(rounds);
    for (const life of limits) expect(life).toMatchObject({ isKnownLimit: true, proof: 'added-tests' });
  });

  it('refuses no honest work [X8]', () => {
    expect(lives.filter(({ isHonest }) => isHonest).length).toBeGreaterThan(0);
    expect(lives.filter(({ isHonestRefusal }) => isHonestRefusal)).toEqual([]);
  });

  it('ends every run by itself, and nothing that an agent started is alive afterwards [X11]', () => {
    expect(lives.filter(({ exitCode }) => exitCode === null)).toEqual([]);
    expect(lives.filter(({ damage }) => damage.some(isUnforgivable))).toEqual([]);
  });

  it('names the rule that has to catch an agent, in every life of it [X8]', () => {
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
