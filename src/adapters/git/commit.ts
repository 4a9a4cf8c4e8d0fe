// Commits exactly the proven tree. After a crash, the repeated step recognizes its earlier commit.
import type { CommitOrder } from '#ports/workspace.ts';
import { type Git, gitFailed, reading } from '#adapters/git/repo/git.ts';
import { isSigning } from '#adapters/git/repo/identity.ts';
import { keepObject, keptRef, readRef, readRefs, updateRef } from '#adapters/git/refs/refs.ts';

export interface CommitGround {
  readonly git: Git;
  readonly commonDir: string;
  readonly branch: string;
  readonly runId: string;
}

export type Committed = { readonly commit: string } | { readonly refused: string; readonly hint: string };

export async function commitTree(ground: CommitGround, order: CommitOrder): Promise<Committed> {
  const { git, commonDir, branch, runId } = ground;
  const ref = `refs/heads/${branch}`;
  const kept = keptRef(runId, 'commit', order.stepId);
  const present = await readRefs(git, commonDir, [ref, kept]);
  const tip = present.get(ref) ?? null;
  // The parent itself cannot be the commit that was made on it.
  const isElsewhere = tip !== order.parent;
  if (tip !== null && isElsewhere && (await isOwn(ground, order, tip))) return { commit: tip };
  if (isElsewhere) return elsewhere(branch, tip, order.parent);
  const isFirst = !present.has(kept);
  const commit = isFirst ? await newCommit(ground, order) : await makeCommit(ground, order);
  const message = `untildone: ${order.stepId}`;
  if (isFirst) {
    const input = `create ${kept} ${commit}\nupdate ${ref} ${commit} ${order.parent}\n`;
    const both = await git.ask(['update-ref', '-m', message, '--stdin'], { gitDir: commonDir, input });
    if (both.code === 0) return { commit };
    // One by one: the commit is kept wherever the branch is, and the lock of a killed git is removed.
    await keepObject(git, commonDir, kept, commit);
  }
  const moved = await updateRef(git, commonDir, ['-m', message, ref, commit, order.parent]);
  if (moved.code === 0) return { commit };
  const now = await readRef(git, commonDir, ref);
  if (now !== order.parent) return elsewhere(branch, now, order.parent);
  throw gitFailed(['update-ref'], moved);
}

/** Makes the commit and keeps it under a ref without moving the branch; reuses an earlier one. */
export async function makeCommit(ground: CommitGround, order: CommitOrder): Promise<string> {
  const { git, commonDir, runId } = ground;
  const ref = keptRef(runId, 'commit', order.stepId);
  const earlier = await readRef(git, commonDir, ref);
  if (earlier !== null && (await isOwn(ground, order, earlier))) return earlier;
  const commit = await newCommit(ground, order);
  await keepObject(git, commonDir, ref, commit);
  return commit;
}

async function newCommit({ git, commonDir }: CommitGround, order: CommitOrder): Promise<string> {
  const sign = (await isSigning(git, { gitDir: commonDir })) ? ['-S'] : [];
  const args = ['commit-tree', ...sign, order.tree, '-p', order.parent, '-F', '-'];
  return git.tell(args, { gitDir: commonDir, input: withTrailer(order) });
}

/** Compares trailer, tree and parent: anyone can write a trailer. */
async function isOwn({ git, commonDir }: CommitGround, order: CommitOrder, commit: string): Promise<boolean> {
  const format = '%T%x00%P%x00%(trailers:key=Untildone-Step,valueonly)';
  const args = ['log', '-1', '--no-show-signature', `--format=${format}`, commit];
  const [tree, parents, steps = ''] = (await git.tell(args, { gitDir: commonDir, ...reading })).split('\0');
  return tree === order.tree && parents === order.parent && steps.trim().split('\n').includes(order.stepId);
}

function withTrailer({ message, stepId }: CommitOrder): string {
  const text = message.trim();
  const last = text.split(/\n\s*\n/).at(-1) ?? '';
  const hasTrailers =
    text.includes('\n\n') && last.split('\n').every((line) => /^[A-Za-z0-9-]+: \S/.test(line));
  return `${text}${hasTrailers ? '\n' : '\n\n'}Untildone-Step: ${stepId}\n`;
}

function elsewhere(branch: string, tip: string | null, parent: string): Committed {
  const where = tip === null ? 'is gone' : `is at ${tip.slice(0, 12)}`;
  return {
    refused: `The branch ${branch} ${where}; the work was proven on ${parent.slice(0, 12)}.`,
    hint: `If its current commit is not needed, restore it with \`git update-ref refs/heads/${branch} ${parent}\` and resume.`,
  };
}
