import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { SessionResult } from '#kernel/model/step.ts';
import type { Arrival } from '#ports/inbox.ts';
import { OperatorError } from '#base/operator-error.ts';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import {
  commandCriterion,
  reviewerCriterion,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { SimulatedWorld, SimulatedWorldOptions } from '#test/simulated/simulated-world.ts';
import { simulatedWorld } from '#test/simulated/simulated-world.ts';
import { statusText } from '#views/status/status.ts';
import { summaryText } from '#views/report/summary.ts';
import { drive } from './drive.ts';
import type { DriveEnd } from './drive-options.ts';

const tasks = [simulatedTask('main', { criteria: [commandCriterion('works'), reviewerCriterion] })];

function world(options: Partial<SimulatedWorldOptions> = {}): SimulatedWorld {
  return simulatedWorld({ tasks, ...options });
}

async function start(
  simulated: SimulatedWorld,
  { leaves = true, signal = new AbortController().signal } = {},
): Promise<DriveEnd> {
  return drive('run', simulated, builderVerifier.policy, { leaveWhenParked: () => leaves, signal });
}

function typesOf(simulated: SimulatedWorld): string[] {
  return simulated.journal.events.map((event) => event.type);
}

/** A session that runs until it is steered. */
const endless = async (): Promise<Partial<SessionResult>> => new Promise(() => {});

const finishedSession: SessionResult = {
  kind: 'session',
  ending: { kind: 'finished' },
  signal: { kind: 'done' },
  usage: { usd: 1, tokens: 100 },
  endTree: null,
  log: 'log.jsonl',
  ran: { driver: 'simulated', model: null },
};

describe('a driver', () => {
  it('A driver drives a run to its outcome: build, check, review, commit, accept [B1] [X3]', async () => {
    const simulated = world();
    const end = await start(simulated);
    expect(end).toMatchObject({ kind: 'ended', run: { outcome: { outcome: 'completed' } } });
    expect(simulated.started.map((step) => step.deed.role)).toEqual(['builder', 'verifier']);
    expect(simulated.commits).toEqual([{ stepId: '0006-commit-main', tree: 'work' }]);
    expect(replay(simulated.journal.events)).toEqual((end as { run: unknown }).run);
    expect(simulated.journal).toMatchObject({ isOpen: false, synced: simulated.journal.events.length });
  });

  it('Each start is on the disk before the driver acts on it', async () => {
    const seen: boolean[] = [];
    const simulated = world({
      session: (step, files) => {
        const { events, synced } = simulated.journal;
        const at = events.findIndex(
          (event) => event.type === 'step-started' && event.step.stepId === step.stepId,
        );
        seen.push(at !== -1 && at < synced);
        return { endTree: step.deed.readOnly ? files : 'work' };
      },
    });
    await start(simulated);
    expect(seen).toEqual([true, true]);
  });

  it('A host starts early beside a check that a session can follow, and not beside the acceptance', async () => {
    const warmed = async (options: Partial<SimulatedWorldOptions>): Promise<string[]> => {
      const simulated = world(options);
      const beside: string[] = [];
      const warm = (): void => {
        const last = simulated.journal.events.findLast((event) => event.type === 'step-started');
        if (last !== undefined && last.step.deed.kind === 'check') beside.push(last.step.deed.purpose);
      };
      await start({ ...simulated, sessions: { ...simulated.sessions, warm } });
      expect(typesOf(simulated)).toContain('run-ended');
      return beside;
    };
    expect(await warmed({})).toEqual(['base', 'attempt']);
    // The budget allows one session: after the checks of its work, none can follow.
    expect(await warmed({ config: { budget: simulatedBudget({ sessions: 1 }) } })).toEqual(['base']);
  });

  it('A second driver is refused while another one drives, with the name of the holder [Q4]', async () => {
    const simulated = world({ session: endless });
    const leave = new AbortController();
    const first = start(simulated, { signal: leave.signal });
    await setImmediate();
    expect(await start(simulated)).toEqual({ kind: 'held', by: { pid: 7, host: 'elsewhere', since: 0 } });
    leave.abort();
    expect(await first).toMatchObject({ kind: 'parked', waitingFor: 'a driver' });
  });

  it('A driver adopts a session that finished without a driver, and does not start it again [B13]', async () => {
    const lost = world({ session: endless });
    const leave = new AbortController();
    const first = start(lost, { signal: leave.signal });
    await setImmediate();
    const events = [...lost.journal.events];
    leave.abort();
    await first;
    const [builder] = lost.started;
    if (builder === undefined) throw new Error('a builder was started');
    const simulated = world({
      adopted: () => ({
        kind: 'session',
        ending: { kind: 'finished' },
        signal: { kind: 'done' },
        usage: { usd: 1, tokens: 1 },
        endTree: 'adopted',
        log: 'log',
        ran: { driver: 'simulated', model: null },
      }),
    });
    simulated.journal.events.splice(0, Infinity, ...events);
    expect(await start(simulated)).toMatchObject({
      kind: 'ended',
      run: { outcome: { outcome: 'completed' } },
    });
    expect(simulated.started.map((step) => step.deed.role)).toEqual(['verifier']);
    expect(simulated.commits).toMatchObject([{ tree: 'adopted' }]);
  });

  it('The result of a session is kept when a later operation fails, and is adopted next time [B13]', async () => {
    const result = { ...finishedSession, endTree: 'work' };
    let isFull = true;
    const simulated = world({
      adopted: () => result,
      workspace: {
        restoreRefs: async () => {
          if (isFull) throw new OperatorError('disk-full', 'the disk is full', 'Free some space.');
          return [];
        },
      },
    });
    const parked = { kind: 'parked', waitingFor: 'the disk is full Free some space.' };
    expect(await start(simulated)).toMatchObject(parked);
    expect(await start(simulated)).toMatchObject(parked);
    isFull = false;
    expect(await start(simulated)).toMatchObject({
      kind: 'ended',
      run: { outcome: { outcome: 'completed' } },
    });
    expect(simulated.started.filter((step) => step.deed.role === 'builder')).toHaveLength(1);
  });

  it('A run parks when the files of a finished session cannot be stored, and stores them after resume without another session [D4]', async () => {
    const notStored = (): never => {
      throw new OperatorError('tree-not-stored', 'The files could not be stored.', 'Free some space.');
    };
    let isFull = true;
    const simulated = world({
      session: async (step, files) =>
        isFull ? notStored() : { endTree: step.deed.readOnly ? files : 'work' },
      adopted: () => (isFull ? notStored() : { ...finishedSession, endTree: 'work' }),
    });
    const waitingFor = 'The files could not be stored. Free some space.';
    expect(await start(simulated)).toMatchObject({ kind: 'parked', waitingFor });
    expect(await start(simulated)).toMatchObject({ kind: 'parked', waitingFor });
    expect(simulated.journal.events.at(-1)).toMatchObject({ type: 'driver-left', reason: waitingFor });
    isFull = false;
    expect(await start(simulated)).toMatchObject({
      kind: 'ended',
      run: { outcome: { outcome: 'completed' } },
    });
    expect(simulated.started.filter((step) => step.deed.role === 'builder')).toHaveLength(1);
    expect(simulated.commits).toMatchObject([{ tree: 'work' }]);
  });

  it('A pause during a failed adoption is answered before the driver leaves, so that a later resume counts [D4] [Q5]', async () => {
    let isFull = true;
    const notStored = (): never => {
      throw new OperatorError('tree-not-stored', 'The files could not be stored.', 'Free some space.');
    };
    const simulated = world({
      session: async (step, files) =>
        isFull ? notStored() : { endTree: step.deed.readOnly ? files : 'work' },
      adopted: () => {
        if (!isFull) return { ...finishedSession, endTree: 'work' };
        simulated.ask({ kind: 'pause', why: 'interrupted at the terminal' });
        return notStored();
      },
    });
    const waitingFor = 'The files could not be stored. Free some space.';
    expect(await start(simulated)).toMatchObject({ kind: 'parked', waitingFor, run: { paused: null } });
    expect(await start(simulated)).toMatchObject({
      kind: 'parked',
      waitingFor,
      run: { paused: { why: 'interrupted at the terminal' }, pending: [] },
    });
    expect(await simulated.inbox.take()).toEqual([]);
    isFull = false;
    simulated.ask({ kind: 'resume' });
    expect(await start(simulated)).toMatchObject({ run: { outcome: { outcome: 'completed' } } });
  });

  it('The checkout of a review stays while its tree cannot be stored, because the tree is stored from it after resume [D4]', async () => {
    let isFull = true;
    let disposed = 0;
    const dispose = async (): Promise<void> => {
      disposed += 1;
    };
    const simulated = world({
      session: async ({ deed }, files) => {
        if (deed.readOnly && isFull) throw new OperatorError('tree-not-stored', 'No room.', 'Make some.');
        return { endTree: deed.readOnly ? files : 'work' };
      },
      adopted: ({ baseTree }) => ({ ...finishedSession, endTree: baseTree }),
    });
    const reviewCheckout = simulated.workspace.reviewCheckout.bind(simulated.workspace);
    simulated.workspace.reviewCheckout = async (tree, name) => ({
      ...(await reviewCheckout(tree, name)),
      dispose,
    });
    expect(await start(simulated)).toMatchObject({ kind: 'parked', waitingFor: 'No room. Make some.' });
    expect(disposed).toBe(0);
    isFull = false;
    expect(await start(simulated)).toMatchObject({ run: { outcome: { outcome: 'completed' } } });
    expect(simulated.started.map(({ deed }) => deed.role)).toEqual(['builder', 'verifier']);
  });

  it('A run parks even if the full disk does not accept the fact that says so [D4]', async () => {
    const simulated = world({
      session: async () => {
        throw new OperatorError('tree-not-stored', 'The files could not be stored.', 'Free some space.');
      },
    });
    const open = simulated.store.open.bind(simulated.store);
    simulated.store.open = async (runId) => {
      const journal = await open(runId);
      if ('heldBy' in journal) return journal;
      return {
        ...journal,
        append: async (events, how) => {
          if (events.some(({ type }) => type === 'driver-left')) throw new Error('ENOSPC');
          return journal.append(events, how);
        },
      };
    };
    expect(await start(simulated)).toMatchObject({ kind: 'parked' });
  });

  it('A run parks with the error when the environment refuses an operation, and continues after resume', async () => {
    let isLost = true;
    const simulated = world({
      workspace: {
        cleanCheckout: async (tree) => {
          if (isLost) throw new OperatorError('no-space', 'there is no space for a checkout', 'Make some');
          return { root: '', cwd: `clean ${tree}`, snapshot: async () => tree, dispose: async () => {} };
        },
      },
    });
    const waitingFor = 'there is no space for a checkout. Make some';
    expect(await start(simulated)).toMatchObject({ kind: 'parked', waitingFor });
    expect(await start(simulated)).toMatchObject({ kind: 'parked', waitingFor });
    isLost = false;
    simulated.ask({ kind: 'resume' });
    expect(await start(simulated)).toMatchObject({
      kind: 'ended',
      run: { outcome: { outcome: 'completed' } },
    });
  });

  it('A bug of ours rejects the driver and is not reported as a refusal', async () => {
    const simulated = world({
      workspace: {
        prepare: async () => {
          throw new TypeError('undefined is not a function');
        },
      },
    });
    await expect(start(simulated)).rejects.toThrow(TypeError);
    expect(simulated.journal.isOpen).toBe(false);
  });
});

describe('Controls', () => {
  it('A control takes effect during a session [Q5]', async () => {
    const simulated = world({
      session: (step, files) => (step.deed.resume === null ? endless() : { endTree: `${files}!` }),
    });
    const run = start(simulated, { leaves: false });
    await setImmediate();
    simulated.ask({ kind: 'pause', why: 'lunch' });
    await setImmediate();
    expect(simulated.journal.events.at(-1)).toMatchObject({
      type: 'step-ended',
      result: { ending: { kind: 'interrupted' } },
    });
    simulated.ask({ kind: 'resume' });
    await setImmediate();
    expect(simulated.started.map((step) => step.deed.resume)).toEqual([null, '0003-builder-main', null]);
    simulated.ask({ kind: 'stop', now: true, why: 'enough' });
    expect(await run).toMatchObject({
      kind: 'ended',
      run: { outcome: { outcome: 'stopped', reason: 'enough' } },
    });
  });

  it('A control that arrives while another one is recorded is not missed [Q5]', async () => {
    const simulated = world({ session: endless });
    const settle = simulated.inbox.settle.bind(simulated.inbox);
    simulated.inbox.settle = async (id) => {
      if (id === 'k1') simulated.ask({ kind: 'stop', now: true, why: 'quickly' });
      await settle(id);
    };
    const run = start(simulated, { leaves: false });
    await setImmediate();
    simulated.ask({ kind: 'tell', text: 'hurry' });
    expect(await run).toMatchObject({ kind: 'ended', run: { outcome: { outcome: 'stopped' } } });
  });

  it('Each control is answered once, also one that arrives after the end [Q5]', async () => {
    const simulated = world();
    await start(simulated);
    const id = simulated.ask({ kind: 'pause', why: 'too late' });
    expect(await start(simulated)).toMatchObject({ kind: 'ended' });
    expect(await start(simulated)).toMatchObject({ kind: 'ended' });
    expect(simulated.journal.events.slice(-3)).toMatchObject([
      { type: 'driver-started', epoch: 2 },
      { type: 'control-received', id },
      { type: 'control-refused', id, reason: 'the run has ended: completed' },
    ]);
    expect(typesOf(simulated).filter((type) => type === 'control-received')).toHaveLength(1);
  });

  it('A control is synced to disk before the inbox forgets it, even if another driver recorded it [Q5]', async () => {
    const simulated = world();
    await start(simulated);
    const id = simulated.ask({ kind: 'pause', why: 'too late' });
    const at = simulated.clock.now();
    const control = { kind: 'pause', why: 'too late' } as const;
    simulated.journal.events.push({ at, type: 'control-received', id, by: 'ann', control });
    const settle = simulated.inbox.settle.bind(simulated.inbox);
    const synced: boolean[] = [];
    simulated.inbox.settle = async (settled) => {
      synced.push(simulated.journal.synced === simulated.journal.events.length);
      await settle(settled);
    };
    await start(simulated);
    expect(synced).toEqual([true]);
  });

  it('A control that an earlier driver received after the end and did not answer is answered by the next [Q5]', async () => {
    const simulated = world();
    await start(simulated);
    const control = { kind: 'pause', why: 'too late' } as const;
    simulated.journal.events.push({ at: 9000, type: 'control-received', id: 'k9', by: 'ann', control });
    await start(simulated);
    expect(simulated.journal.events.slice(-2)).toMatchObject([
      { type: 'driver-started', epoch: 2 },
      { type: 'control-refused', id: 'k9' },
    ]);
  });

  it('An untrusted control is recorded, refused and reported, and decides nothing [X12]', async () => {
    const simulated = world();
    const control = { kind: 'skip', taskId: 'main', why: 'forged' } as const;
    const reason = 'it came as a file';
    const forged: Arrival = { id: 'unproven-k', by: 'x', control, doubt: { reason, claimedId: 'k' } };
    const take = simulated.inbox.take.bind(simulated.inbox);
    const flood = Array.from({ length: 500 }, (_, n): Arrival => ({ ...forged, id: `unproven-${n}` }));
    let seen: readonly Arrival[] = [forged];
    simulated.inbox.take = async () => [...seen, ...(await take())];
    const end = await start(simulated);
    expect(end).toMatchObject({ kind: 'ended', run: { outcome: { outcome: 'completed' } } });
    expect(simulated.journal.events.filter(({ type }) => type.startsWith('control-'))).toMatchObject([
      { type: 'control-received', id: 'unproven-k', control },
      { type: 'control-refused', id: 'unproven-k', reason },
    ]);
    const run = replay(simulated.journal.events);
    for (const text of [statusText(run, { holder: null }), summaryText(run, { logsDir: '' })])
      expect(text).toContain('1 decision refused: it is not certain that a person asked');
    seen = flood;
    await start(simulated);
    expect(typesOf(simulated).filter((type) => type === 'control-refused')).toHaveLength(200);
  });

  it('A recorded control that the inbox did not forget is not received twice [Q5]', async () => {
    const simulated = world();
    simulated.inbox.settle = async () => {};
    simulated.ask({ kind: 'tell', text: 'hurry' });
    await start(simulated);
    expect(typesOf(simulated).filter((type) => type === 'control-received')).toHaveLength(1);
  });
});

describe('Time', () => {
  const cooling = {
    config: {
      policy: simulatedPolicy({ cooldownMs: 2000 }),
      budget: simulatedBudget({ attemptsPerTask: 2 }),
    },
  };

  it('Time passes while a task cools down, and is recorded [B1]', async () => {
    const simulated = world({ ...cooling, session: () => ({ endTree: 'base' }) });
    const run = start(simulated);
    await setImmediate();
    expect(simulated.started).toHaveLength(1);
    simulated.clock.advance(1999);
    await setImmediate();
    expect(simulated.started).toHaveLength(1);
    simulated.clock.advance(1);
    await run;
    expect(simulated.started).toHaveLength(2);
    expect(typesOf(simulated)).toContain('clock-reached');
  });

  it('Time continues at its pace when the clock is set back by a day, and never goes back itself [B1]', async () => {
    const simulated = world({ ...cooling, session: () => ({ endTree: 'base' }) });
    const run = start(simulated);
    await setImmediate();
    simulated.clock.jump(-86_400_000);
    simulated.ask({ kind: 'tell', text: 'what time is it?' });
    await setImmediate();
    simulated.clock.advance(2000);
    await setImmediate();
    expect(simulated.started).toHaveLength(2);
    await run;
    const times = simulated.journal.events.map((event) => event.at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('Time continues at its pace when the next driver has a clock that is behind [B1]', async () => {
    const simulated = world({ ...cooling, session: () => ({ endTree: 'base' }) });
    const leave = new AbortController();
    const first = start(simulated, { signal: leave.signal });
    await setImmediate();
    leave.abort();
    await first;
    simulated.clock.jump(-86_400_000);
    const second = start(simulated);
    await setImmediate();
    simulated.clock.advance(2000);
    await second;
    expect(simulated.started).toHaveLength(2);
  });
});
