// The branch and the refs of a fork: what the old run kept and the fork needs gets names of the fork's own, so that cleaning
// the old run takes nothing away from it.
import { type Git, gitFailed } from '#adapters/git/repo/git.ts';
import { branchOf, keptRef, hasObject } from './refs.ts';
import { keptRefs } from './run-refs.ts';

export interface ForkRefs {
  readonly from: string;
  readonly to: string;
  /** Where the branch of the fork begins. */
  readonly commit: string;
  /** How many steps of the old run the fork has: what those kept is copied. */
  readonly steps: number;
  /** Trees that the fork goes on from, whether or not the old run still has a ref on them. */
  readonly trees: readonly string[];
}

/** Contract: changes nothing. The first object that the fork needs and the repository no longer has; null when all are there. */
export async function missingObject(
  git: Git,
  gitDir: string,
  { commit, trees }: Pick<ForkRefs, 'commit' | 'trees'>,
): Promise<string | null> {
  const asked = [`${commit}^{commit}`, ...trees.map((tree) => `${tree}^{tree}`)];
  for (const name of asked) if (!(await hasObject(git, gitDir, name))) return name.replace(/\^.*/, '');
  return null;
}

/** Contract: makes all of them or rejects. The mark stays until `finishFork`: a fork that was killed is found by it. */
export async function makeForkRefs(git: Git, gitDir: string, fork: ForkRefs): Promise<void> {
  const { from, to, commit, steps, trees } = fork;
  const kept = (await keptRefs(git, gitDir, from)).filter(({ ref }) => stepNumberOf(ref) <= steps);
  const held = new Set(kept.map(({ object }) => object));
  const wanted: (readonly [ref: string, object: string])[] = [
    [markOf(to), commit],
    [`refs/heads/${branchOf(to)}`, commit],
    ...kept.map(({ ref, object }) => [`${keptRef(to)}${ref.slice(keptRef(from).length)}`, object] as const),
    ...trees.filter((tree) => !held.has(tree)).map((tree) => [keptRef(to, 'forked', tree), tree] as const),
  ];
  const input = wanted.map(([ref, object]) => `create ${ref} ${object}\n`).join('');
  const args = ['update-ref', '-m', `untildone: forked from ${from}`, '--stdin'];
  const answer = await git.ask(args, { gitDir, input });
  if (answer.code !== 0) throw gitFailed(['update-ref'], answer);
}

/** Of `refs/untildone/RUN/0003-builder-main/end` and `refs/untildone/RUN/commit/0008-commit-main`; infinite where a ref names no step. */
function stepNumberOf(ref: string): number {
  const segments = ref.split('/').slice(3);
  const [, number] = segments.map((name) => /^(\d{4,})-/.exec(name)).find((match) => match !== null) ?? [];
  return number === undefined ? Infinity : Number(number);
}

export async function finishFork(git: Git, gitDir: string, runId: string): Promise<void> {
  await git.ask(['update-ref', '-d', markOf(runId)], { gitDir });
}

/** The ids of forks that are being made, or were killed while they were. */
export async function unfinishedForks(git: Git, gitDir: string): Promise<string[]> {
  const listed = await git.tell(['for-each-ref', '--format=%(refname)', 'refs/untildone/*/forking'], {
    gitDir,
  });
  return listed.split('\n').flatMap((ref) => ref.split('/')[2] ?? []);
}

function markOf(runId: string): string {
  return keptRef(runId, 'forking');
}
