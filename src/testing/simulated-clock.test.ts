import { describe, expect, it } from 'vitest';
import { simulatedClock } from './simulated-clock.ts';

describe('the simulated clock', () => {
  it('The simulated clock wakes only those waits whose time is reached, earliest first', async () => {
    const clock = simulatedClock(1000);
    const woken: string[] = [];
    const wait = async (name: string, until: number): Promise<void> => {
      await clock.waitUntil(until, new AbortController().signal);
      woken.push(name);
    };
    const waits = [wait('late', 1200), wait('early', 1100)];
    void wait('never', 2000);
    expect(clock.nextDue()).toBe(1100);
    clock.advance(500);
    await Promise.all(waits);
    expect(woken).toEqual(['early', 'late']);
    expect(clock.nextDue()).toBe(2000);
  });

  it('The simulated clock waits neither for the past nor for an aborted wait', async () => {
    const clock = simulatedClock(1000);
    await clock.waitUntil(999, new AbortController().signal);
    const gone = new AbortController();
    const waiting = clock.waitUntil(5000, gone.signal);
    gone.abort();
    await waiting;
    expect(clock.nextDue()).toBeNull();
  });

  it('The simulated clock can be set back and forward', () => {
    const clock = simulatedClock(1000);
    clock.jump(-300);
    expect(clock.now()).toBe(700);
    clock.jump(1000);
    expect(clock.now()).toBe(1700);
  });
});
