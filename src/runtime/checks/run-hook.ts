// Runs the repository's pre-commit hook as a check, with its own index and checkout, so that the run stays
// untouched. Its changes are neither an agent's work nor proof: the changed tree is checked like any other.
import { present } from '#base/assert.ts';
import { describeCheck, type HookCheck } from '#kernel/model/check.ts';
import type { Criterion, Evidence } from '#kernel/model/criterion.ts';
import type { CleanCheckout } from '#ports/checkouts.ts';
import {
  checkActivity,
  type CheckContext,
  criteriaOf,
  type OwnedCriterion,
  placeOf,
} from './check-context.ts';
import { during } from './during.ts';
import { taskOf } from '#kernel/fold/run.ts';
import { hookedOf } from '#kernel/fold/work.ts';

/** Runs the hook as before a commit of everything that the run changed. */
const command = [
  'git reset -q --soft HEAD^',
  'cd "$(git rev-parse --show-toplevel)"',
  'if test -x "$(git rev-parse --git-path hooks/pre-commit)"; then git hook run pre-commit; else echo "no pre-commit hook"; exit 127; fi',
].join(' && ');

/** A hook that prints this text itself counts as missing: that is no pass either. */
function isMissing({ ending, tail }: Pick<Evidence, 'ending' | 'tail'>): boolean {
  return ending?.kind === 'exited' && ending.code === 127 && tail.trim() === 'no pre-commit hook';
}

const missing = {
  verdict: 'unknown',
  reason:
    'the setting preCommitHook requires a pre-commit hook, but a fresh checkout has none that is executable. Check core.hooksPath, and that the hook is committed',
} as const;

/** The tree that the hook changed the checked tree into; absent if it changed nothing or ran already. */
export async function runHook(context: CheckContext): Promise<{ readonly hookTree?: string }> {
  const { step, run, world, signal } = context;
  const due = hookOf(context);
  if (due === null || signal.aborted || step.deed.purpose === 'look') return {};
  const tree = present(step.baseTree, 'a check has a tree');
  const checkout = await world.workspace.cleanCheckout(tree);
  try {
    const found = await ask(context, due, checkout);
    if (signal.aborted) return {};
    const made = await madeBy(checkout, tree, found.verdict === 'pass');
    const isFirst = step.deed.purpose === 'attempt' && hookedOf(taskOf(run, due.taskId)) !== tree;
    record(context, due, made === null ? found : { ...found, ...changedSomething(isFirst) });
    if (made === null || !isFirst) return {};
    await world.workspace.keep(made, `${step.stepId}/hook`);
    return { hookTree: made };
  } finally {
    await checkout.dispose();
  }
}

type Due = OwnedCriterion<Criterion & { readonly check: HookCheck }>;

function hookOf(context: CheckContext): Due | null {
  for (const { taskId, criterion } of criteriaOf(context)) {
    const { check } = criterion;
    if (check.kind === 'hook') return { taskId, criterion: { ...criterion, check } };
  }
  return null;
}

type HookFinding = Pick<Evidence, 'verdict' | 'reason' | 'ending' | 'tail' | 'log' | 'durationMs'>;

async function ask(
  { step, run, world, signal }: CheckContext,
  due: Due,
  { cwd }: CleanCheckout,
): Promise<HookFinding> {
  const { timeoutMs } = due.criterion.check;
  const criterion = {
    ...due.criterion,
    check: { kind: 'command', run: command, cwd: '', timeoutMs },
  } as const;
  const log = `${step.stepId}_${criterion.id}.log`;
  const request = { criterion, cwd, mark: `${run.id}/${step.stepId}`, log, signal };
  const activity = { ...checkActivity(step.stepId, criterion), command: describeCheck(due.criterion.check) };
  const finding = await during(world, activity, () => world.checker.check(request));
  return { ...finding, ...(isMissing(finding) ? missing : {}), log };
}

/** Its staged tree; or, if it failed because it fixed something, the files that it left. */
async function madeBy(checkout: CleanCheckout, tree: string, isPass: boolean): Promise<string | null> {
  const staged = (await checkout.staged?.()) ?? tree;
  if (staged !== tree) return staged;
  const left = isPass ? tree : await checkout.snapshot();
  return left === tree ? null : left;
}

function changedSomething(isFirst: boolean): Pick<Evidence, 'verdict' | 'reason'> {
  const reason = isFirst
    ? 'it changed files; the changed work is checked again'
    : 'it changes files each time it is run';
  return { verdict: 'fail', reason };
}

function record({ step, emit }: CheckContext, due: Due, found: HookFinding): void {
  const evidence = { ...placeOf(step, due), place: 'clean', ...found } as const;
  emit([{ type: 'evidence-recorded', evidence }]);
}
