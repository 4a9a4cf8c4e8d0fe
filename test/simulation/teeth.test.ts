// Faults are planted one at a time; each must be noticed, or the simulation proves nothing.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type * as Adopt from '#runtime/steps/adopt.ts';
import type * as Apply from '#kernel/fold/apply.ts';
import type * as ApplyStep from '#kernel/fold/apply-step.ts';
import type * as Budget from '#kernel/model/budget.ts';
import type * as Checkpoint from '#kernel/proof/checkpoint.ts';
import type * as Flaky from '#kernel/model/flaky.ts';
import type * as Controls from '#kernel/decide/decide-controls.ts';
import type { Run } from '#kernel/fold/run.ts';
import type * as ProofKinds from '#kernel/proof/proof-kind.ts';
import type * as Proof from '#kernel/proof/proof.ts';
import type * as Review from '#policies/loops/review.ts';
import type * as SettleReview from '#policies/loops/settle-review.ts';
import type { Plan } from './plan.ts';
import { breakApply, firstViolation } from './teeth.ts';
import type { Faults } from './universe.ts';

describe('Faults of the simulated environment', () => {
  it.each<[keyof Faults, RegExp]>([
    ['commitIsNotIdempotent', /commits twice/],
    ['receiptIsIgnored', /called lost, but there is a receipt/],
    ['lowerEpochIsAccepted', /writes|follows epoch/],
    ['takeForgets', /controls were lost/],
    ['syncLies', /before it is on the disk|never written down|runs twice/],
    ['restoreDoesNothing', /instead of|is unseen/],
    [
      'hostsOverlap',
      /overlaps|shares its worktree|ended otherwise|checks while|called lost|a session outlives the run/,
    ],
  ])('The fault %s is noticed', async (fault, expected) => {
    expect(await firstViolation({ [fault]: true })).toMatch(expected);
  });
});

describe('Faults of the program', () => {
  afterEach(() => {
    vi.doUnmock('#kernel/proof/checkpoint.ts');
    vi.doUnmock('#kernel/model/flaky.ts');
    vi.doUnmock('#kernel/proof/proof.ts');
    vi.doUnmock('#kernel/proof/proof-kind.ts');
    vi.doUnmock('#kernel/fold/apply.ts');
    vi.doUnmock('#kernel/fold/apply-step.ts');
    vi.doUnmock('#kernel/model/budget.ts');
    vi.doUnmock('#kernel/decide/decide-controls.ts');
    vi.doUnmock('#policies/loops/review.ts');
    vi.doUnmock('#policies/loops/settle-review.ts');
    vi.doUnmock('#runtime/steps/adopt.ts');
  });

  const brokenProof = (change: (proof: typeof Proof) => Partial<typeof Proof>): void => {
    vi.doMock('#kernel/proof/proof.ts', async (original) => {
      const proof = await original<typeof Proof>();
      return { ...proof, ...change(proof) };
    });
  };

  it('Work that is committed without proof is noticed', async () => {
    brokenProof(() => ({ gapsInProof: () => [] }));
    expect(await firstViolation()).toMatch(/is proven, but|is committed/);
  });

  it('A checkpoint of a run over criteria that lands as if it were proven is noticed', async () => {
    vi.doMock('#kernel/proof/checkpoint.ts', async (original) => {
      const { checkpointOf, ...others } = await original<typeof Checkpoint>();
      const asProven: typeof checkpointOf = (run, task, move) => {
        const step = checkpointOf(run, task, move);
        if (step.deed.kind !== 'commit') return step;
        const { checkpoint: _, ...operation } = step.deed;
        return { ...step, deed: operation };
      };
      return { ...others, checkpointOf: asProven };
    });
    expect(await firstViolation()).toMatch(/is committed for/);
  });

  it('A flaky check that is judged by its last run alone is noticed', async () => {
    vi.doMock('#kernel/model/flaky.ts', async (original) => ({
      ...(await original<typeof Flaky>()),
      settleRuns: () => null,
    }));
    expect(await firstViolation()).toMatch(/is unknown|is fail|was not accepted/);
  });

  it('An unknown verdict that counts as a pass is noticed', async () => {
    brokenProof(({ gapsInProof }) => ({
      gapsInProof: (run, task, tree) =>
        gapsInProof(run, task, tree).filter(({ criterionId }) => {
          const seen = criterionId === null ? undefined : task.evidence.get(criterionId)?.attempt;
          return seen?.verdict !== 'unknown' || seen.tree !== tree;
        }),
    }));
    expect(await firstViolation()).toMatch(/is unknown/);
  });

  it('A pinned file whose change is accepted is noticed', async () => {
    brokenProof(({ gapsInProof }) => ({
      gapsInProof: (run, task, tree) =>
        gapsInProof(run, task, tree).filter((gap) => !gap.why.includes('pinned')),
    }));
    expect(await firstViolation()).toMatch(/a pinned file is changed/);
  });

  it('A check that may change the files it checks is noticed', async () => {
    brokenProof(({ gapsInProof }) => ({
      gapsInProof: (run, task, tree) =>
        gapsInProof(run, task, tree).filter((gap) => !gap.why.includes('a check changed')),
    }));
    expect(await firstViolation()).toMatch(/the check changed the files/);
  });

  it('A check that was green before the work and still completes a run is noticed', async () => {
    vi.doMock('#kernel/proof/proof-kind.ts', async (original) => {
      const kinds = await original<typeof ProofKinds>();
      return { ...kinds, isSubstantiated: () => true, proofOfRun: () => 'checks' };
    });
    expect(await firstViolation()).toMatch(/says anything about the work/);
  });

  it('A run that completes on the verdict of a reviewer alone is noticed', async () => {
    vi.doMock('#kernel/proof/proof-kind.ts', async (original) => {
      const kinds = await original<typeof ProofKinds>();
      return { ...kinds, isSubstantiated: (run: Run) => kinds.proofOfRun(run) !== null };
    });
    expect(await firstViolation()).toMatch(/nothing but a reviewer speaks for/);
  });

  it('A forgiven check that was green before the work is noticed', async () => {
    brokenProof(({ isRequired, gapsInProof }) => ({
      isRequired: (run, task, criterion) => run.config.knownRed !== 'all' && isRequired(run, task, criterion),
      gapsInProof: (run, task, tree) => (run.config.knownRed === 'all' ? [] : gapsInProof(run, task, tree)),
    }));
    expect(await firstViolation()).toMatch(/is proven, but|is committed/);
  });

  it('An acceptance whose gaps are ignored is noticed', async () => {
    brokenProof(() => ({ gapsInAcceptance: () => [] }));
    expect(await firstViolation()).toMatch(/was not accepted|the acceptance changed/);
  });

  it('Evidence of another tree is noticed', async () => {
    vi.doMock('#kernel/fold/apply-step.ts', async (original) => {
      const actual = await original<typeof ApplyStep>();
      const applyStepEnded: typeof ApplyStep.applyStepEnded = (run, step, result) => {
        actual.applyStepEnded(run, step, result);
        const task = step.taskId === null ? undefined : run.tasks.get(step.taskId);
        if (task === undefined || result.kind !== 'session' || result.endTree === null) return;
        if (step.deed.kind !== 'session' || step.deed.readOnly) return;
        for (const seen of task.evidence.values()) {
          if (seen.attempt === undefined) continue;
          seen.attempt = { ...seen.attempt, tree: result.endTree };
          task.inspection.checked = { tree: result.endTree, treeAfter: result.endTree, brokenPins: [] };
        }
      };
      return { ...actual, applyStepEnded };
    });
    const isLoop = ({ config }: Plan): boolean => config.policy.actions !== undefined;
    const expected = /no check was made of that tree|is proven, but/;
    expect(await firstViolation({}, null, (plan) => !isLoop(plan))).toMatch(expected);
    // An action loop draws its conclusion before the task is proven.
    expect(await firstViolation({}, null, isLoop)).toMatch(/COMPLETE was accepted, but \w+ is unseen/);
  });

  const brokenBudget = (change: Partial<typeof Budget>): void => {
    vi.doMock('#kernel/model/budget.ts', async (original) => ({
      ...(await original<typeof Budget>()),
      ...change,
    }));
  };

  it('Sessions that are counted only when they end are noticed', async () => {
    brokenBudget({
      takeReserve: () => {},
      settleReserve(ledger, reserve, usage) {
        if (usage === null) return;
        ledger.spent.sessions += reserve.sessions;
        ledger.spent.usd += usage.usd ?? 0;
      },
    });
    expect(await firstViolation()).toMatch(/session \d+ of \d+ is started|USD were spent/);
  });

  it('A lost session that costs nothing is noticed', async () => {
    brokenBudget({
      settleReserve(ledger, reserve, usage) {
        ledger.reserved.sessions -= reserve.sessions;
        ledger.reserved.usd -= reserve.usd;
        ledger.reserved.tokens -= reserve.tokens;
        ledger.spent.sessions += usage === null ? 0 : reserve.sessions;
        ledger.spent.usd += usage?.usd ?? 0;
      },
    });
    expect(await firstViolation()).toMatch(/session \d+ of \d+ is started|USD were spent/);
  });

  it('A control that is received twice is noticed', async () => {
    breakApply((run, event) => {
      if (event.type === 'control-received') run.controls.delete(event.id);
    });
    expect(await firstViolation()).toMatch(/was received twice/);
  });

  it('A trusted acceptance of an earlier driver is noticed', async () => {
    breakApply((run, event) => {
      if (event.type !== 'driver-started') return;
      if (run.acceptance !== null) run.acceptance = { ...run.acceptance, epoch: run.epoch };
    });
    expect(await firstViolation()).toMatch(/this driver saw no acceptance/);
  });

  it('A pause that stops nothing is noticed', async () => {
    breakApply((run) => {
      run.paused = null;
    });
    expect(await firstViolation()).toMatch(/while the run is paused/);
  });

  it('A message that no prompt contains is noticed', async () => {
    breakApply((run, event) => {
      if (event.type === 'step-lost') run.messages = [];
    });
    expect(await firstViolation()).toMatch(/nobody was told/);
  });

  it('A driver that folds differently from the journal is noticed', async () => {
    let folded = 0;
    vi.doMock('#kernel/fold/apply.ts', async (original) => {
      const actual = await original<typeof Apply>();
      const apply: typeof Apply.apply = (run, event) => {
        actual.apply(run, event);
        folded += 1;
        if (folded % 50 === 0) run.activeMs += 1;
      };
      return { ...actual, apply };
    });
    expect(await firstViolation()).toMatch(/replay gives another run/);
  });

  it('A request that is neither applied nor refused is noticed', async () => {
    vi.doMock('#kernel/decide/decide-controls.ts', async (original) => ({
      ...(await original<typeof Controls>()),
      settleControls: () => {},
    }));
    expect(await firstViolation()).toMatch(
      /neither applied nor refused|gets nowhere|a run ends or waits for something/,
    );
  });

  it('A step that is decided again after a crash is noticed', async () => {
    vi.doMock('#runtime/steps/adopt.ts', () => {
      const adopt: typeof Adopt.adopt = async ({ stepId }) => [
        { type: 'step-lost', stepId, reason: 'forgotten', usage: null },
      ];
      return { adopt };
    });
    expect(await firstViolation()).toMatch(
      /called lost, but|ended otherwise|overlaps|shares|commits|checks while|a session outlives the run/,
    );
  });

  it('A reviewer whose failing verdict counts as a pass is noticed', async () => {
    vi.doMock('#policies/loops/settle-review.ts', async (original) => ({
      ...(await original<typeof SettleReview>()),
      settleReview: () => ({ verdict: 'pass', reason: 'why not' }),
    }));
    expect(await firstViolation()).toMatch(/(verifier|security) is (fail|unknown)/);
  });

  it('A pass by a reviewer that gave no verdict is noticed', async () => {
    vi.doMock('#policies/loops/settle-review.ts', async (original) => ({
      ...(await original<typeof SettleReview>()),
      settleWithoutVerdict: () => ({ verdict: 'pass', reason: 'why not' }),
    }));
    expect(await firstViolation()).toMatch(/(verifier|security) is (unseen|fail|unknown)/);
  });

  it('A reviewer that is never asked is noticed', async () => {
    vi.doMock('#policies/loops/review.ts', async (original) => {
      const actual = await original<typeof Review>();
      const reviewNext: typeof Review.reviewNext = (run, task, tree) => {
        const criteria = task.spec.criteria.filter(({ id }) => id !== 'security');
        return actual.reviewNext(run, { ...task, spec: { ...task.spec, criteria } }, tree);
      };
      return { ...actual, reviewNext };
    });
    brokenProof(({ gapsInProof }) => ({
      gapsInProof: (run, task, tree) =>
        gapsInProof(run, task, tree).filter((gap) => gap.criterionId !== 'security'),
    }));
    expect(await firstViolation()).toMatch(/security is/);
  });

  it('A review of files that the reviewer had changed is noticed', async () => {
    vi.doMock('#policies/loops/review.ts', async (original) => {
      const actual = await original<typeof Review>();
      const reviewNext: typeof Review.reviewNext = (run, task, tree) => {
        const reviews = new Map(
          [...task.inspection.reviews].map(([role, review]) => [
            role,
            review.result === null ? review : { ...review, result: { ...review.result, endTree: tree } },
          ]),
        );
        return actual.reviewNext(run, { ...task, inspection: { ...task.inspection, reviews } }, tree);
      };
      return { ...actual, reviewNext };
    });
    expect(await firstViolation()).toMatch(/(verifier|security) is/);
  });
});
