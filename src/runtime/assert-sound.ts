// Asserts the invariants: a decision that breaks one is our bug and must not reach the journal.
import { assert, present } from '#base/assert.ts';
import type { Fact } from '#kernel/events/events.ts';
import { unapprovedDrops } from '#kernel/proof/narrowing.ts';
import { gapsInAcceptance, gapsInProof } from '#kernel/proof/proof.ts';
import { isApprovedAsWhole, isSubstantiated } from '#kernel/proof/proof-kind.ts';
import { type Run, taskOf } from '#kernel/fold/run.ts';

export function assertSound(run: Run, facts: readonly Fact[]): void {
  for (const fact of facts) {
    if (fact.type === 'task-proven') {
      assert(
        gapsInProof(run, taskOf(run, fact.taskId), fact.tree).length === 0,
        'no task is proven without evidence for every required criterion on that tree',
      );
    }
    if (fact.type === 'run-ended' && fact.outcome === 'completed') assertCompleted(run);
  }
}

function assertCompleted(run: Run): void {
  const tip = present(run.tip, 'a completed run has a tip');
  const { acceptance } = run;
  assert(
    acceptance?.isPassed === true && acceptance.epoch === run.epoch && acceptance.tree === tip.tree,
    'the driver that completes a run has seen its acceptance',
  );
  assert(gapsInAcceptance(run).length === 0, 'a completed run has no open criterion');
  assert(
    isApprovedAsWhole(run) || unapprovedDrops(run).length === 0,
    'what an agent left out is no part of what is completed',
  );
  assert(isSubstantiated(run), 'a green check proves nothing that was green before');
  for (const task of run.tasks.values()) {
    assert(['landed', 'skipped', 'dropped'].includes(task.status.is), 'a completed run has no failed task');
  }
}
