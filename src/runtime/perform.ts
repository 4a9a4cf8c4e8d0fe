// Does one deed. Knows how, never why; what it learns leaves as facts.
import { present } from '#kernel/assert.ts';
import type { Criterion } from '#kernel/criterion.ts';
import type { Fact } from '#kernel/events.ts';
import type { Run } from '#kernel/run.ts';
import type { Deed, Steer, Step, StepResult } from '#kernel/step.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { World } from '#ports/world.ts';
import { performCheck } from './perform-check.ts';
import { performSession } from './perform-session.ts';

export type StepOf<D extends Deed> = Step & { readonly deed: D };
export type Emit = (facts: readonly Fact[]) => void;

export interface Performance {
  /** The facts that end the step. Rejects only for a bug of ours. */
  readonly ended: Promise<readonly Fact[]>;
  steer(steer: Steer): void;
}

export function perform(step: Step, run: Run, world: World, emit: Emit): Performance {
  const performance = start(step, run, world, emit);
  return {
    steer: performance.steer,
    ended: performance.ended.catch((error: unknown) => refused(step, error)),
  };
}

function start(step: Step, run: Run, world: World, emit: Emit): Performance {
  const { deed } = step;
  switch (deed.kind) {
    case 'prepare':
      return unsteered(prepare(step, run, world));
    case 'session':
      return performSession({ ...step, deed }, run, world, emit);
    case 'check':
      return performCheck({ ...step, deed }, run, world, emit);
    case 'commit':
      return unsteered(commit(step, world));
  }
}

async function prepare(step: Step, run: Run, world: World): Promise<readonly Fact[]> {
  const prepared = await world.workspace.prepare(allCriteria(run));
  return ended(step, { kind: 'prepare', ...prepared });
}

/** Idempotent, so that a commit cut off by a crash is finished by whoever adopts it. */
export async function commit(step: Step, world: World): Promise<readonly Fact[]> {
  if (step.deed.kind !== 'commit') return [];
  const { parent, message } = step.deed;
  const made = await world.workspace.commit({
    stepId: step.stepId,
    tree: present(step.baseTree, 'a commit has a tree'),
    parent,
    message,
  });
  return ended(
    step,
    'commit' in made
      ? { kind: 'commit', commit: made.commit }
      : { kind: 'refused', reason: made.refused, hint: made.hint },
  );
}

export function ended(step: Step, result: StepResult): readonly Fact[] {
  return [{ type: 'step-ended', stepId: step.stepId, result }];
}

/** What the operator or the machine got wrong parks the run with a sentence; anything else is our bug. */
export function refused(step: Step, error: unknown): readonly Fact[] {
  if (!(error instanceof OperatorError)) throw error;
  return ended(step, { kind: 'refused', reason: error.message, hint: error.hint });
}

function unsteered(deed: Promise<readonly Fact[]>): Performance {
  return { ended: deed, steer: () => {} };
}

function allCriteria(run: Run): Criterion[] {
  return [...run.tasks.values()].flatMap((task) => task.spec.criteria);
}
