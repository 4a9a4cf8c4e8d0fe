// Finds what the checks of a task read on the base, for a person who decides about a changed file.
import type { Run } from '#kernel/fold/run.ts';
import { runFiles, type Site } from '#app/site.ts';

export interface ReadByCheck {
  readonly command: string;
  readonly paths: readonly string[];
}

/** Checks whose reads were not observed are omitted. */
export async function baseReadsOf(site: Site, run: Run, taskId: string): Promise<ReadByCheck[]> {
  const { openReadsLogs } = await import('#adapters/checkers/reads-log.ts');
  const logs = openReadsLogs(runFiles(site, run.id).logsDir);
  const found: ReadByCheck[] = [];
  for (const { base } of run.tasks.get(taskId)?.evidence.values() ?? []) {
    const paths = base?.reads === undefined ? null : await logs.list(base.reads);
    if (paths !== null && base !== undefined)
      found.push({ command: base.command ?? base.criterionId, paths });
  }
  return found;
}
