import { gitOf } from '#app/git-of.ts';
import type { Site } from '#app/site.ts';
import type { Run } from '#kernel/fold/run.ts';
import { OperatorError } from '#base/operator-error.ts';
import { utcMinute } from '#views/words.ts';
import type { LandedWork } from '#kernel/events/after-end-facts.ts';

/** `what`: the missing part that was needed, as in "its logs were removed". */
export async function refuseCleaned(site: Site, run: Run, what: string): Promise<void> {
  if (run.cleaned === null) return;
  throw new OperatorError(
    'run-cleaned',
    `The run ${run.id} was cleaned by ${run.cleaned.by} on ${utcMinute(run.cleaned.at)}: ${what}.`,
    await hintOf(site, run),
  );
}

/** Names only what exists: the user may have undone the landing, and work without proof has no statement. */
async function hintOf(site: Site, { id, landings }: Run): Promise<string> {
  const show = `See what it did: untildone show ${id}`;
  const found = await Promise.all(landings.map((landed) => findLanded(site, landed)));
  const [landed] = found.filter(({ isOnBranch }) => isOnBranch);
  if (landed === undefined) return show;
  const { target, commit } = landed;
  return landed.hasStatement
    ? `Its work is on ${target}, with its statement beside it: untildone verify ${commit.slice(0, 12)}`
    : `Its work is on ${target} at ${commit.slice(0, 12)}. ${show}`;
}

interface Landed extends Pick<LandedWork, 'target' | 'commit'> {
  readonly isOnBranch: boolean;
  readonly hasStatement: boolean;
}

async function findLanded(site: Site, { target, commit }: LandedWork): Promise<Landed> {
  const { readNote } = await import('#adapters/git/proofs/notes.ts');
  const { readAttestations } = await import('#adapters/git/proofs/attestation.ts');
  const { commonDir } = site;
  const git = await gitOf(site);
  const args = ['merge-base', '--is-ancestor', commit, `refs/heads/${target}`];
  const isOnBranch = (await git.ask(args, { gitDir: commonDir })).code === 0;
  const { found } = readAttestations(await readNote(git, commonDir, commit));
  const subjects = found.flatMap(({ statement }) => statement.subject);
  const hasStatement = subjects.some(({ digest }) => digest['gitCommit'] === commit);
  return { target, commit, isOnBranch, hasStatement };
}
