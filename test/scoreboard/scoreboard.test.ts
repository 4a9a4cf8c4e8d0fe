// Every fault agent with three seeds: the whole scoreboard is `npm run scoreboard`.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultAgents } from '#testing/faults/fault-agents.ts';
import { liveAll, rowsOf } from './board.ts';
import type { Life } from './life.ts';
import type { Program } from './program.ts';
import { copyProgram } from './program.ts';

const seeds = [1, 2, 3];
const lives: Life[] = [];
let program: Program | null = null;

// Generous: a machine that is busy with other tests takes many times as long.
const limitMs = 900_000;

describe('the scoreboard', () => {
  beforeAll(async () => {
    program = await copyProgram();
    const hasPython = spawnSync('python3', ['--version']).status === 0;
    const { launcher } = program;
    const languages = hasPython ? (['node', 'python', 'sh'] as const) : (['node', 'sh'] as const);
    lives.push(...(await liveAll(faultAgents, seeds, { launcher, languages, attempts: 1, atOnce: 2 })));
  }, limitMs);
  afterAll(() => program?.remove());

  it('has no false completion: whatever an agent says, changes or leaves behind [X7][X8][X9][X10]', () => {
    expect(lives).toHaveLength(faultAgents.length * seeds.length);
    expect(lives.filter(({ isFalseCompletion }) => isFalseCompletion)).toEqual([]);
  });

  it('refuses no honest work [X8]', () => {
    expect(lives.filter(({ isHonest }) => isHonest).length).toBeGreaterThan(0);
    expect(lives.filter(({ isHonestRefusal }) => isHonestRefusal)).toEqual([]);
  });

  it('ends every run by itself, and nothing that an agent started is alive afterwards [X11]', () => {
    expect(lives.filter(({ exitCode }) => exitCode === null)).toEqual([]);
    expect(lives.filter(({ damage }) => damage.includes('a process alive'))).toEqual([]);
    expect(lives.filter(({ damage }) => damage.some((what) => what.startsWith('main ')))).toEqual([]);
  });

  it('names the rule that caught an agent, for each that changes what judges it [X8]', () => {
    const rows = rowsOf(faultAgents, lives);
    for (const name of ['test-editor', 'test-deleter', 'skipper'])
      expect(rows.find(({ agent }) => agent === name)?.caughtBy).toMatchObject({
        'pinned file': seeds.length,
      });
  });
});
