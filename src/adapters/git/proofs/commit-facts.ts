// Reads tree, parents and run trailers of a commit.
import { type Git, reading } from '#adapters/git/repo/git.ts';

export interface CommitFacts {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** Runs that its trailers name, newest last. */
  readonly runIds: readonly string[];
}

/** Null when the repository has no such commit. */
export async function commitFacts(git: Git, gitDir: string, name: string): Promise<CommitFacts | null> {
  const found = await git.ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], {
    gitDir,
    ...reading,
  });
  if (found.code !== 0) return null;
  const format = '%H%x00%T%x00%P%x00%(trailers:key=Untildone-Run,valueonly)';
  const args = ['log', '-1', '--no-show-signature', `--format=${format}`, found.stdout.trim()];
  const fields = (await git.tell(args, { gitDir, ...reading })).split('\0');
  const [commit = '', tree = '', parents = '', runs = ''] = fields;
  const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
  return { commit, tree, parents: words(parents), runIds: words(runs) };
}
