// Collects what a report needs beside the run itself.
import { failedTests } from '#analysis/output/excerpt.ts';
import { createRedactor } from '#config/redact.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { CommittedTree } from '#kernel/model/base.ts';
import { asOperatorError, OperatorError } from '#base/operator-error.ts';
import { isCutOff } from '#views/status/stage.ts';
import type { ReportedChanges, ReportInput } from '#views/report/report-page.ts';
import { gitOf, isBranchGone } from '#app/git-of.ts';
import { ownVersion } from '#app/own-files.ts';
import { openStore, readTreeDiff, type Site } from '#app/site.ts';

/** `holder`: the driver of the run; null if there is none. */
export async function reportOf(site: Site, run: Run, holder: string | null = null): Promise<ReportInput> {
  const redactor = createRedactor(site.env);
  const redact = (text: string): string => redactor.redact(text);
  const { events } = await openStore(site).read(run.id);
  return {
    run,
    events,
    stat: await statOf(site, run),
    changes: await changesOf(site, run, redact),
    isBranchGone: await isBranchGone(site, run),
    isCutOff: isCutOff(run, holder),
    version: ownVersion(),
    redact,
    failedTests,
  };
}

/** '' if git no longer has the objects: the report does without it. */
async function statOf(site: Site, { base, tip }: Run): Promise<string> {
  if (base === null || tip === null) return '';
  const diff = await readTreeDiff(site, base.tree, tip.tree).catch(asOperatorError);
  return 'stat' in diff ? diff.stat : '';
}

async function changesOf(site: Site, run: Run, redact: (text: string) => string): Promise<ReportedChanges> {
  const { base } = run;
  if (base === null) return { kind: 'none', why: 'The workspace was not prepared, so nothing was changed.' };
  const work = workOf(run);
  if (work === null || work.tree === base.tree) return { kind: 'none', why: 'The run changed no file.' };
  const { fileDiffs } = await import('#adapters/git/trees/file-diffs.ts');
  const diffs = await fileDiffs(site, { from: base.tree, to: work.tree, redact }).catch(asOperatorError);
  if (diffs instanceof OperatorError)
    return { kind: 'gone', why: diffs.message, landed: run.landings.at(-1)?.commit.slice(0, 12) ?? null };
  const [from, to] = (await areCommits(site, [base.commit, work.commit]))
    ? [base.commit, work.commit ?? '']
    : [base.tree, work.tree];
  return {
    kind: 'shown',
    diffs,
    command: `git diff ${from.slice(0, 12)}..${to.slice(0, 12)}`,
    note: work.note,
  };
}

interface ShownWork extends Pick<CommittedTree, 'tree'> {
  readonly commit: string | null;
  readonly note: string | null;
}

/** The commits of the run; without any, the files as the last session left them. */
function workOf({ base, tip, tasks }: Run): ShownWork | null {
  if (tip !== null && tip.tree !== base?.tree) return { ...tip, note: null };
  const task = [...tasks.values()].findLast(({ workTree }) => workTree !== null && workTree !== base?.tree);
  if (task?.workTree === undefined || task.workTree === null)
    return tip === null ? null : { ...tip, note: null };
  const note = `Not proven and not committed: the files as the last session of task ${task.spec.id} left them.`;
  return { tree: task.workTree, commit: null, note };
}

/** After `clean`, a commit may be gone while a landed commit still has its tree. */
async function areCommits(site: Site, commits: readonly (string | null)[]): Promise<boolean> {
  const git = await gitOf(site);
  for (const commit of commits) {
    if (commit === null) return false;
    const { code } = await git.ask(['cat-file', '-e', `${commit}^{commit}`], { gitDir: site.commonDir });
    if (code !== 0) return false;
  }
  return true;
}
