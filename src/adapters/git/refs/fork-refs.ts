// Makes the branch and refs of a fork. Objects of the old run get the fork's own refs, so that cleaning the
// old run removes nothing from the fork.
import { type Git, gitFailed } from '#adapters/git/repo/git.ts';
import { branchOf, keptRef, hasObject } from './refs.ts';
import { keptRefs } from './run-refs.ts';

export interface ForkRefs {
  readonly from: string;
  readonly to: string;
  /** Where the branch of the fork begins. */
  readonly commit: string;
  /** How many steps of the old run the fork has; their kept objects are copied. */
  readonly steps: number;
  /** Trees from which the fork continues, whether or not the old run still has a ref to them. */
  readonly trees: readonly string[];
}

/** The first object that the fork needs and the repository lacks, or null. Contract: changes nothing. */
export async function missingObject(
  git: Git,
  gitDir: string,
  { commit, trees }: Pick<ForkRefs, 'commit' | 'trees'>,
): Promise<string | null> {
  const asked = [`${commit}^{commit}`, ...trees.map((tree) => `${tree}^{tree}`)];
  for (const name of asked) if (!(await hasObject(git, gitDir, name))) return name.replace(/\^.*/, '');
  return null;
}

/** Contract: makes all refs or rejects. A mark stays until `finishFork`, to find a killed fork. */
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

/** The number in `RUN/0003-builder-main/end` or `RUN/commit/0008-commit-main`; infinite if there is none. */
function stepNumberOf(ref: string): number {
  const segments = ref.split('/').slice(3);
  const [, number] = segments.map((name) => /^(\d{4,})-/.exec(name)).find((match) => match !== null) ?? [];
  return number === undefined ? Infinity : Number(number);
}

export async function finishFork(git: Git, gitDir: string, runId: string): Promise<void> {
  await git.ask(['update-ref', '-d', markOf(runId)], { gitDir });
}

/** Ids of forks that are in progress or were killed. */
export async function unfinishedForks(git: Git, gitDir: string): Promise<string[]> {
  const listed = await git.tell(['for-each-ref', '--format=%(refname)', 'refs/untildone/*/forking'], {
    gitDir,
  });
  return listed.split('\n').flatMap((ref) => ref.split('/')[2] ?? []);
}

function markOf(runId: string): string {
  return keptRef(runId, 'forking');
}
