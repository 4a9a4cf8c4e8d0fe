import { describe, expect, it } from 'vitest';
import { commandCriterion } from '#test/simulated/simulated-run.ts';
import { builderVerifier } from './builder-verifier.ts';

describe('The builder-verifier preset', () => {
  it('The builder-verifier preset makes at most 20 attempts with 2 seconds between [B1]', () => {
    expect(builderVerifier.limits).toEqual({ attemptsMax: 20, cooldownMs: 2000 });
  });

  it('The builder-verifier preset makes one task of a goal: its checks, then the verifier [B1] [B5]', () => {
    const works = commandCriterion('works');
    const [task, ...more] = builderVerifier.tasks({ goal: 'make it', checks: [works], mayChange: ['a/**'] });
    expect(more).toEqual([]);
    expect(task?.criteria.map((one) => one.id)).toEqual(['works', 'verifier']);
    expect(task?.criteria[1]).toMatchObject({
      required: true,
      check: { kind: 'reviewer', role: 'verifier' },
    });
    expect(task?.mayChange).toEqual(['a/**']);
  });

  it('The builder can write, and the verifier can only read [B7]', () => {
    expect(builderVerifier.roles['builder']?.readOnly).toBe(false);
    expect(builderVerifier.roles['verifier']?.readOnly).toBe(true);
  });

  it.each([
    ['\n\n# Add a --json flag\n\nIt prints…', 'Add a --json flag'],
    ['', 'work'],
    ['x'.repeat(100), `${'x'.repeat(71)}…`],
  ])('A goal is shortened to a readable title: %j', (goal, title) => {
    expect(builderVerifier.tasks({ goal, checks: [], mayChange: [] })[0]?.title).toBe(title);
  });
});
