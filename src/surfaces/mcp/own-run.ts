// Finds the run that this process belongs to: named, or marked by an ancestor process.
import type { Site } from '#app/site.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { sessionNameOf } from '#kernel/model/session-name.ts';
import { OperatorError } from '#base/operator-error.ts';
import { currentTask } from '#views/status/stage.ts';

export interface OwnRun {
  readonly site: Site;
  readonly run: Run;
  readonly task: TaskState;
  /** Who asks, for the journal. */
  readonly by: string;
  /** True for an attached session, whose run may have no driver. */
  readonly isAttachedSession: boolean;
}

export async function findOwnRun(named: string | null): Promise<OwnRun> {
  const { markAbove, sessionsAbove } = await import('#app/controls/inside.ts');
  const { loadRun, openSite } = await import('#app/site.ts');
  const mark = markAbove(process.env);
  if (mark !== null) {
    const [runId = '', stepId = ''] = mark.split('/');
    if (named !== null && named !== runId) throw otherRun(named, runId);
    const site = await openSite(process.cwd(), process.env);
    const { run } = await loadRun(site, runId);
    return withTask(
      {
        site,
        run,
        by: `the agent of ${sessionNameOf(run, stepId) ?? 'a session'}`,
        isAttachedSession: false,
      },
      stepId,
    );
  }
  const { openLinks } = await import('#app/attached.ts');
  const links = openLinks(process.env);
  const above = sessionsAbove(process.env);
  const link = above.ids.map((id) => links.read(id)).find((one) => one !== null) ?? links.heldBy(above.pids);
  if (link !== null && link !== undefined) {
    if (named !== null && named !== link.runId) throw otherRun(named, link.runId);
    const site = await openSite(link.root, process.env);
    const { run } = await loadRun(site, link.runId);
    return withTask({ site, run, by: 'the agent of the interactive session', isAttachedSession: true }, '');
  }
  if (named === null) throw noRun();
  const site = await openSite(process.cwd(), process.env);
  const { run } = await loadRun(site, named);
  return withTask({ site, run, by: 'an agent', isAttachedSession: false }, '');
}

function withTask(found: Omit<OwnRun, 'task'>, stepId: string): OwnRun {
  const { run } = found;
  const step = run.running.get(stepId);
  const task = run.tasks.get(step?.taskId ?? '') ?? currentTask(run);
  if (task === null) throw noRun();
  return { ...found, task };
}

function otherRun(named: string, own: string): OperatorError {
  return new OperatorError(
    'other-run',
    `This process belongs to the run ${own}, not to ${named}.`,
    'Leave out --run.',
  );
}

function noRun(): OperatorError {
  return new OperatorError(
    'no-run',
    'This process does not belong to a run.',
    'A person starts one: `untildone run`, or /untildone:start in Claude Code.',
  );
}
