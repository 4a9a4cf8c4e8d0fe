// Checks that read the files as they are, and can be flaky.
import type { Verdict } from '#kernel/model/criterion.ts';
import { describeCheck } from '#kernel/model/check.ts';
import type { CheckRequest, Checker, Finding } from '#ports/checker.ts';
import type { LedgerCheck } from './ledger.ts';
import { together } from './looks.ts';
import { judgeCheck } from './oracle.ts';
import { thresholds } from './plan.ts';
import { levelOf, readTree, withTree } from './tree.ts';
import type { Incarnation, Universe } from './universe.ts';
import { filesIn, never, survives, worktreeOf } from './universe.ts';

export function simulatedChecker(universe: Universe, incarnation: Incarnation): Checker {
  return {
    ...(universe.plan.temper.environmentIsKnown ? { environment: 'simulated' } : {}),
    async check(request) {
      if (!survives(universe, incarnation)) return never();
      const stepId = request.mark.split('/')[1] ?? '';
      const isClean = request.cwd !== 'workspace';
      const worktree = isClean ? request.cwd : worktreeOf(universe, incarnation, stepId);
      if (!isClean) judgeCheck(universe, worktree, stepId);
      const durationMs = request.criterion.id === 'slow' ? 900 : 1 + universe.random.int(20);
      await passUnlessAborted(universe, incarnation, durationMs, request.signal);
      if (!survives(universe, incarnation)) return never();
      if (!isClean) incarnation.worktree = worktree;
      if (request.signal.aborted) return finding('unknown', durationMs);
      return runCheck(universe, request, { stepId, worktree, durationMs });
    },
  };
}

interface Place {
  readonly stepId: string;
  readonly worktree: string;
  readonly durationMs: number;
}

function runCheck(
  universe: Universe,
  { criterion }: CheckRequest,
  { stepId, worktree, durationMs }: Place,
): Finding {
  const { ledger, random, files } = universe;
  const tree = filesIn(universe, worktree);
  const taskId = describeCheck(criterion.check).split(' ')[2] ?? '';
  const truth = isTrue(criterion.id, tree, taskId);
  const verdict = random.chance(universe.plan.temper.flakiness)
    ? random.pick<Verdict>(['fail', 'unknown'])
    : truth;
  const seen = ledger.checks.get(stepId) ?? new Map<string, LedgerCheck>();
  const key = `${taskId}/${criterion.id}`;
  // What a check before this one merely added is not part of what was looked at.
  const looks = [...(seen.get(key)?.looks ?? []), { verdict, worktree }];
  seen.set(key, { tree: withTree(tree, { junk: false }), verdict: together(universe, looks), looks });
  ledger.checks.set(stepId, seen);
  universe.counts.checks += 1;
  universe.trace(() => `check ${taskId}/${criterion.id} in ${worktree} on ${tree}: ${verdict} (${stepId})`);
  if (random.chance(0.03)) files.set(worktree, withTree(tree, { junk: true }));
  else if (random.chance(0.01)) {
    files.set(worktree, withTree(tree, { salt: random.int(1000) + 1000 }));
    ledger.spoilt.add(stepId);
  }
  return finding(verdict, durationMs);
}

function isTrue(criterionId: string, tree: string, taskId: string): Verdict {
  const threshold = thresholds[criterionId] ?? 0;
  if (threshold === 0) return readTree(tree).broken ? 'fail' : 'pass';
  return levelOf(tree, taskId) >= threshold ? 'pass' : 'fail';
}

function finding(verdict: Verdict, durationMs: number): Finding {
  return {
    verdict,
    reason: verdict,
    ending: { kind: 'exited', code: verdict === 'pass' ? 0 : 1 },
    tail: verdict === 'pass' ? '' : 'it says no',
    durationMs,
  };
}

async function passUnlessAborted(
  universe: Universe,
  incarnation: Incarnation,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = (): void => {
      if (!incarnation.isDead) resolve();
    };
    signal.addEventListener('abort', go);
    universe.schedule.after(ms, go);
  });
}
