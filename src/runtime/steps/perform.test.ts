import { expect, test } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import { noReserve } from '#kernel/model/budget.ts';
import type { CheckOperation, SessionOperation, Steer } from '#kernel/model/step.ts';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import type { CleanCheckout } from '#ports/checkouts.ts';
import { reviewerCriterion, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { SimulatedWorld, SimulatedWorldOptions } from '#test/simulated/simulated-world.ts';
import { simulatedWorld } from '#test/simulated/simulated-world.ts';
import { drive } from '#runtime/drive.ts';
import { perform } from './perform.ts';
import type { StepOf } from './performance.ts';
import type { DriveEnd } from '#runtime/drive-options.ts';

function world(options: Partial<SimulatedWorldOptions> = {}): SimulatedWorld {
  return simulatedWorld({ tasks: [simulatedTask('main')], ...options });
}

function start(simulated: SimulatedWorld): Promise<DriveEnd> {
  const options = { leaveWhenParked: () => true, signal: new AbortController().signal };
  return drive('run', simulated, builderVerifier.policy, options);
}

const builder: StepOf<SessionOperation> = {
  stepId: '0003-builder-main',
  taskId: 'main',
  baseTree: 'base',
  reserve: noReserve,
  deed: {
    kind: 'session',
    role: 'builder',
    attempt: 1,
    ordinal: 1,
    agent: { name: 'simulated', model: null },
    prompt: 'do it',
    readOnly: false,
    words: { done: '==DONE==', reportTag: null },
    limits: { wallMs: 1000, idleMs: 1000, graceMs: 10 },
    resume: null,
  },
};

test('The refs of the user are recorded before a session starts [C10]', async () => {
  const order: string[] = [];
  const simulated = world({
    workspace: { guardRefs: async (stepId) => void order.push(`guard ${stepId}`) },
    session: (step) => {
      order.push(`start ${step.stepId}`);
      return { endTree: 'work' };
    },
  });
  await start(simulated);
  expect(order.slice(0, 2)).toEqual(['guard 0003-builder-main', 'start 0003-builder-main']);
});

test('A kill that arrives while the workspace is prepared reaches the session [Q5]', async () => {
  const steers: Steer[] = [];
  const simulated = world();
  const sessions: SimulatedWorld['sessions'] = {
    ...simulated.sessions,
    start: (step, order) => {
      const session = simulated.sessions.start(step, order);
      return { ...session, steer: (steer) => void steers.push(steer) };
    },
  };
  const run = replay(simulated.journal.events);
  const performance = perform(builder, run, { ...simulated, sessions }, () => {});
  const kill = { stepId: builder.stepId, kind: 'kill', reason: 'stopped' } as const;
  performance.steer(kill);
  await performance.ended;
  expect(steers).toEqual([kill]);
});

test('A line of the diff that is a completion marker does not count in the prompt of a reviewer [B3]', async () => {
  const prompts: string[] = [];
  const simulated = world({
    workspace: { diff: async () => ({ stat: ' a.ts | 2 ++', patch: '+a line\n==DONE==\n+the last line\n' }) },
    session: ({ deed }) => {
      prompts.push(deed.prompt);
      return {};
    },
  });
  const operation = {
    ...builder.deed,
    role: 'verifier',
    readOnly: true,
    diffFrom: 'base',
    prompt: 'Judge: {{diff}}',
  };
  await perform({ ...builder, deed: operation }, replay(simulated.journal.events), simulated, () => {}).ended;
  expect(prompts).toEqual([expect.stringContaining('+the last line')]);
  expect(prompts.join('').split('\n')).not.toContain('==DONE==');
});

test('A full disk parks the run with the action to take, and the run continues after resume [X6]', async () => {
  let isFull = true;
  const prepared = { baseCommit: 'c0', baseTree: 'base', branch: 'untildone/run', pins: [] };
  const simulated = world({
    workspace: {
      prepare: async () => {
        if (isFull) throw Object.assign(new Error('write failed'), { code: 'ENOSPC' });
        return prepared;
      },
    },
  });
  expect(await start(simulated)).toMatchObject({
    kind: 'parked',
    waitingFor: expect.stringContaining('Free some space on that disk') as string,
  });
  isFull = false;
  simulated.ask({ kind: 'resume' });
  expect(await start(simulated)).toMatchObject({ kind: 'ended', run: { outcome: { outcome: 'completed' } } });
});

test('A commit that a crash cut off is finished as the same step by the next driver [D1]', async () => {
  const first = world();
  await start(first);
  const isCommit = ({ type, ...event }: { type: string; step?: { deed: { kind: string } } }): boolean =>
    type === 'step-started' && event.step?.deed.kind === 'commit';
  const at = first.journal.events.findIndex(isCommit);
  const next = world();
  next.journal.events.splice(0, Infinity, ...first.journal.events.slice(0, at + 1));
  expect(await start(next)).toMatchObject({ kind: 'ended', run: { outcome: { outcome: 'completed' } } });
  expect(next.commits).toEqual(first.commits);
});

const check: StepOf<CheckOperation> = {
  stepId: '0005-check-acceptance',
  taskId: null,
  baseTree: 'work',
  reserve: noReserve,
  deed: {
    kind: 'check',
    purpose: 'acceptance',
    place: 'clean',
    when: 'acceptance',
    criteria: [{ taskId: 'main', criterionId: 'works' }],
  },
};

test('The clean checkout of a check is removed, also when the check breaks [X10]', async () => {
  let open = 0;
  const cleanCheckout = async (tree: string): Promise<CleanCheckout> => {
    open += 1;
    const dispose = async (): Promise<void> => void (open -= 1);
    return { root: '', cwd: `clean ${tree}`, snapshot: async () => tree, dispose };
  };
  const simulated = world({ workspace: { cleanCheckout } });
  const run = replay(simulated.journal.events);
  await perform(check, run, simulated, () => {}).ended;
  expect(open).toBe(0);
  const checker = { check: () => Promise.reject(new TypeError('a bug')) };
  await expect(perform(check, run, { ...simulated, checker }, () => {}).ended).rejects.toThrow('a bug');
  expect(open).toBe(0);
});

test('A task may change only the files that its own list and landed tasks allow [X8]', async () => {
  const asked: (readonly string[])[] = [];
  const brokenPins: SimulatedWorld['workspace']['brokenPins'] = async (_pins, _tree, mayChange) => {
    asked.push(mayChange);
    return [{ path: 'a.test.ts', change: 'changed', why: 'a test', content: 'x' }];
  };
  const tasks = [
    simulatedTask('main', { mayChange: ['main/**'] }),
    simulatedTask('other', { mayChange: ['other/**'] }),
  ];
  const simulated = simulatedWorld({ tasks, workspace: { brokenPins } });
  const result = { kind: 'prepare', baseCommit: 'c0', baseTree: 'base', branch: 'b', pins: [] } as const;
  const prepare = { ...check, stepId: '0001-prepare', baseTree: null, deed: { kind: 'prepare' } } as const;
  simulated.journal.events.push(
    { at: 1, type: 'step-started', step: prepare },
    { at: 1, type: 'step-ended', stepId: prepare.stepId, result },
  );
  const step = { ...check, taskId: 'main', deed: { ...check.deed, purpose: 'attempt' } } as const;
  await perform(step, replay(simulated.journal.events), simulated, () => {}).ended;
  expect(asked).toEqual([[], ['main/**']]);
});

test('A conclusion that breaks an invariant ends the driver before the journal has it [X3]', async () => {
  const simulated = world({ tasks: [simulatedTask('main', { criteria: [reviewerCriterion] })] });
  const outcome = { type: 'run-ended', outcome: 'completed', reason: 'it says so' } as const;
  const lying = { name: 'lying', nextMove: () => ({ kind: 'conclude', facts: [outcome] }) as const };
  const options = { leaveWhenParked: () => true, signal: new AbortController().signal };
  await expect(drive('run', simulated, lying, options)).rejects.toThrow('has seen its acceptance');
  expect(simulated.journal.events.some(({ type }) => type === 'run-ended')).toBe(false);
});
