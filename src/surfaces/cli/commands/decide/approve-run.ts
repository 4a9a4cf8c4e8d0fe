// `approve RUN` after the end: a person approves unproven work; the repeated acceptance completes the run.
import type { Site } from '#app/site.ts';
import { refuseCleaned } from '#app/clean/refuse-cleaned.ts';
import type { Run } from '#kernel/fold/run.ts';
import { isApprovedAsWhole } from '#kernel/proof/proof-kind.ts';
import { OperatorError } from '#base/operator-error.ts';
import { driveHere } from '#surfaces/cli/drive/drive-here.ts';
import { sendQuietly } from '#surfaces/cli/send-control.ts';
import { print, printJsonLine } from '#surfaces/cli/output.ts';
import { choose } from '#surfaces/cli/pick/pick-run.ts';
import { type KnownRun, tryLoad, unfinishedRuns } from '#surfaces/cli/open-here.ts';
import { attentionItems } from '#views/questions/attention-items.ts';
import { outcomeWord } from '#views/report/proof.ts';
import { shortened } from '#views/words.ts';

export interface RunApproval {
  /** The beginning of the hash of the tree that the person reviewed. */
  readonly tree: string | undefined;
  readonly isJson: boolean;
}

/** Whether `approve` without a criterion means the run as a whole. */
export function isApprovable({ run, holder }: KnownRun): boolean {
  if (run.tip === null) return false;
  if (run.outcome !== null) return run.outcome.outcome === 'unverified';
  // Approved before, and the process that repeated the acceptance died.
  return holder === null && isApprovedAsWhole(run) && attentionItems(run).length === 0;
}

/** For `approve` without a name: the run that waits for approval, or the last one without proof. */
export async function pickApproval(site: Site): Promise<KnownRun> {
  const runs = await unfinishedRuns(site);
  const unfinished = runs.filter(({ run }) => run.outcome === null);
  const waiting = unfinished.filter((known) => isApprovable(known) || waitsForApproval(known.run));
  const candidates = [...waiting, ...(await lastWithoutProof(site, unfinished))];
  const [only, ...others] = candidates;
  if (only === undefined) return choose(runs, { command: 'approve' });
  if (others.length > 0) throw severalApprovals(candidates);
  return only;
}

/** The runs that ended last, back to one that lacks nothing. */
async function lastWithoutProof(site: Site, unfinished: readonly KnownRun[]): Promise<KnownRun[]> {
  const { openStore } = await import('#app/site.ts');
  const known = new Set(unfinished.map(({ run }) => run.id));
  const found: KnownRun[] = [];
  for (const runId of (await openStore(site).list()).toReversed()) {
    const ended = known.has(runId) ? null : await tryLoad(site, runId);
    if (ended === null) continue;
    if (ended.run.cleaned !== null) continue;
    if (!isApprovable(ended) || ended.run.landings.length > 0) break;
    found.push(ended);
  }
  return found;
}

function waitsForApproval(run: Run): boolean {
  return attentionItems(run).some(({ kind }) => kind === 'verdict' || kind === 'plan');
}

function severalApprovals(candidates: readonly KnownRun[]): OperatorError {
  const lines = candidates.map(({ run }) => {
    const state = run.outcome === null ? 'waits for you' : outcomeWord(run, run.outcome.outcome);
    return `  untildone approve ${run.id}  ${state}: ${shortened(run.config.goal, 60)}`;
  });
  return new OperatorError(
    'several-runs',
    `Several runs can be approved:\n${lines.join('\n')}`,
    'Use one of these commands.',
  );
}

export async function approveRun(
  site: Site,
  known: KnownRun,
  { tree, isJson }: RunApproval,
): Promise<number> {
  const { id, tip } = known.run;
  await refuseCleaned(site, known.run, 'its branch and files were removed, so it cannot be approved');
  const done = tip?.tree ?? '';
  if (tree !== undefined && !done.startsWith(tree))
    throw new OperatorError(
      'work-has-changed',
      `The work of run ${id} is tree ${done.slice(0, 10)}, not ${tree}.`,
      `Review it again: untildone show ${id}`,
    );
  await sendQuietly(site, known, { kind: 'approve-run', tree: done });
  if (isJson) printJsonLine({ type: 'run', runId: id, isResumed: true, isApproved: true });
  else
    print(`Approved: the work of run ${id}, on tree ${done.slice(0, 10)}. The final acceptance runs again.`);
  return driveHere(site, id, { isJson });
}
