// Reproduces a reviewer's blocker: its command must fail when we run it, on a clean checkout of that tree.
import { present } from '#base/assert.ts';
import { describeProcessEnding } from '#kernel/model/ending.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { ReproduceOperation } from '#kernel/model/step.ts';
import type { Finding } from '#ports/checker.ts';
import type { CleanCheckout } from '#ports/checkouts.ts';
import type { World } from '#ports/world.ts';
import { withoutAdditions } from '#runtime/checks/tree-after.ts';
import { ended, lost } from './perform-ended.ts';
import { cancellable, type Emit, type Performance, type StepOf } from './performance.ts';
import type { Trial } from '#kernel/model/review.ts';

type ReproduceStep = StepOf<ReproduceOperation>;

export function performReproduce(step: ReproduceStep, run: Run, world: World, emit: Emit): Performance {
  return cancellable(async (signal) => {
    let checkout: CleanCheckout | null = null;
    try {
      for (const { index, run: command } of step.deed.commands) {
        checkout ??= await world.workspace.cleanCheckout(present(step.baseTree, 'a trial has a tree'));
        const trial = await tryCommand(step, run, world, { checkout, index, command, signal });
        if (signal.aborted) return lost(step, 'it was cancelled');
        const taskId = present(step.taskId, 'a review serves a task');
        emit([{ type: 'blocker-tried', taskId, stepId: step.deed.review, index, trial }]);
        if (trial.outcome !== 'unknown') continue;
        // Its leftovers must not decide the next trial.
        await checkout.dispose();
        checkout = null;
      }
    } finally {
      await checkout?.dispose();
    }
    return ended(step, { kind: 'reproduce' });
  });
}

interface Place {
  readonly checkout: CleanCheckout;
  readonly index: number;
  readonly command: string;
  readonly signal: AbortSignal;
}

async function tryCommand(step: ReproduceStep, run: Run, world: World, place: Place): Promise<Trial> {
  const { checkout, index, command, signal } = place;
  const log = `${step.stepId}_blocker-${index + 1}.log`;
  const finding = await world.checker.check({
    criterion: {
      id: `blocker-${index + 1}`,
      text: command,
      kind: 'exit',
      required: false,
      when: 'attempt',
      check: { kind: 'command', run: command, cwd: '', timeoutMs: step.deed.timeoutMs },
    },
    cwd: checkout.cwd,
    mark: `${run.id}/${step.stepId}`,
    log,
    signal,
  });
  const hasChanged = !signal.aborted && (await changedBy(checkout, step, world));
  const { ending, tail, excerpt } = finding;
  return {
    ...judge(finding, hasChanged),
    ending,
    tail,
    ...(excerpt === undefined ? {} : { excerpt }),
    log,
  };
}

async function changedBy(checkout: CleanCheckout, step: ReproduceStep, world: World): Promise<boolean> {
  const tree = present(step.baseTree, 'a trial has a tree');
  return (await withoutAdditions(world, tree, await checkout.snapshot())) !== tree;
}

/** The shell's exit codes for a command that is missing or cannot be run. */
const notRun = [126, 127];

function judge({ ending }: Finding, hasChanged: boolean): Pick<Trial, 'outcome' | 'reason'> {
  if (ending === null) return { outcome: 'unknown', reason: 'it was not run' };
  const how = describeProcessEnding(ending);
  if (hasChanged) return { outcome: 'unknown', reason: `${how}, and it changed the files that it checked` };
  if (ending.kind === 'exited' && !notRun.includes(ending.code))
    return { outcome: ending.code === 0 ? 'not reproduced' : 'reproduced', reason: how };
  return { outcome: ending.kind === 'signalled' ? 'reproduced' : 'unknown', reason: how };
}
