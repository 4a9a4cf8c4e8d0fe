// Where a session works: the run's own checkout for a builder, a separate one for each reviewer.
import { present } from '#base/assert.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { SessionOperation } from '#kernel/model/step.ts';
import { withoutMarkerLines } from '#policies/prompts/render.ts';
import { changeShown } from '#policies/prompts/change-shown.ts';
import { filesShown, memoryShown } from '#policies/prompts/recalled.ts';
import type { SessionOrder, SessionStep } from '#ports/sessions.ts';
import type { World } from '#ports/world.ts';
import { changedReads } from '#runtime/checks/base-reads.ts';
import type { Emit, StepOf } from './performance.ts';

export interface SessionPlace {
  /** With its prompt completed by what is known only now. */
  readonly step: SessionStep;
  readonly order: Pick<SessionOrder, 'cwd' | 'worktree'>;
  dispose(): Promise<void>;
}

interface Opening {
  readonly step: StepOf<SessionOperation>;
  readonly run: Run;
}

export async function openPlace({ step, run }: Opening, world: World, emit: Emit): Promise<SessionPlace> {
  if (step.deed.readOnly) return openReview({ step, run }, world);
  await restoreFiles(step, world, emit);
  const shown = await withRecalled(step, world);
  return { step: shown, order: { cwd: world.workspace.cwd }, dispose: async () => {} };
}

/** Names the reviewer's checkout; the same for every session of a role on a task. */
export function reviewerOf({ taskId, deed }: SessionStep): string {
  return `${taskId ?? 'run'}/${deed.role}`;
}

async function openReview({ step, run }: Opening, world: World): Promise<SessionPlace> {
  const tree = present(step.baseTree, 'a review has a tree');
  const checkout = await world.workspace.reviewCheckout(tree, reviewerOf(step));
  const { diffFrom, words } = step.deed;
  const dispose = (): Promise<void> => checkout.dispose();
  const order = { cwd: checkout.cwd, worktree: checkout.record };
  if (diffFrom === undefined) return { step, order, dispose };
  const { stat, patch, tests = [] } = await world.workspace.diff(diffFrom, tree);
  const readByChecks = await changedReads({ run, taskId: step.taskId, from: diffFrom, to: tree }, world);
  const shown = changeShown({ stat, patch, asOnBase: checkout.asOnBase, tests, readByChecks });
  // A function as replacement, because a dollar sign in a diff is no pattern.
  const prompt = withoutMarkerLines(
    step.deed.prompt.replaceAll('{{diff}}', () => shown),
    words.done,
  );
  return { step: { ...step, deed: { ...step.deed, prompt } }, order, dispose };
}

/** Git is the memory: a builder reads its files and the commits, not what others said about them. */
async function withRecalled(
  step: StepOf<SessionOperation>,
  { workspace }: World,
): Promise<StepOf<SessionOperation>> {
  const { shows, words } = step.deed;
  if (shows === undefined) return step;
  const tree = present(step.baseTree, 'the step has a tree');
  const files = filesShown(await workspace.texts(tree, shows.files));
  const memory =
    shows.before === null
      ? ''
      : memoryShown(await workspace.recentCommits(10), await workspace.diff(shows.before, tree));
  // In one pass, so that placeholders inside a file stay text.
  const filled = step.deed.prompt.replaceAll(/\{\{(files|memory)\}\}/g, (_, name) =>
    name === 'files' ? files : memory,
  );
  return { ...step, deed: { ...step.deed, prompt: withoutMarkerLines(filled, words.done) } };
}

/** Restores the step's decided tree. A person's edits are kept aside, never taken for the agent's. */
export async function restoreFiles(
  step: { readonly stepId: string; readonly baseTree: string | null },
  world: Pick<World, 'workspace'>,
  emit: Emit,
): Promise<void> {
  const { stepId } = step;
  const tree = present(step.baseTree, 'the step has a tree');
  const keptAs = await world.workspace.restore(tree, `${stepId}/before`);
  const reason = 'the files differed from those of the last step';
  if (keptAs !== null) emit([{ type: 'workspace-restored', stepId, keptAs, reason }]);
}
