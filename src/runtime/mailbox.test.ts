import { describe, expect, it } from 'vitest';
import { createMailbox } from './mailbox.ts';

describe('the mailbox', () => {
  it('The mailbox gives every message once, in the order of arrival', () => {
    const mailbox = createMailbox<number>();
    mailbox.post([1, 2]);
    mailbox.post([3]);
    expect(mailbox.drain()).toEqual([1, 2, 3]);
    expect(mailbox.drain()).toEqual([]);
  });

  it('A reader does not wait for a message that has arrived already', async () => {
    const mailbox = createMailbox<number>();
    mailbox.post([1]);
    await mailbox.arrival();
    expect(mailbox.hasSome()).toBe(true);
  });

  it('A message, a wake-up or a failure wakes a waiting reader', async () => {
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

  it('A wake-up reaches the newest reader when an earlier wait was abandoned', async () => {
    const mailbox = createMailbox<number>();
    void mailbox.arrival();
    const second = mailbox.arrival();
    mailbox.wake();
    await second;
    expect(mailbox.drain()).toEqual([]);
  });

  it('The mailbox throws the first failure at the next drain, and keeps throwing it', () => {
    const mailbox = createMailbox<number>();
    mailbox.fail(new Error('first'));
    mailbox.fail(new Error('second'));
    mailbox.post([1]);
    expect(() => mailbox.drain()).toThrow('first');
    expect(() => mailbox.drain()).toThrow('first');
  });
});
