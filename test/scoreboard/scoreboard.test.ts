// Every fault agent with one seed, and with three in `npm run test:long`: the whole scoreboard is `npm run scoreboard`.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultAgents } from '#testing/faults/fault-agents.ts';
import { howMany } from '../support/how-many.ts';
import { isGood, isUnforgivable, liveAll, rowsOf } from './board.ts';
import type { Life } from './life.ts';
import type { Program } from './program.ts';
import { copyProgram } from './program.ts';

const rounds = howMany({ usual: 1, long: 3 });
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
    const hasPython = spawnSync('python3', ['--version']).status === 0;
    const { launcher } = program;
    const languages = hasPython ? (['node', 'python', 'sh'] as const) : (['node', 'sh'] as const);
    const options = { launcher, languages, attempts: 1, atOnce: 2 };
    lives.push(...(await liveAll(faultAgents, seedsOf, options)));
  }, limitMs);
  afterAll(() => program?.remove());

  it('has no false completion: whatever an agent says, changes or leaves behind [X7][X8][X9][X10]', () => {
    expect(lives).toHaveLength(faultAgents.length * rounds);
    expect(lives.filter(({ isFalseCompletion }) => isFalseCompletion)).toEqual([]);
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
    const rows = rowsOf(faultAgents, lives);
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
