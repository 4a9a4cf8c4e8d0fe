// A driver that waits: it checks the condition before it exits, records the result, and names what it waits for.
import { describe, expect, it } from 'vitest';
import { createLookout, type Probes } from '#adapters/waiting/lookout.ts';
import type { AwaitedCondition, Condition } from '#kernel/waiting/condition.ts';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import { commandCriterion, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { SimulatedWorld, SimulatedWorldOptions } from '#test/simulated/simulated-world.ts';
import { simulatedWorld } from '#test/simulated/simulated-world.ts';
import { drive } from './drive.ts';
import type { DriveEnd, DriveOptions } from './drive-options.ts';

const tasks = [simulatedTask('main', { criteria: [commandCriterion('works')] })];
const poll: Condition = { kind: 'poll', command: 'ci', everyMs: 60_000, until: 9e9, timeoutMs: 1000 };

function world(options: Partial<SimulatedWorldOptions> = {}): SimulatedWorld {
  return simulatedWorld({ tasks, ...options });
}

async function start(
  simulated: SimulatedWorld,
  leaveWhenParked: DriveOptions['leaveWhenParked'] = () => true,
): Promise<DriveEnd> {
  return drive('run', simulated, builderVerifier.policy, {
    leaveWhenParked,
    signal: new AbortController().signal,
  });
}

function suspend(simulated: SimulatedWorld, condition: Condition): void {
  simulated.ask({ kind: 'suspend', condition, why: 'later', since: simulated.clock.now() });
}

/** A later driver does not know earlier polls. */
function secondDriver(simulated: SimulatedWorld, looks: Partial<Probes>): SimulatedWorld {
  const { clock } = simulated;
  const lookout = createLookout({
    clock,
    probes: { poll: async () => null, file: async () => false, ...looks },
  });
  return { ...simulated, lookout };
}

function typesOf(simulated: SimulatedWorld): string[] {
  return simulated.journal.events.map((event) => event.type);
}

const sees = (isMet: boolean) => async () => ({ isMet, words: isMet ? 'exit 0' : 'exit 1', looks: 1 });

describe('A driver that may leave', () => {
  it('A driver checks a wait once before it leaves: one that was woken for a poll or a file continues the run [U2] [U3]', async () => {
    const conditions: Condition[] = [poll, { kind: 'file', path: '/there' }];
    for (const condition of conditions) {
      const state = { isMet: false };
      const look = async () => sees(state.isMet)();
      const simulated = world({ looks: { poll: look, file: async () => state.isMet } });
      suspend(simulated, condition);
      expect(await start(simulated)).toMatchObject({ kind: 'parked' });
      expect(typesOf(simulated).at(-1)).toBe('driver-left');
      state.isMet = true;
      const woken = secondDriver(simulated, { poll: look, file: async () => true });
      expect(await start(woken)).toMatchObject({ kind: 'ended', run: { outcome: { outcome: 'completed' } } });
      expect(typesOf(simulated).filter((type) => type === 'condition-met')).toHaveLength(1);
    }
  });

  it('A driver gives up a poll only after a poll of its own, however long no process polled [U3]', async () => {
    const looks: number[] = [];
    const look = async () => {
      looks.push(simulated.clock.now());
      return { isMet: false, words: 'exit 1', looks: looks.length };
    };
    const simulated = world({ looks: { poll: look } });
    suspend(simulated, { ...poll, until: 50_000 });
    await start(simulated);
    expect(typesOf(simulated)).not.toContain('suspension-expired');
    simulated.clock.jump(86_400_000);
    await start(secondDriver(simulated, { poll: look }));
    expect(looks.at(-1)).toBeGreaterThanOrEqual(50_000);
    expect(typesOf(simulated)).toContain('suspension-expired');
  });

  it('A request during a poll is answered before the driver leaves [U4]', async () => {
    const simulated = world({
      looks: {
        poll: async () => {
          if (!typesOf(simulated).includes('suspension-ended'))
            simulated.ask({ kind: 'resume', force: true });
          return { isMet: false, words: 'exit 1', looks: 1 };
        },
      },
    });
    suspend(simulated, poll);
    expect(await start(simulated)).toMatchObject({ kind: 'ended' });
    expect(typesOf(simulated)).not.toContain('driver-left');
  });

  it('A driver reports what would end the wait, and nothing to watch when only a person can end it [U2]', async () => {
    const told: (readonly AwaitedCondition[])[] = [];
    const leave = (awaited: readonly AwaitedCondition[]): boolean => {
      told.push(awaited);
      return true;
    };
    const byTime = world();
    suspend(byTime, { kind: 'time', at: 90_000 });
    await start(byTime, leave);
    const byPerson = world();
    suspend(byPerson, { kind: 'manual' });
    await start(byPerson, leave);
    expect(told.map((awaited) => awaited.map(({ kind }) => kind))).toEqual([['suspension'], []]);
  });
});
