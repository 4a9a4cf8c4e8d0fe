import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '#ports/agent.ts';
import { createPuppet, host } from '#test/hosted-session.ts';
import { wrapUpRequest } from './limits.ts';
import type { SessionLimits } from '#kernel/model/budget.ts';

const wrapUp = { text: 'Give your result now.', notice: 'Agent timeout, requesting convergence...' };
const limits: SessionLimits = { wallMs: 100_000, idleMs: 9_000_000, graceMs: 60_000, wrapUp };
const tooLong = { kind: 'timed-out', limit: 'wall', afterMs: 100_000 };
const begun: readonly AgentEvent[] = [
  { type: 'session-id', id: 'thread-1' },
  { type: 'text', text: 'working' },
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A session that is working, with a list of all calls to it. */
async function working(features: { send?: boolean; interrupt?: boolean }, given: SessionLimits = limits) {
  const puppet = createPuppet(features);
  const deeds: string[] = [];
  const { session } = puppet;
  const { send, interrupt, close } = session;
  if (send !== undefined)
    session.send = async (text) => {
      deeds.push(`send: ${text}`);
      await send(text);
    };
  if (interrupt !== undefined)
    session.interrupt = async () => {
      deeds.push('interrupt');
      await interrupt();
    };
  session.close = async (reason) => {
    deeds.push('close');
    await close(reason);
  };
  const { world, hosted } = host(puppet, given);
  await vi.advanceTimersByTimeAsync(0);
  puppet.say(...begun);
  await vi.advanceTimersByTimeAsync(0);
  return { puppet, session, deeds, world, hosted, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

/** Ignores an interrupt: it prints and does nothing afterwards. */
const deaf = (): Promise<void> => new Promise(() => {});

describe('A turn whose time is over', () => {
  it('An overdue turn gets the request of its loop, is interrupted after half of the grace, and closed at its end [A5]', async () => {
    const { session, deeds, world, hosted, pass } = await working({ send: true, interrupt: true });
    session.interrupt = () => {
      deeds.push('interrupt');
      return deaf();
    };
    await pass(99_999);
    expect(deeds).toEqual([]);
    await pass(1);
    expect(deeds).toEqual(['send: Give your result now.']);
    await pass(29_999);
    expect(deeds).toHaveLength(1);
    await pass(1);
    expect(deeds).toEqual(['send: Give your result now.', 'interrupt']);
    await pass(29_999);
    expect(deeds).toHaveLength(2);
    await pass(1);
    expect(deeds).toEqual(['send: Give your result now.', 'interrupt', 'close']);
    const result = await hosted.ended;
    expect(result).toMatchObject({ ending: tooLong, resumeId: 'thread-1' });
    expect(world.receipts).toEqual([{ stepId: '0001', epoch: 3, result }]);
  });

  it('An overdue turn is announced once, to the user and in the log [A5]', async () => {
    const { world, hosted, pass } = await working({ send: true });
    await pass(200_000);
    await hosted.ended;
    const notice = { type: 'notice', text: 'Agent timeout, requesting convergence...' };
    expect(world.lines.filter((line) => line.type === 'notice')).toEqual([{ at: 5, ...notice }]);
    expect(world.frames.filter((frame) => frame.type === 'chatter' && frame.event.type === 'notice')).toEqual(
      [{ type: 'chatter', event: notice }],
    );
  });

  it('An overdue turn that stops at the interrupt ends as timed out, and its conversation can be continued [A5]', async () => {
    const { deeds, world, hosted, pass } = await working({ send: true, interrupt: true });
    await pass(130_000);
    expect(await hosted.ended).toMatchObject({ ending: tooLong, resumeId: 'thread-1' });
    expect(deeds).toEqual(['send: Give your result now.', 'interrupt']);
    expect(world.lines.find((line) => line.type === 'agent-ended')).toMatchObject({
      result: { ending: tooLong, resumeId: 'thread-1' },
    });
  });

  it('An overdue turn whose client exits at the interrupt ends as timed out [A5]', async () => {
    const { puppet, session, hosted, pass } = await working({ send: true, interrupt: true });
    session.interrupt = async () =>
      puppet.end({ kind: 'crashed', detail: 'exit 1', usage: { usd: null, tokens: 7 }, model: null });
    await pass(130_000);
    expect(await hosted.ended).toMatchObject({ ending: tooLong, usage: { tokens: 7 } });
  });

  it('An overdue turn that gives its result in time finishes normally, and is not interrupted [A5]', async () => {
    const { puppet, deeds, hosted, pass } = await working({ send: true, interrupt: true });
    await pass(129_999);
    puppet.say({ type: 'text', text: '\n==DONE==\n' });
    puppet.finish();
    await pass(60_000);
    expect(await hosted.ended).toMatchObject({
      ending: { kind: 'finished' },
      signal: { kind: 'done' },
      resumeId: 'thread-1',
    });
    expect(deeds).toEqual(['send: Give your result now.']);
  });

  it('An overdue turn finishes if its result comes between the interrupt and the end of the grace [A5]', async () => {
    const { puppet, session, hosted, pass } = await working({ send: true, interrupt: true });
    session.interrupt = deaf;
    await pass(150_000);
    puppet.finish();
    expect((await hosted.ended).ending).toEqual({ kind: 'finished' });
  });

  it('An overdue turn is not interrupted once its result is known, although its processes still run [A5]', async () => {
    const { puppet, deeds, hosted, pass } = await working({ send: true, interrupt: true });
    await pass(110_000);
    const concluded = puppet.conclude();
    await pass(0);
    await concluded;
    await pass(25_000);
    expect(deeds).toEqual(['send: Give your result now.']);
    await pass(60_000);
    expect((await hosted.ended).ending).toEqual({ kind: 'finished' });
    expect(deeds).toEqual(['send: Give your result now.', 'close']);
  });

  it('An overdue turn is interrupted and closed even if the request cannot be delivered [A5]', async () => {
    const { session, deeds, hosted, pass } = await working({ send: true, interrupt: true });
    session.send = async () => {
      deeds.push('refused');
      throw new Error('the turn has ended');
    };
    await pass(129_999);
    expect(deeds).toEqual(['refused']);
    await pass(1);
    expect(await hosted.ended).toMatchObject({ ending: tooLong, resumeId: 'thread-1' });
    expect(deeds).toEqual(['refused', 'interrupt']);
  });

  it('An overdue turn is closed even if the interrupt is refused [A5]', async () => {
    const { session, deeds, hosted, pass } = await working({ send: true, interrupt: true });
    session.interrupt = async () => {
      deeds.push('refused');
      throw new Error('no turn runs');
    };
    await pass(160_000);
    expect((await hosted.ended).ending).toEqual(tooLong);
    expect(deeds).toEqual(['send: Give your result now.', 'refused', 'close']);
  });

  it('An overdue turn is interrupted at once if its client accepts no message during a turn [A5]', async () => {
    const { deeds, hosted, pass } = await working({ interrupt: true });
    await pass(100_000);
    expect(await hosted.ended).toMatchObject({ ending: tooLong, resumeId: 'thread-1' });
    expect(deeds).toEqual(['interrupt']);
  });

  it('An overdue turn is closed at once if its client accepts neither a message nor an interrupt [A5]', async () => {
    const { deeds, hosted, pass } = await working({});
    await pass(100_000);
    expect(await hosted.ended).toMatchObject({ ending: tooLong, resumeId: 'thread-1' });
    expect(deeds).toEqual(['close']);
  });

  it('An overdue turn is interrupted once, whether the user or the clock came first [A5] [A6]', async () => {
    const paused = await working({ send: true, interrupt: true });
    const calls: string[] = [];
    paused.session.interrupt = () => {
      calls.push('interrupt');
      return deaf();
    };
    await paused.pass(99_000);
    paused.hosted.steer({ stepId: '0001', kind: 'interrupt' });
    paused.hosted.steer({ stepId: '0001', kind: 'interrupt' });
    await paused.pass(40_000);
    expect(calls).toEqual(['interrupt']);
    paused.puppet.end({
      kind: 'interrupted',
      resumeId: 'thread-1',
      usage: { usd: null, tokens: null },
      model: null,
    });
    expect((await paused.hosted.ended).ending).toEqual({ kind: 'interrupted', resumeId: 'thread-1' });

    const late = await working({ send: true, interrupt: true });
    late.session.interrupt = async () => {
      calls.push('late');
    };
    await late.pass(130_000);
    late.hosted.steer({ stepId: '0001', kind: 'interrupt' });
    await late.pass(30_000);
    expect(calls).toEqual(['interrupt', 'late']);
    expect((await late.hosted.ended).ending).toEqual(tooLong);
  });

  it('An overdue turn without a request of its loop gets the usual one, and is never interrupted [Q6]', async () => {
    const { wrapUp: _, ...usual } = limits;
    const { deeds, world, hosted, pass } = await working({ send: true, interrupt: true }, usual);
    await pass(159_999);
    expect(deeds).toEqual([`send: ${wrapUpRequest}`]);
    await pass(1);
    expect((await hosted.ended).ending).toEqual(tooLong);
    expect(deeds).toEqual([`send: ${wrapUpRequest}`, 'close']);
    expect(world.lines.filter((line) => line.type === 'notice')).toEqual([]);
  });
});
