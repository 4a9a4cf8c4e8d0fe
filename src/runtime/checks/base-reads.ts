// Records which files the checks read on the base, beside their logs, and lists those that the work changed.
import { commandOf } from '#kernel/model/check.ts';
import type { Evidence, MachineCriterion } from '#kernel/model/criterion.ts';
import type { Run } from '#kernel/fold/run.ts';
import { pathRelativeTo } from '#policies/prompts/path-from.ts';
import type { CheckDeps } from '#ports/world.ts';
import type { CheckContext, CheckSite } from './check-context.ts';

/** Ends the watch. `log` is the log of the check. */
export type EndWatch = (log: string | null) => Promise<Pick<Evidence, 'reads'>>;

/** Contract: no other check runs in the checkout meanwhile. */
export async function watchBaseReads(
  { step, run, world }: CheckContext,
  { check }: MachineCriterion,
  watchReads: CheckSite['watchReads'],
): Promise<EndWatch> {
  const { reads: logs } = world.checker;
  const isWanted = step.deed.purpose === 'base' && run.config.calibration === 'auto';
  if (!isWanted || logs === undefined || commandOf(check) === null) return async () => ({});
  const watch = await watchReads?.();
  return async (log) => {
    const paths = (await watch?.stop()) ?? null;
    if (paths === null || log === null) return {};
    const name = `${log.replace(/\.log$/, '')}.reads`;
    return (await logs.keep(name, paths)) ? { reads: name } : {};
  };
}

export interface WorkOfTask {
  readonly run: Run;
  readonly taskId: string | null;
  readonly from: string;
  readonly to: string;
}

/** Files that a check read on the base and the work changed or deleted, relative to the run's folder. */
export async function changedReads(
  { run, taskId, from, to }: WorkOfTask,
  { checker, workspace }: Pick<CheckDeps, 'checker' | 'workspace'>,
): Promise<string[]> {
  const evidence = [...(run.tasks.get(taskId ?? '')?.evidence.values() ?? [])];
  const names = evidence.flatMap(({ base }) => base?.reads ?? []);
  const read = new Set<string>();
  for (const name of new Set(names))
    for (const path of (await checker.reads?.list(name)) ?? []) read.add(path);
  if (read.size === 0) return [];
  const changed = await workspace.changedPaths(from, to);
  return changed.flatMap(({ path }) =>
    read.has(path) ? [pathRelativeTo(run.config.repo.prefix, path)] : [],
  );
}
