import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/apply.ts';
import type { Fact } from '#kernel/events.ts';
import type { CheckDeed } from '#kernel/step.ts';
import type { Checker } from '#ports/checker.ts';
import { commandCriterion, simulatedEvidence, simulatedTask } from '#testing/simulated-run.ts';
import type { SimulatedWorld, SimulatedWorldOptions } from '#testing/simulated-world.ts';
import { simulatedWorld } from '#testing/simulated-world.ts';
import type { StepOf } from './perform.ts';
import { perform } from './perform.ts';

const criteria = [commandCriterion('slow'), commandCriterion('quick')];
const step: StepOf<CheckDeed> = {
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
  it('looks at the tree that it was asked about, whatever lies there, and keeps that aside', async () => {
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

  it('runs the cheapest first, by what the base took', async () => {
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

  it('says so when it changed what it looked at, and forgives files that it merely added', async () => {
    const after = async (left: string): Promise<unknown> => {
      const simulated = world();
      simulated.workspace.snapshot = async () => left;
      return (await check(simulated)).at(-1);
    };
    expect(await after('work+junk')).toMatchObject({ result: { treeAfter: 'work' } });
    expect(await after('something else')).toMatchObject({ result: { treeAfter: 'something else' } });
  });

  it('that is ended by us says nothing about the work', async () => {
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
