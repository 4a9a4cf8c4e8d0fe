import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { Evidence } from '#kernel/model/criterion.ts';
import type { Fact } from '#kernel/events/events.ts';
import type { CheckRequest } from '#ports/checker.ts';
import type { Trees } from '#ports/trees.ts';
import type { CheckContext } from '#runtime/checks/check-context.ts';
import { commandCriterion, simulatedEvidence, simulatedTask } from '#test/simulated/simulated-run.ts';
import { simulatedWorld } from '#test/simulated/simulated-world.ts';
import { calibrate } from './calibrate.ts';

const trees: Trees = {
  list: async (tree) => new Map([['src/a.js', tree]]),
  read: async () => new Map(),
  replace: async (tree) => `${tree}+`,
};

interface Bench {
  readonly facts: Fact[];
  readonly open: { count: number };
  calibrate(base?: Partial<Evidence>, now?: Partial<Evidence>): Promise<void>;
}

/** A world in which `check` decides each run of the calibration. */
function bench(
  check: (request: CheckRequest) => Evidence['verdict'],
  ids = ['works'],
): Bench & { cancel(): void } {
  const criteria = ids.map((id) => commandCriterion(id, { text: id }));
  const world = simulatedWorld({
    tasks: [simulatedTask('main', { criteria })],
    config: { calibration: 'auto' },
    workspace: { trees },
  });
  const cancel = new AbortController();
  const facts: Fact[] = [];
  const open = { count: 0 };
  const { workspace, checker } = world;
  const counted = {
    ...workspace,
    async cleanCheckout(tree: string) {
      open.count += 1;
      const made = await workspace.cleanCheckout(tree);
      const dispose = async (): Promise<void> => {
        open.count -= 1;
      };
      return { ...made, dispose };
    },
  };
  const checking = {
    async check(request: CheckRequest) {
      return { ...(await checker.check(request)), verdict: check(request) };
    },
  };
  return {
    facts,
    open,
    cancel: () => cancel.abort(),
    async calibrate(base = {}, now = {}) {
      const known = { taskId: 'main', purpose: 'base', tree: 'base', verdict: 'fail', ...base } as const;
      const seen = ids.map((criterionId) =>
        simulatedEvidence({
          taskId: 'main',
          criterionId,
          purpose: 'acceptance',
          tree: 'work',
          stepId: 's',
          ...now,
        }),
      );
      const events = ids.map((criterionId) => ({
        at: 1,
        type: 'evidence-recorded' as const,
        evidence: simulatedEvidence({ ...known, criterionId }),
      }));
      const run = replay([...world.journal.events, ...events]);
      const context: CheckContext = {
        step: {
          stepId: 's',
          taskId: null,
          baseTree: 'work',
          reserve: { sessions: 0, usd: 0, tokens: 0 },
          deed: { kind: 'check', purpose: 'acceptance', place: 'clean', when: 'acceptance', criteria: [] },
        },
        run,
        world: { ...world, workspace: counted, checker: checking },
        emit: (more) => facts.push(...more),
        signal: cancel.signal,
      };
      await calibrate(context, seen);
    },
  };
}

const onBase = ({ cwd }: CheckRequest): boolean => cwd.endsWith('base');

describe('The calibration of an acceptance', () => {
  it('Calibration records the evidence of the step again, with its findings [X7]', async () => {
    const made = bench((request) => (onBase(request) ? 'fail' : 'pass'));
    await made.calibrate();
    expect(made.facts).toMatchObject([
      {
        type: 'evidence-recorded',
        evidence: { stepId: 's', verdict: 'pass', calibration: [{ kind: 'base-recheck' }, {}, {}] },
      },
    ]);
    expect(made.open.count).toBe(0);
  });

  it('Calibration runs one check at a time where checks must run alone [K3]', async () => {
    let running = 0;
    let most = 0;
    const made = bench(() => {
      running += 1;
      most = Math.max(most, running, made.open.count);
      running -= 1;
      return 'fail';
    }, ['one', 'two', 'three']);
    await made.calibrate();
    expect(most).toBe(1);
  });

  it('Calibration records nothing and leaves no checkout when it is cancelled [X11]', async () => {
    const made = bench(() => {
      made.cancel();
      return 'fail';
    });
    await made.calibrate();
    expect(made.facts).toEqual([]);
    expect(made.open.count).toBe(0);
  });

  it('Calibration does not repeat a check that takes longer than ten minutes, and says so', async () => {
    let runs = 0;
    const made = bench(() => {
      runs += 1;
      return 'fail';
    });
    await made.calibrate({ durationMs: 11 * 60_000 }, { durationMs: 11 * 60_000 });
    expect(runs).toBe(0);
    expect(JSON.stringify(made.facts)).toContain('takes longer than 10 minutes: not calibrated');
  });

  it('Calibration tries nothing if a required check failed, because the task is reopened anyway', async () => {
    const made = bench(() => 'fail');
    await made.calibrate({}, { verdict: 'fail' });
    expect(made.facts).toEqual([]);
  });
});
