import { describe, expect, it } from 'vitest';
import { createMailbox } from './mailbox.ts';

describe('the mailbox', () => {
  it('gives everything once, in the order in which it came', () => {
    const mailbox = createMailbox<number>();
    mailbox.post([1, 2]);
    mailbox.post([3]);
    expect(mailbox.drain()).toEqual([1, 2, 3]);
    expect(mailbox.drain()).toEqual([]);
  });

  it('does not let anybody wait for what is there already', async () => {
    const mailbox = createMailbox<number>();
    mailbox.post([1]);
    await mailbox.arrival();
    expect(mailbox.hasSome()).toBe(true);
  });

  it('wakes whoever waits, for a letter, a ring or a failure', async () => {
    for (const happen of ['post', 'wake', 'fail'] as const) {
      const mailbox = createMailbox<number>();
      const arrived = mailbox.arrival();
      if (happen === 'post') mailbox.post([1]);
      else if (happen === 'wake') mailbox.wake();
      else mailbox.fail(new Error('boom'));
      await arrived;
      expect(mailbox.hasSome()).toBe(true);
    }
  });

  it('wakes the newest waiter when an earlier wait was given up', async () => {
    const mailbox = createMailbox<number>();
    void mailbox.arrival();
    const second = mailbox.arrival();
    mailbox.wake();
    await second;
    expect(mailbox.drain()).toEqual([]);
  });

  it('throws the first failure at the next drain, and keeps throwing it', () => {
    const mailbox = createMailbox<number>();
    mailbox.fail(new Error('first'));
    mailbox.fail(new Error('second'));
    mailbox.post([1]);
    expect(() => mailbox.drain()).toThrow('first');
    expect(() => mailbox.drain()).toThrow('first');
  });
});
