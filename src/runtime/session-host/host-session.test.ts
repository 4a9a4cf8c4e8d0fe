import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { AgentSession, SessionRequest } from '#ports/agent.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { ProcessSpec, RunningProcess } from '#ports/processes.ts';
import { createPuppet, createWorld, host, orderOf, tree } from '#test/hosted-session.ts';
import { hostSession } from './host-session.ts';

describe('A hosted session', () => {
  it('A session host logs every event, sweeps, takes the tree, and writes the receipt before it reports [B9] [X11]', async () => {
    const puppet = createPuppet();
    const { world, hosted } = host(puppet);
    puppet.say({ type: 'usage', usage: { usd: 0.5, tokens: 20 } }, { type: 'text', text: 'hm\n==DONE==\n' });
    puppet.finish();
    const result = await hosted.ended;
    expect(result).toMatchObject({
      ending: { kind: 'finished' },
      signal: { kind: 'done' },
      usage: { usd: 0.5, tokens: 20 },
      endTree: tree,
      log: 'builder_001.jsonl',
      ran: { driver: 'test', model: 'm' },
    });
    expect(world.lines.map((line) => line.type)).toEqual([
      'session-started',
      'usage',
      'text',
      'agent-ended',
      'session-ended',
    ]);
    expect(world.lines[0]).toMatchObject({
      role: 'builder',
      agent: 'a',
      model: 'm',
      reportsUsage: true,
      prompt: 'do it',
    });
    expect(world.lines.at(-1)).toMatchObject({ stepId: '0001', result });
    expect(world.receipts).toEqual([{ stepId: '0001', epoch: 3, result }]);
    expect([world.swept, world.kept]).toEqual([['run/0001'], ['0001/end']]);
    expect(world.order).toEqual(['sweep', 'snapshot', 'receipt', 'told']);
    expect(world.frames.at(-1)).toEqual({ type: 'ended', result });
  });

  it('A session host keeps secrets out of log, live output and receipt, also when they come in pieces [X6]', async () => {
    const puppet = createPuppet();
    const { world, hosted } = host(puppet);
    puppet.say(
      { type: 'text', text: 'the key is hush-hu' },
      { type: 'text', text: 'sh-hush, keep it' },
      { type: 'tool-call', id: '1', name: 'Bash', summary: 'echo hush-hush-hush' },
      { type: 'notice', text: 'hush-hush-hush' },
    );
    puppet.finish();
    await hosted.ended;
    const seen = JSON.stringify([world.lines, world.frames, world.receipts]);
    expect(seen).not.toContain('hush-hush');
    expect(seen).toContain('[redacted AGENT_KEY], keep it');
  });

  it('A secret in the prompt or in the error of a client is in no log, receipt or frame [X6]', async () => {
    const puppet = createPuppet();
    const world = createWorld(async () => puppet.agent);
    const order = orderOf();
    const operation = { ...order.step.deed, prompt: 'use hush-hush-hush' };
    const hosted = hostSession({ ...order, step: { ...order.step, deed: operation } }, world);
    const usage = { usd: null, tokens: null };
    puppet.end({ kind: 'crashed', detail: 'bad key hush-hush-hush', usage, model: null });
    await hosted.ended;
    const seen = JSON.stringify([world.lines, world.frames, world.receipts]);
    expect(seen).not.toContain('hush-hush');
    expect(seen).toContain('use [redacted AGENT_KEY]');
    expect(seen).toContain('bad key [redacted AGENT_KEY]');
  });

  it('The final output of a client is in the log, also without a blank or a line end after it [B9]', async () => {
    const puppet = createPuppet();
    const { world, hosted } = host(puppet);
    puppet.say({ type: 'text', text: 'all is ==DONE' }, { type: 'text', text: '==' });
    puppet.finish();
    await hosted.ended;
    expect(world.lines.flatMap((line) => (line.type === 'text' ? [line.text] : [])).join('')).toBe(
      'all is ==DONE==',
    );
  });

  it('The usage of a client that never reports it is unknown, not zero [X1]', async () => {
    const puppet = createPuppet();
    const { hosted } = host({ ...puppet, agent: { ...puppet.agent, reportsUsage: false } });
    puppet.finish();
    expect((await hosted.ended).usage).toEqual({ usd: null, tokens: null });
  });

  it('An agent that cannot be started is reported with the sentence and the hint, and has used nothing [X6]', async () => {
    const world = createWorld(async () => {
      throw new OperatorError('x', 'The agent is missing.', 'Install it.');
    });
    const result = await hostSession(orderOf(), world).ended;
    expect(result).toMatchObject({
      ending: { kind: 'not-started', reason: 'The agent is missing. Install it.' },
      signal: null,
      usage: { usd: 0, tokens: 0 },
    });
    expect(world.receipts).toHaveLength(1);
  });

  it('A session ends with the driver, unless the final result was read before [X11]', async () => {
    const lost = createPuppet();
    const living = host(lost);
    await sleep(5);
    living.hosted.driverLeft();
    expect((await living.hosted.ended).ending).toEqual({ kind: 'cancelled', reason: 'the driver ended' });
    expect(lost.closed).toContain('the driver ended');

    const done = createPuppet();
    const { hosted, world } = host(done);
    world.snapshot = async () => {
      hosted.driverLeft();
      return tree;
    };
    done.finish();
    expect((await hosted.ended).ending).toEqual({ kind: 'finished' });
    expect(world.receipts).toHaveLength(1);
  });

  it.each(['driver', 'kill'] as const)(
    'A session whose agent has delivered its result stays finished when the %s ends it before its processes are gone [D4] [X11]',
    async (by) => {
      const puppet = createPuppet();
      const { world, hosted } = host(puppet);
      puppet.say({ type: 'usage', usage: { usd: 0.5, tokens: 20 } }, { type: 'text', text: '==DONE==' });
      await puppet.conclude();
      const noted = world.lines.at(-1);
      expect(noted).toMatchObject({
        type: 'agent-ended',
        stepId: '0001',
        result: { ending: { kind: 'finished' }, signal: { kind: 'done' }, usage: { usd: 0.5, tokens: 20 } },
      });
      expect(world.swept).toEqual([]);
      if (by === 'driver') hosted.driverLeft();
      else hosted.steer({ stepId: '0001', kind: 'kill', reason: 'the driver is leaving' });
      expect(await hosted.ended).toMatchObject({ ending: { kind: 'finished' }, signal: { kind: 'done' } });
      // The rest of the client's exit is still limited.
      expect(puppet.closed).toHaveLength(1);
      expect(world.lines.filter((line) => line.type === 'agent-ended')).toEqual([noted]);
    },
  );

  it('A session whose agent delivered an error keeps that error when the driver goes away afterwards [D4]', async () => {
    const puppet = createPuppet();
    const { world, hosted } = host(puppet);
    const failed = { kind: 'failed', errorClass: 'overloaded', detail: 'busy: hush-hush-hush' } as const;
    await puppet.conclude(failed);
    hosted.driverLeft();
    const ending = { kind: 'failed', errorClass: 'overloaded', detail: 'busy: [redacted AGENT_KEY]' };
    expect(await hosted.ended).toMatchObject({ ending });
    expect(world.lines.find((line) => line.type === 'agent-ended')).toMatchObject({ result: { ending } });
  });

  it('A result that is read only after the driver is gone still counts as finished [D4]', async () => {
    const puppet = createPuppet();
    const { hosted } = host(puppet);
    // Printed before the kill, read after it.
    const close = puppet.session.close.bind(puppet.session);
    puppet.session.close = async (reason) => {
      puppet.say({ type: 'text', text: '==DONE==' });
      puppet.finish();
      await close(reason);
    };
    await sleep(5);
    hosted.driverLeft();
    expect(await hosted.ended).toMatchObject({ ending: { kind: 'finished' }, signal: { kind: 'done' } });
  });

  it('A limit that was hit first is not overridden by a result that is read later [Q6]', async () => {
    const puppet = createPuppet();
    const { hosted } = host(puppet);
    puppet.session.close = async () => puppet.finish();
    puppet.say({ type: 'usage', usage: { usd: 2, tokens: 20 } });
    expect((await hosted.ended).ending).toEqual({ kind: 'over-limit', limit: 'usd' });
  });

  it('A full disk under the log does not undo what the agent finished [D4]', async () => {
    const puppet = createPuppet();
    const world = createWorld(async () => puppet.agent);
    world.log.write = (line) => {
      if (line.type !== 'session-started') throw new Error('ENOSPC: no space left on device');
    };
    puppet.say({ type: 'text', text: 'x\n' }, { type: 'text', text: '==DONE==\n' });
    puppet.finish();
    const result = await hostSession(orderOf(), world).ended;
    expect(result).toMatchObject({ ending: { kind: 'finished' }, signal: { kind: 'done' } });
    expect(world.receipts).toEqual([{ stepId: '0001', epoch: 3, result }]);
  });

  it('A session ends at once when the driver leaves while the agent is still starting [X11]', async () => {
    const world = createWorld(async () => ({
      driver: 'slow',
      reportsUsage: true,
      resumes: 'no' as const,
      start: () => new Promise<never>(() => {}),
    }));
    const hosted = hostSession(orderOf(), world);
    await sleep(5);
    hosted.driverLeft();
    // It was started: its cost is unknown, not zero.
    expect(await hosted.ended).toMatchObject({
      ending: { kind: 'cancelled' },
      usage: { usd: null, tokens: null },
    });
    expect(world.swept).toEqual(['run/0001']);
  });

  it('An agent that never starts times out [Q6]', async () => {
    const world = createWorld(async () => ({
      driver: 'slow',
      reportsUsage: true,
      resumes: 'no' as const,
      start: () => new Promise<never>(() => {}),
    }));
    const hosted = hostSession(orderOf({ wallMs: 20 }), world);
    expect((await hosted.ended).ending).toEqual({ kind: 'timed-out', limit: 'wall', afterMs: 20 });
  });

  it('A session gets a request to wrap up, then the grace period, then is ended [Q6]', async () => {
    const deaf = createPuppet({ send: true });
    const late = host(deaf, { wallMs: 20, graceMs: 30 });
    expect((await late.hosted.ended).ending).toEqual({ kind: 'timed-out', limit: 'wall', afterMs: 20 });
    expect(deaf.heard).toHaveLength(1);

    const obedient = createPuppet({ send: true });
    const { hosted } = host(obedient, { wallMs: 20, graceMs: 600_000 });
    while (obedient.heard.length === 0) await sleep(2);
    obedient.finish();
    expect((await hosted.ended).ending).toEqual({ kind: 'finished' });
  });

  it('A session that cannot receive a request is ended at its wall limit [Q6]', async () => {
    const { hosted } = host(createPuppet(), { wallMs: 20, graceMs: 60_000 });
    expect((await hosted.ended).ending).toEqual({ kind: 'timed-out', limit: 'wall', afterMs: 20 });
  });

  it('A silent session is ended, but not while a tool call is open [Q6]', async () => {
    const silent = host(createPuppet(), { idleMs: 20 });
    expect((await silent.hosted.ended).ending).toEqual({ kind: 'timed-out', limit: 'idle', afterMs: 20 });

    const busy = createPuppet();
    const { hosted } = host(busy, { idleMs: 30 });
    busy.say({ type: 'tool-call', id: '1', name: 'Bash', summary: 'long' });
    await sleep(150);
    busy.say({ type: 'tool-result', id: '1', isError: false, summary: 'ok' });
    busy.finish();
    expect((await hosted.ended).ending).toEqual({ kind: 'finished' });
  });

  it('A client that prints longer than the idle limit is not ended, although nothing of it becomes an event [Q6]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const puppet = createPuppet();
      const started = Promise.withResolvers<SessionRequest>();
      const start = async (request: SessionRequest): Promise<AgentSession> => {
        started.resolve(request);
        return puppet.agent.start(request);
      };
      const world = createWorld(async () => ({ ...puppet.agent, start }));
      const printed: ProcessSpec[] = [];
      const processes = {
        ...world.processes,
        start: (spec: ProcessSpec): RunningProcess => {
          printed.push(spec);
          return {
            pid: 1,
            exited: new Promise(() => {}),
            ended: new Promise(() => {}),
            write: () => {},
            closeInput: () => {},
            kill: () => {},
          };
        },
      };
      const hosted = hostSession(orderOf({ wallMs: 1_000_000, idleMs: 10_000 }), { ...world, processes });
      const client = { command: 'x', cwd: '/', env: {}, mark: 'm', wallMs: 1, idleMs: null, graceMs: 1 };
      const request = await started.promise;
      request.processes.start({ ...client, onOutput: () => {} });
      for (const signs of [
        () => printed[0]?.onOutput(Buffer.from('{"partial'), 'stdout'),
        () => request.onOutput?.(),
      ]) {
        for (let count = 0; count < 5; count += 1) {
          await vi.advanceTimersByTimeAsync(9_000);
          expect(puppet.closed).toEqual([]);
          await signs();
        }
      }
      await vi.advanceTimersByTimeAsync(10_001);
      expect((await hosted.ended).ending).toEqual({ kind: 'timed-out', limit: 'idle', afterMs: 10_000 });
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['usd', { usd: 1.01, tokens: 1 }],
    ['tokens', { usd: null, tokens: 1001 }],
  ])(
    'A session that exceeds its %s reserve is ended, and reports what it used [X1]',
    async (limit, usage) => {
      const puppet = createPuppet();
      const { hosted } = host(puppet);
      puppet.say({ type: 'usage', usage: { usd: 1, tokens: 1000 } }, { type: 'usage', usage });
      // If the host did not end it, it would end by itself before its time limit.
      puppet.finish();
      const result = await hosted.ended;
      expect(puppet.closed).toEqual([`it exceeded its ${limit} limit`]);
      expect(result.ending).toEqual({ kind: 'over-limit', limit });
      expect(result.usage).toEqual(usage);
    },
  );

  it('A session obeys kill, text and interrupt, also before the agent has started [Q5]', async () => {
    const killed = host(createPuppet());
    killed.hosted.steer({ stepId: '0001', kind: 'kill', reason: 'stopped' });
    killed.hosted.steer({ stepId: '0001', kind: 'kill', reason: 'again' });
    expect((await killed.hosted.ended).ending).toEqual({ kind: 'cancelled', reason: 'stopped' });

    const told = createPuppet({ send: true, interrupt: true });
    const { hosted } = host(told);
    hosted.steer({ stepId: '0001', kind: 'text', text: 'be quick' });
    await sleep(5);
    hosted.steer({ stepId: '0001', kind: 'interrupt' });
    expect((await hosted.ended).ending).toEqual({ kind: 'interrupted', resumeId: 'r-1' });
    expect(told.heard).toEqual(['be quick']);
  });

  it('An interrupt that the agent does not support is ignored [Q5]', async () => {
    const puppet = createPuppet();
    const { hosted } = host(puppet);
    hosted.steer({ stepId: '0001', kind: 'interrupt' });
    await sleep(20);
    puppet.finish();
    expect((await hosted.ended).ending).toEqual({ kind: 'finished' });
  });

  it('A session whose log cannot be written is ended, and still leaves a receipt [X6]', async () => {
    const puppet = createPuppet();
    const world = createWorld(async () => puppet.agent);
    world.log.write = (line) => {
      if (line.type !== 'session-started') throw new Error('ENOSPC: no space left on device');
    };
    puppet.say({ type: 'text', text: 'x\n' });
    const usage = { usd: null, tokens: null };
    puppet.end({ kind: 'crashed', detail: 'by itself', usage, model: null });
    const result = await hostSession(orderOf(), world).ended;
    expect(puppet.closed).toEqual(['no log']);
    expect(result.ending).toMatchObject({
      kind: 'cancelled',
      reason: expect.stringContaining('ENOSPC') as unknown,
    });
    expect(world.receipts).toHaveLength(1);
  });

  it('A session whose tree cannot be read ends without one, and its log says why', async () => {
    const puppet = createPuppet();
    const { world, hosted } = host(puppet);
    world.snapshot = async () => {
      throw new Error('no repository');
    };
    puppet.finish();
    expect(await hosted.ended).toMatchObject({ ending: { kind: 'finished' }, endTree: null });
    const text = 'the files could not be taken: no repository';
    expect(world.lines).toContainEqual({ at: 5, type: 'notice', text });
    expect(world.receipts).toHaveLength(1);
  });

  it('The live output shows all of a quiet session and the newest part of a flood [B9]', async () => {
    const puppet = createPuppet();
    const { world, hosted } = host(puppet);
    for (let count = 0; count < 3_000; count += 1) {
      puppet.say(
        { type: 'text', text: `${count} `.repeat(1_000) },
        { type: 'notice', text: 'n'.repeat(5_000) },
      );
    }
    puppet.finish();
    await hosted.ended;
    const shown = world.frames.filter((frame) => frame.type === 'chatter');
    expect(JSON.stringify(shown).length).toBeLessThan(1_000_000);
    expect(shown.length).toBeGreaterThan(0);
    expect(world.lines.filter((line) => line.type === 'text')).toHaveLength(3_000);
  });
});
