// Finds the proof that is meant: of a run kept here, or of a commit, by its trailers and its note.
import type { Attestation } from '#adapters/git/proofs/attestation.ts';
import type { CommitFacts } from '#adapters/git/proofs/commit-facts.ts';
import type { Git } from '#adapters/git/repo/git.ts';
import { replay } from '#kernel/fold/apply.ts';
import { present } from '#base/assert.ts';
import type { Pin } from '#kernel/model/criterion.ts';
import { goalsOf } from '#kernel/proof/goals.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { loadRun, openStore, type Site } from '#app/site.ts';
import { gitOf } from '#app/git-of.ts';
import { refuseCleaned } from '#app/clean/refuse-cleaned.ts';
import type { CommittedTree } from '#kernel/model/base.ts';

export interface Proof {
  readonly source: 'journal' | 'note';
  /** A separate copy; its tip is the subject. */
  readonly run: Run;
  readonly subject: CommittedTree;
  /**
   * `same`: the tree that was proven. `landed`: exactly the merge of the proven commit into its first parent.
   * `other`: something else.
   */
  readonly relation: 'same' | 'landed' | 'other';
  /** The commit that the run itself made, and the commit it was merged into. */
  readonly proven: string;
  readonly onto: string | null;
  readonly attestation: Attestation | null;
  readonly remarks: readonly string[];
}

export async function findProof(site: Site, name: string): Promise<Proof> {
  const git = await gitOf(site);
  const runIds = await openStore(site).list();
  const matching = runIds.includes(name) ? [name] : runIds.filter((id) => id.startsWith(name));
  if (matching.length > 1)
    throw new OperatorError('no-run', `"${name}" matches ${matching.join(' and ')}.`, 'Give more of its id.');
  const [runId] = matching;
  if (runId !== undefined) return proofOfRun(site, git, runId);
  const { commitFacts } = await import('#adapters/git/proofs/commit-facts.ts');
  const facts = await commitFacts(git, site.commonDir, name);
  if (facts === null)
    throw new OperatorError(
      'no-proof',
      `There is no run and no commit "${name}" here.`,
      '`untildone list` shows the runs of this repository.',
    );
  const known = facts.runIds.findLast((id) => runIds.includes(id));
  return known === undefined || (await isConfirmedByNote(site, git, known, facts))
    ? proofOfNote(site, git, facts)
    : proofOfCommit(site, git, known, facts);
}

/** For a cleaned run, the commit's statement is used, as on a machine that never had the run. */
async function isConfirmedByNote(site: Site, git: Git, runId: string, facts: CommitFacts): Promise<boolean> {
  const { run } = await loadRun(site, runId);
  return run.cleaned !== null && (await attestationOf(site, git, facts, facts.runIds)) !== null;
}

async function proofOfRun(site: Site, git: Git, runId: string): Promise<Proof> {
  const { ends, remarks } = await readRun(site, runId);
  const run = newest(ends);
  const tip = provenTip(run);
  const { commitFacts } = await import('#adapters/git/proofs/commit-facts.ts');
  const facts = await commitFacts(git, site.commonDir, tip.commit);
  if (facts === null) {
    await refuseCleaned(site, run, `its commit ${tip.commit.slice(0, 12)} is missing`);
    throw new OperatorError(
      'commit-missing',
      `The commit ${tip.commit.slice(0, 12)} of the run ${run.id} is no longer in this repository.`,
      'Fetch it from where it was pushed to.',
    );
  }
  const moved = await movedBranch(git, site, run, tip.commit);
  return related(site, git, { run, tip, facts, remarks: [...remarks, ...moved] });
}

async function proofOfCommit(site: Site, git: Git, runId: string, facts: CommitFacts): Promise<Proof> {
  const { ends, remarks } = await readRun(site, runId);
  const run = (await endAt(site, git, ends, facts)) ?? newest(ends);
  return related(site, git, {
    run,
    tip: provenTip(run),
    facts,
    remarks: [...remarks, ...laterOn(ends, run)],
  });
}

/** For a reopened run, the end that made this commit; a completed end comes first. */
async function endAt(site: Site, git: Git, ends: readonly Run[], facts: CommitFacts): Promise<Run | null> {
  let found: Run | null = null;
  for (const run of ends.length < 2 ? [] : ends) {
    if (run.outcome === null || run.tip === null) continue;
    if ((await relationOf(site, git, run.tip, facts)) === 'other') continue;
    if (found?.outcome?.outcome !== 'completed' || run.outcome.outcome === 'completed') found = run;
  }
  return found;
}

function laterOn(ends: readonly Run[], run: Run): string[] {
  const last = newest(ends);
  if (last === run) return [];
  const now = last.outcome === null ? 'and has not ended' : `and ended as ${last.outcome.outcome}`;
  return [`The run was reopened after this, ${now}.`];
}

function newest(ends: readonly Run[]): Run {
  return present(ends.at(-1), 'a run has a newest state');
}

interface Related {
  readonly run: Run;
  readonly tip: CommittedTree;
  readonly facts: CommitFacts;
  readonly remarks: readonly string[];
}

/** Compares git objects to decide whether the commit is what was proven, and trusts no claim about it. */
async function related(site: Site, git: Git, { run, tip, facts, remarks }: Related): Promise<Proof> {
  const relation = await relationOf(site, git, tip, facts);
  const subject = { commit: facts.commit, tree: facts.tree };
  const isAmended = relation === 'same' && facts.commit !== tip.commit;
  const more = isAmended ? [`It is another commit than the one that was proven, with the same files.`] : [];
  run.tip = subject;
  const onto = relation === 'landed' ? (facts.parents[0] ?? null) : null;
  if (onto !== null && run.base !== null)
    run.base = { ...run.base, pins: await pinsOf(site, git, run, onto) };
  const attestation = await attestationOf(site, git, subject, [run.id]);
  return {
    source: 'journal',
    run,
    subject,
    relation,
    proven: tip.commit,
    onto,
    attestation,
    remarks: [...remarks, ...more],
  };
}

async function relationOf(
  site: Site,
  git: Git,
  tip: CommittedTree,
  facts: CommitFacts,
): Promise<Proof['relation']> {
  if (facts.tree === tip.tree) return 'same';
  const [parent] = facts.parents;
  if (facts.commit === tip.commit || parent === undefined) return 'other';
  const { mergeTrees } = await import('#adapters/git/landing/merge-trees.ts');
  const merged = await mergeTrees(git, site.commonDir, parent, tip.commit);
  return merged.kind === 'clean' && merged.tree === facts.tree ? 'landed' : 'other';
}

async function proofOfNote(site: Site, git: Git, facts: CommitFacts): Promise<Proof> {
  const attestation = await attestationOf(site, git, facts, facts.runIds);
  if (attestation === null) throw noProof(facts);
  const { runOfStatement } = await import('#adapters/git/proofs/restore-run.ts');
  const { statement } = attestation;
  const { base, landed } = statement.predicate.untildone;
  const subject = { commit: facts.commit, tree: facts.tree };
  const bare = runOfStatement(statement, subject, []);
  const pins = await pinsOf(site, git, bare, landed?.onto ?? base.commit);
  return {
    source: 'note',
    run: runOfStatement(statement, subject, pins),
    subject,
    relation: landed === null ? 'same' : 'landed',
    proven: landed?.commit ?? facts.commit,
    onto: landed?.onto ?? null,
    attestation,
    remarks: [],
  };
}

/** The newest statement in the commit's note about exactly this commit and tree; one of these runs comes first. */
async function attestationOf(
  site: Site,
  git: Git,
  { commit, tree }: CommittedTree,
  runIds: readonly string[],
): Promise<Attestation | null> {
  const { readNote } = await import('#adapters/git/proofs/notes.ts');
  const { readAttestations } = await import('#adapters/git/proofs/attestation.ts');
  const { found } = readAttestations(await readNote(git, site.commonDir, commit));
  const isAboutIt = ({ statement: { subject } }: Attestation): boolean =>
    subject.some(({ digest }) => digest['gitCommit'] === commit) &&
    subject.some(({ digest }) => digest['gitTree'] === tree);
  const about = found.filter(isAboutIt);
  // A fork proves the commit that it shares with the old run, and adds its own statement.
  const own = about.findLast(({ statement }) => runIds.includes(statement.predicate.untildone.run.id));
  return own ?? about.at(-1) ?? null;
}

/** The pins of the checks, read from `commit` itself: no recorded list is trusted. */
export async function pinsOf(site: Site, git: Git, run: Run, commit: string): Promise<Pin[]> {
  const { computePins } = await import('#adapters/git/pins/pins.ts');
  const criteria = [...run.tasks.values()].flatMap((task) => task.spec.criteria);
  const ground = { git, gitDir: site.commonDir, prefix: run.config.repo.prefix, base: commit };
  return computePins(ground, criteria, goalsOf(run)).catch(() => {
    throw new OperatorError(
      'base-missing',
      `The commit ${commit.slice(0, 12)} that the work was based on is not in this repository.`,
      'Fetch it; a shallow clone needs `git fetch --unshallow`.',
    );
  });
}

/** The run as it was before each reopening, and as it is now. */
async function readRun(
  site: Site,
  runId: string,
): Promise<{ ends: readonly Run[]; remarks: readonly string[] }> {
  const { events, notes } = await openStore(site).read(runId);
  const earlier = events.flatMap(({ type }, at) =>
    type === 'run-reopened' ? [replay(events.slice(0, at))] : [],
  );
  return { ends: [...earlier, replay(events)], remarks: notes };
}

function provenTip(run: Run): CommittedTree {
  if (run.outcome === null)
    throw new OperatorError(
      'run-not-over',
      `Run ${run.id} has not ended${run.reopenings.length === 0 ? '' : ': it was reopened'}.`,
      `See its progress: untildone status ${run.id}`,
    );
  const hasCommit = [...run.tasks.values()].some((task) => task.commit !== null);
  if (run.tip !== null && hasCommit) return run.tip;
  throw new OperatorError(
    'nothing-proven',
    `The run ${run.id} ended as ${run.outcome.outcome} without a commit.`,
    `See its events: untildone show ${run.id}`,
  );
}

async function movedBranch(git: Git, site: Site, run: Run, commit: string): Promise<string[]> {
  const { readRef } = await import('#adapters/git/refs/refs.ts');
  const { branch } = run.config.repo;
  const now = await readRef(git, site.commonDir, `refs/heads/${branch}`);
  if (now === null || now === commit) return [];
  return [`The branch ${branch} has moved to ${now.slice(0, 12)}, which is not the proven commit.`];
}

function noProof({ commit, runIds }: CommitFacts): OperatorError {
  const [runId] = runIds;
  const short = commit.slice(0, 12);
  if (runId === undefined)
    return new OperatorError(
      'no-proof',
      `The commit ${short} names no run and has no statement.`,
      'Only commits of a run can be verified. `untildone list` shows the runs.',
    );
  return new OperatorError(
    'no-proof',
    `The run ${runId} that made ${short} is not kept on this machine, and the commit has no statement.`,
    'Fetch the notes: git fetch origin refs/notes/untildone:refs/notes/untildone',
  );
}
