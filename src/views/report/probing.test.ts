import { describe, expect, it } from 'vitest';
import type { Probing } from './probing.ts';
import { probingText } from './probing.ts';

const mutant = { path: 'src/add.mjs', line: 1, what: '`+` became `-`' };

function text(noticedBy: readonly (readonly string[])[], finding: 'noticed' | 'weak' | 'left out'): string {
  const probing: Probing = {
    runId: 'run',
    commit: 'c'.repeat(40),
    seed: 1,
    possible: noticedBy.length,
    mutants: noticedBy.map((names) => ({ ...mutant, noticedBy: names })),
    criteria: [{ id: 'tests', check: 'npm test', finding, noticed: noticedBy.flat().length }],
  };
  return probingText(probing).split('\n').at(-1) ?? '';
}

describe('The final text of a mutation probe', () => {
  it('A mutation probe praises no check if a mutation was not noticed [X4]', () => {
    expect(text([['tests'], ['tests']], 'noticed')).toBe('Each of them was noticed by a check.');
    expect(text([['tests'], []], 'noticed')).toMatch(/^No check is weak, but 1 of 2 were not noticed/);
    expect(text([[], []], 'weak')).toMatch(/^A weak check passes whatever/);
    expect(text([[], []], 'left out')).toMatch(/^No check passes on this work/);
  });
});
