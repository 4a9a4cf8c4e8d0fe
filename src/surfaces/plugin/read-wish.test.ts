import { expect, it } from 'vitest';
import { readWish } from './read-wish.ts';

it('A session starts with a goal, its checks and whether a review counts', () => {
  const { goal, flags } = readWish('add it --check "npm test" --accept-review --agent codex');
  expect(goal).toBe('add it');
  expect(flags).toMatchObject({
    check: ['npm test'],
    acceptReview: true,
    agent: ['builder=interactive', 'verifier=codex'],
  });
  expect(readWish('add it --no-accept-review').flags.acceptReview).toBe(false);
  expect(readWish('add it').flags).not.toHaveProperty('acceptReview');
  expect(readWish('add it --allow-root').flags.allowRoot).toBe(true);
  expect(readWish('add it').flags).not.toHaveProperty('allowRoot');
});

it('A session without a verifier names no agent for one', () => {
  const { flags } = readWish('add it --preset builder-verifier --check "npm test" --verifier none');
  expect(flags).toMatchObject({ verifier: 'none', agent: ['builder=interactive'] });
  expect(readWish('add it').flags).not.toHaveProperty('verifier');
});

it('A quoted word is a part of the goal, whatever option it looks like', () => {
  const { goal, flags } = readWish('add "--accept-review" to the help');
  expect(goal).toBe('add --accept-review to the help');
  expect(flags).not.toHaveProperty('acceptReview');
});

it('An unknown option of a start is refused with the known ones', () => {
  const known = /--check, .*--accept-review, --no-accept-review/;
  expect(() => readWish('add it --fast')).toThrow(
    expect.objectContaining({ code: 'usage', hint: expect.stringMatching(known) as unknown }),
  );
});
