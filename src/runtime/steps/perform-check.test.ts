import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Criterion, Evidence, Verdict } from '#kernel/model/criterion.ts';
import { present } from '#base/assert.ts';
import type { Event, Fact } from '#kernel/events/events.ts';
import type { CheckOperation } from '#kernel/model/step.ts';
import type { AgentEvent } from '#ports/agent.ts';
import type { Checker, CheckRequest, Finding } from '#ports/checker.ts';
import type { Workspace } from '#ports/workspace.ts';
import { commandCriterion, simulatedEvidence, simulatedTask } from '#test/simulated/simulated-run.ts';
import type { SimulatedWorld, SimulatedWorldOptions } from '#test/simulated/simulated-world.ts';
import { simulatedWorld } from '#test/simulated/simulated-world.ts';
import { perform } from './perform.ts';
import type { StepOf } from './performance.ts';

const criteria = [commandCriterion('slow'), commandCriterion('quick')];
const step: StepOf<CheckOperation> = {
  stepId: '0005-check-attempt-main',
  taskId: 'main',
  baseTree: 'work',
  reserve: { sessions: 0, usd: 0, tokens: 0 },
  deed: {
    kind: 'check',
    purpose: 'attempt',
    place: 'workspace',
    when: 'attempt',
    criteria: criteria.map(({ id }) => ({ taskId: 'main', criterionId: id })),
  },
};

const prepare = { ...step, stepId: '0001-prepare', taskId: null, deed: { kind: 'prepare' } } as const;
const prepared: readonly Event[] = [
  { at: 1, type: 'step-started', step: prepare },
  {
    at: 1,
    type: 'step-ended',
    stepId: prepare.stepId,
    result: { kind: 'prepare', baseCommit: 'c0', baseTree: 'base', branch: 'b', pins: [] },
  },
];

function world(options: Partial<SimulatedWorldOptions> = {}): SimulatedWorld {
  const simulated = simulatedWorld({ tasks: [simulatedTask('main', { criteria })], ...options });
  const base = { purpose: 'base', tree: 'base', verdict: 'fail' } as const;
  simulated.journal.events.push(
    {
      at: 1,
      type: 'evidence-recorded',
      evidence: simulatedEvidence({ ...base, criterionId: 'slow', durationMs: 900 }),
    },
    {
      at: 1,
      type: 'evidence-recorded',
      evidence: simulatedEvidence({ ...base, criterionId: 'quick', durationMs: 2 }),
    },
  );
  return simulated;
}

async function check(simulated: SimulatedWorld, steer?: (kill: () => void) => void): Promise<Fact[]> {
  const facts: Fact[] = [];
  const performance = perform(step, replay(simulated.journal.events), simulated, (more) =>
    facts.push(...more),
  );
  steer?.(() => performance.steer({ stepId: step.stepId, kind: 'kill', reason: 'stopped' }));
  const ended = await performance.ended;
  return [...facts, ...ended];
}

describe('a check', () => {
  it('A check runs on the requested tree, whatever the workspace holds, and sets those files aside', async () => {
    const seen: string[] = [];
    const simulated = world({
      check: (_id, tree) => {
        seen.push(tree);
        return 'pass';
      },
    });
    const facts = await check(simulated);
    expect(seen).toEqual(['work', 'work']);
    expect(facts).toContainEqual(
      expect.objectContaining({
        type: 'workspace-restored',
        keptAs: 'refs/untildone/run/0005-check-attempt-main/before',
      }),
    );
    expect(facts.at(-1)).toMatchObject({ type: 'step-ended', result: { kind: 'check', treeAfter: 'work' } });
  });

  it('A check carries the mark of its run and step, so that the next driver finds its leftovers [X11]', async () => {
    const marks: string[] = [];
    const simulated = world();
    const { checker } = simulated;
    const noting: Checker = {
      check: async (request) => {
        marks.push(request.mark);
        return checker.check(request);
      },
    };
    await check({ ...simulated, checker: noting });
    expect(new Set(marks)).toEqual(new Set([`run/${step.stepId}`]));
  });

  it('The cheapest check runs first, by its duration on the base', async () => {
    const order: string[] = [];
    await check(
      world({
        check: (id) => {
          order.push(id);
          return 'pass';
        },
      }),
    );
    expect(order).toEqual(['quick', 'slow']);
  });

  it('A check that changed its files says so, and files that it merely added are forgiven', async () => {
    const after = async (left: string): Promise<unknown> => {
      const simulated = world();
      simulated.workspace.snapshot = async () => left;
      return (await check(simulated)).at(-1);
    };
    expect(await after('work+junk')).toMatchObject({ result: { treeAfter: 'work' } });
    expect(await after('something else')).toMatchObject({ result: { treeAfter: 'something else' } });
  });

  it('Files that a check merely added are removed, and nothing is looked for when it left the tree as it was', async () => {
    const removed = async (left: string): Promise<string[]> => {
      const simulated = world();
      const calls: string[] = [];
      simulated.workspace.snapshot = async () => left;
      simulated.workspace.removeAdded = async (tree) => void calls.push(tree);
      await check(simulated);
      return calls;
    };
    expect(await removed('work+junk')).toEqual(['work']);
    expect(await removed('work')).toEqual([]);
    expect(await removed('something else')).toEqual([]);
  });

  it('Code that only resembles cheating is noted, and nothing is refused for it [X8]', async () => {
    const simulated = world();
    const why = 'asks whether it is tested';
    simulated.workspace.brokenPins = async () => [
      { path: 'src/a.js', change: 'changed', why, content: 'x', isSuspicion: true },
    ];
    const prepare = { ...step, stepId: '0001-prepare', taskId: null, deed: { kind: 'prepare' } } as const;
    simulated.journal.events.push({ at: 1, type: 'step-started', step: prepare });
    simulated.journal.events.push({
      at: 1,
      type: 'step-ended',
      stepId: '0001-prepare',
      result: { kind: 'prepare', baseCommit: 'c0', baseTree: 'base', branch: 'b', pins: [] },
    });
    const facts = await check(simulated);
    expect(facts).toContainEqual(
      expect.objectContaining({
        type: 'tampering-seen',
        tampering: expect.objectContaining({
          path: 'src/a.js',
          why,
          isSuspicion: true,
          isAllowed: false,
        }) as unknown,
      }),
    );
    expect(facts.at(-1)).toMatchObject({ type: 'step-ended', result: { brokenPins: [] } });
  });

  it('A check that we ended says nothing about the work', async () => {
    const simulated = world();
    let kill = (): void => {};
    const checker: Checker = {
      async check() {
        kill();
        return {
          verdict: 'fail',
          reason: 'killed',
          ending: { kind: 'cancelled', reason: 'stopped' },
          tail: '',
          durationMs: 1,
        };
      },
    };
    const facts = await check({ ...simulated, checker }, (end) => {
      kill = end;
    });
    expect(facts.filter((fact) => fact.type === 'evidence-recorded')).toEqual([]);
    expect(facts.at(-1)).toMatchObject({ type: 'step-lost', usage: { usd: 0 } });
  });
});

/** Answers by a plan, and records which checks ran at the same time. */
function watching(plan: { readonly [id: string]: readonly Verdict[] }): Checker & {
  readonly order: string[];
  most: number;
} {
  const order: string[] = [];
  let open = 0;
  const watched = {
    environment: 'here',
    order,
    most: 0,
    async check({ criterion, runNumber }: CheckRequest): Promise<Finding> {
      const times = order.filter((id) => id === criterion.id).length;
      order.push(criterion.id);
      open += 1;
      watched.most = Math.max(watched.most, open);
      await new Promise((resolve) => setTimeout(resolve, 20));
      open -= 1;
      const verdict = plan[criterion.id]?.[times] ?? 'pass';
      return {
        verdict,
        reason: verdict,
        ending: null,
        tail: `look ${runNumber ?? 'without a number'}`,
        durationMs: 1,
      };
    },
  };
  return watched;
}

function evidenceIn(facts: readonly Fact[]): Evidence[] {
  return facts.flatMap((fact) => (fact.type === 'evidence-recorded' ? [fact.evidence] : []));
}

async function checkWith(
  checker: Checker,
  options: {
    readonly criteria: readonly Criterion[];
    readonly before?: readonly Evidence[];
    readonly purpose?: CheckOperation['purpose'];
    readonly config?: Partial<RunConfig>;
    /** The duration of one run of a check, by the clock of the world. */
    readonly lookMs?: number;
    readonly workspace?: Partial<Workspace>;
    /** Progress lines that are shown meanwhile. */
    readonly seen?: string[];
  },
): Promise<Evidence[]> {
  const simulated = simulatedWorld({
    tasks: [simulatedTask('main', { criteria: options.criteria })],
    ...(options.config === undefined ? {} : { config: options.config }),
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
  });
  simulated.journal.events.push(...prepared);
  for (const evidence of options.before ?? [])
    simulated.journal.events.push({ at: 1, type: 'evidence-recorded', evidence });
  const timed: Checker = {
    ...checker,
    async check(request) {
      simulated.clock.advance(options.lookMs ?? 0);
      return checker.check(request);
    },
  };
  const note = (_: string, event: AgentEvent): void => {
    if (event.type === 'notice') options.seen?.push(event.text);
  };
  const facts: Fact[] = [];
  const purpose = options.purpose ?? 'attempt';
  const operation: CheckOperation = {
    ...step.deed,
    purpose,
    place: purpose === 'attempt' ? 'workspace' : 'clean',
    criteria: options.criteria.map(({ id }) => ({ taskId: 'main', criterionId: id })),
  };
  const performance = perform(
    { ...step, deed: operation },
    replay(simulated.journal.events),
    { ...simulated, checker: timed, observers: [{ onChatter: note }] },
    (more) => facts.push(...more),
  );
  await performance.ended;
  return evidenceIn(facts);
}

function fileCriterion(id: string): Criterion {
  return { ...commandCriterion(id), check: { kind: 'file', path: id, holds: { kind: 'exists' } } };
}

describe('Checks side by side', () => {
  it('Checks that only read run first and together; programs run alone in the checkout', async () => {
    const checker = watching({});
    const programs = [commandCriterion('a'), commandCriterion('b')];
    await checkWith(checker, { criteria: [...programs, fileCriterion('f'), fileCriterion('g')] });
    expect(checker.order.slice(0, 2).toSorted()).toEqual(['f', 'g']);
    expect(checker.order.slice(2)).toEqual(['a', 'b']);
    expect(checker.most).toBe(2);
    const alone = watching({});
    await checkWith(alone, { criteria: programs });
    expect(alone.most).toBe(1);
  });

  it('Programs that allow it run beside each other, up to a small limit', async () => {
    const checker = watching({});
    const criteria = Array.from({ length: 9 }, (_, n) => ({ ...commandCriterion(`c${n}`), alone: false }));
    expect(await checkWith(checker, { criteria })).toHaveLength(9);
    expect(checker.most).toBe(4);
  });
});

describe('Reused evidence', () => {
  const criteria = [commandCriterion('works')];

  it('Evidence is reused for the same tree, check, pins, environment and place', async () => {
    const first = await checkWith(watching({}), { criteria });
    const checker = watching({});
    const [again] = await checkWith(checker, { criteria, before: first });
    expect(checker.order).toEqual([]);
    expect(again).toMatchObject({ verdict: 'pass', reusedFrom: step.stepId, tree: 'work' });
  });

  it.each([
    ['another tree', { tree: 'other' }],
    ['another place', { place: 'clean' }],
    ['other conditions', { conditions: 'else' }],
    ['a failure', { verdict: 'fail' }],
    ['an unknown', { verdict: 'unknown' }],
    ['a flaky one', { flaky: { passed: 2, failed: 1, isAccepted: true } }],
  ] as const)('Evidence is not reused for %s', async (_, change) => {
    const first = await checkWith(watching({}), { criteria });
    const checker = watching({});
    const [again] = await checkWith(checker, {
      criteria,
      before: first.map((one) => ({ ...one, ...change })),
    });
    expect(checker.order.length).toBeGreaterThan(0);
    expect(again?.reusedFrom).toBeUndefined();
  });

  it('Evidence is not reused for another check or environment, nor where the environment is unknown', async () => {
    const first = await checkWith(watching({}), { criteria });
    const other = {
      ...commandCriterion('works'),
      check: { ...commandCriterion('works').check, timeoutMs: 1 },
    };
    for (const [checker, wanted] of [
      [watching({}), [other as Criterion]],
      [{ ...watching({}), environment: 'elsewhere' }, criteria],
    ] as const) {
      await checkWith(checker, { criteria: wanted, before: first });
      expect(checker.order).toEqual(['works']);
    }
    const blind = watching({});
    await checkWith({ check: (request) => blind.check(request) }, { criteria, before: first });
    expect(blind.order).toEqual(['works']);
  });

  it('Evidence is not reused when a check changed the files meanwhile', async () => {
    const [seen] = await checkWith(watching({}), { criteria });
    const simulated = simulatedWorld({ tasks: [simulatedTask('main', { criteria })] });
    const events: Event[] = [
      ...simulated.journal.events,
      { at: 1, type: 'step-started', step },
      { at: 1, type: 'evidence-recorded', evidence: present(seen, 'it was looked at') },
      {
        at: 1,
        type: 'step-ended',
        stepId: step.stepId,
        result: { kind: 'check', treeAfter: 'changed', brokenPins: [] },
      },
    ];
    const checker = watching({});
    const asked = { ...step, deed: { ...step.deed, criteria: [{ taskId: 'main', criterionId: 'works' }] } };
    const performance = perform(asked, replay(events), { ...simulated, checker }, () => {});
    await performance.ended;
    expect(checker.order).toContain('works');
  });

  it('The files outside of the repository are read twice a step, however many checks it has', async () => {
    let reads = 0;
    const steering = (): string => {
      reads += 1;
      return 'same';
    };
    const many = ['one', 'two', 'three', 'four'].map((id) => commandCriterion(id));
    const evidence = await checkWith(watching({}), { criteria: many, workspace: { steering } });
    expect(evidence).toHaveLength(many.length);
    expect(reads).toBe(2);
  });

  it('A check that changes the files outside of the repository is noticed, and no evidence of its step is reused', async () => {
    const ran = watching({});
    const states = (before: string, after: string): Pick<Workspace, 'steering'> => ({
      steering: () => (ran.order.length === 0 ? before : after),
    });
    const performed = async (before: string, after: string): Promise<Event[]> => {
      const simulated = world({ workspace: states(before, after) });
      simulated.journal.events.push(...prepared, { at: 1, type: 'step-started', step });
      const facts = await check({ ...simulated, checker: ran });
      return [...simulated.journal.events, ...facts.map((fact) => ({ ...fact, at: 1 }))];
    };
    const ranAgain = async (events: Event[], state: string): Promise<string[]> => {
      const checker = watching({});
      const later = { ...world({ workspace: { steering: () => state } }), checker };
      await perform({ ...step, stepId: '0006-check' }, replay(events), later, () => {}).ended;
      return checker.order;
    };
    const changed = await performed('before', 'after');
    expect(changed.at(-1)).toMatchObject({ result: { kind: 'check', isOutsideChanged: true } });
    expect(new Set(await ranAgain(changed, 'before'))).toEqual(new Set(['quick', 'slow']));
    expect(new Set(await ranAgain(changed, 'after'))).toEqual(new Set(['quick', 'slow']));
    ran.order.length = 0;
    const same = await performed('before', 'before');
    expect(same.at(-1)).toMatchObject({ result: { kind: 'check' } });
    expect(same.at(-1)).not.toMatchObject({ result: { isOutsideChanged: true } });
    expect(await ranAgain(same, 'before')).toEqual([]);
    expect(new Set(await ranAgain(same, 'after'))).toEqual(new Set(['quick', 'slow']));
  });

  it('Evidence is never reused for the acceptance, which the driver must run itself', async () => {
    const first = await checkWith(watching({}), { criteria, purpose: 'acceptance' });
    const checker = watching({});
    await checkWith(checker, { criteria, purpose: 'acceptance', before: first });
    expect(checker.order).toEqual(['works']);
  });
});

it('A test runner that reported its tests on the base and reports none now does not pass [K7]', async () => {
  const silent: Checker = {
    environment: 'here',
    check: async () => ({
      verdict: 'pass',
      reason: 'exit 0',
      ending: { kind: 'exited', code: 0 },
      tail: '',
      durationMs: 1,
    }),
  };
  const pytest: Criterion = {
    ...commandCriterion('works'),
    check: { kind: 'command', run: 'pytest tests', cwd: '', timeoutMs: 1000 },
  };
  const base = simulatedEvidence({
    criterionId: 'works',
    purpose: 'base',
    tree: 'base',
    verdict: 'fail',
    ranTests: true,
  });
  const [seen] = await checkWith(silent, { criteria: [pytest], before: [base] });
  expect(seen).toMatchObject({
    verdict: 'unknown',
    reason: 'exit 0, but no test was reported, though tests were reported before the work',
  });
});

describe('Fewer tests', () => {
  const criteria = [commandCriterion('works')];
  const executing = (executed: number): Checker => ({
    environment: 'here',
    check: async () => ({
      verdict: 'pass',
      reason: 'exit 0',
      ending: { kind: 'exited', code: 0 },
      tail: '',
      durationMs: 1,
      ranTests: true,
      tests: { executed, skipped: 0 },
    }),
  });
  const base = simulatedEvidence({
    criterionId: 'works',
    purpose: 'base',
    tree: 'base',
    verdict: 'pass',
    ranTests: true,
    tests: { executed: 5, skipped: 0 },
  });

  it.each(['attempt', 'acceptance'] as const)(
    'A check that executes fewer tests than on the base does not pass, and the evidence names both numbers: %s [K7]',
    async (purpose) => {
      const [seen] = await checkWith(executing(4), { criteria, purpose, before: [base] });
      expect(seen).toMatchObject({
        verdict: 'unknown',
        reason: 'exit 0, but it executed 4 tests, and 5 before the work',
        tests: { executed: 4 },
      });
      const [same] = await checkWith(executing(5), { criteria, purpose, before: [base] });
      expect(same).toMatchObject({ verdict: 'pass', tests: { executed: 5 } });
    },
  );

  it('A check that executes fewer tests than on the base passes where a person allowed the pinned tests to change [K7] [X8]', async () => {
    const deleted = { path: 'test/a.test.ts', change: 'deleted', why: 'a test' } as const;
    const allow = {
      config: { mayChange: [deleted.path] },
      workspace: {
        brokenPins: async (_: unknown, __: unknown, mayChange: readonly string[]) =>
          mayChange.includes(deleted.path) ? [] : [deleted],
      },
    };
    const [allowed] = await checkWith(executing(4), { criteria, before: [base], ...allow });
    expect(allowed).toMatchObject({ verdict: 'pass' });
    const [refused] = await checkWith(executing(4), { criteria, before: [base], ...allow, config: {} });
    expect(refused).toMatchObject({ verdict: 'unknown' });
  });
});

describe('A flaky check', () => {
  const criteria = [commandCriterion('works')];

  it('A check that failed and passes on the same clean tree does not pass [K7]', async () => {
    const before = await checkWith(watching({ works: ['fail'] }), { criteria, purpose: 'acceptance' });
    expect(before[0]).toMatchObject({ verdict: 'fail' });
    const [seen] = await checkWith(watching({}), { criteria, purpose: 'acceptance', before });
    expect(seen).toMatchObject({
      verdict: 'unknown',
      reason: 'flaky: passed 1 of 2 runs on this tree',
      flaky: { passed: 1, failed: 1 },
    });
  });

  it('A flaky check is found by repetition, shows the output of a failure, and passes only by a policy [K7]', async () => {
    const plan = { works: ['fail', 'pass', 'pass'] } as const;
    const [strict] = await checkWith(watching(plan), {
      criteria,
      config: { flaky: { retries: 2, passes: null } },
    });
    expect(strict).toMatchObject({ verdict: 'unknown', tail: 'look 1' });
    const [kind] = await checkWith(watching(plan), {
      criteria,
      config: { flaky: { retries: 2, passes: 2 } },
    });
    expect(kind).toMatchObject({ verdict: 'pass', flaky: { passed: 2, failed: 1, isAccepted: true } });
    const [red] = await checkWith(watching({ works: ['fail', 'fail', 'fail'] }), {
      criteria,
      config: { flaky: { retries: 2, passes: 1 } },
    });
    expect(red).toMatchObject({ verdict: 'fail' });
    expect(red?.flaky).toBeUndefined();
  });

  it('A flaky check is distinguished from a repaired workspace by repeating the pass', async () => {
    const before = await checkWith(watching({ works: ['fail'] }), { criteria });
    const steady = watching({});
    expect((await checkWith(steady, { criteria, before }))[0]).toMatchObject({ verdict: 'pass' });
    expect(steady.order).toHaveLength(3);
    const [shaky] = await checkWith(watching({ works: ['pass', 'fail'] }), { criteria, before });
    expect(shaky).toMatchObject({ verdict: 'unknown', flaky: { passed: 1, failed: 1 } });
  });

  it('A check that is run again says so while it runs, with the number of the run and how many there can be [K7]', async () => {
    const base = simulatedEvidence({ criterionId: 'works', purpose: 'base', tree: 'base', verdict: 'fail' });
    const accepted: string[] = [];
    await checkWith(watching({}), {
      criteria,
      purpose: 'acceptance',
      before: [base],
      config: { flaky: { retries: 0, passes: null, again: { looks: 3, withinMs: 600_000 } } },
      seen: accepted,
      lookMs: 5_000,
    });
    expect(accepted).toEqual(['check works: run 2 of at most 3', 'check works: run 3 of at most 3']);
    const retried: string[] = [];
    const config = { flaky: { retries: 2, passes: null } };
    const failing = { works: ['fail', 'fail', 'fail'] } as const;
    await checkWith(watching(failing), { criteria, config, seen: retried, lookMs: 5_000 });
    expect(retried).toEqual(['check works: run 2 of at most 3', 'check works: run 3 of at most 3']);
    const quick: string[] = [];
    await checkWith(watching(failing), { criteria, config, seen: quick });
    expect(quick).toEqual(['check works: run 2 of at most 3']);
    const once: string[] = [];
    await checkWith(watching({}), { criteria, seen: once });
    expect(once).toEqual([]);
  });

  it('A flaky check that turned green is found at the acceptance by repetition [K7]', async () => {
    const base = simulatedEvidence({ criterionId: 'works', purpose: 'base', tree: 'base', verdict: 'fail' });
    const asked = { criteria, purpose: 'acceptance', before: [base] } as const;
    const lucky = watching({ works: ['pass', 'pass', 'pass', 'fail'] });
    const [seen] = await checkWith(lucky, asked);
    expect(seen).toMatchObject({
      verdict: 'unknown',
      reason: 'flaky: passed 3 of 4 runs on this tree',
      looks: 4,
      tail: 'look 4',
    });
    const steady = watching({});
    const [held] = await checkWith(steady, {
      ...asked,
      config: { flaky: { retries: 0, passes: null, again: { looks: 3, withinMs: 600_000 } } },
    });
    expect(held).toMatchObject({ verdict: 'pass', looks: 3 });
    // The second run alone proves nothing: the first one may have left files.
    const messy = watching({ works: ['pass', 'fail'] });
    expect((await checkWith(messy, asked))[0]).toMatchObject({ verdict: 'pass' });
    expect(messy.order.length).toBeGreaterThan(4);
    const shaky = watching({ works: ['pass', 'fail', 'pass', 'fail'] });
    expect((await checkWith(shaky, asked))[0]).toMatchObject({ verdict: 'unknown', looks: 3 });
    const slow = watching({});
    expect((await checkWith(slow, { ...asked, lookMs: 3_000 }))[0]).toMatchObject({ looks: 3 });
    const green = watching({});
    await checkWith(green, { ...asked, before: [{ ...base, verdict: 'pass' }] });
    expect(green.order).toHaveLength(1);
  });
});
