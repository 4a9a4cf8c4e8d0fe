// Checks everything that can refuse a run before anything is made: at its creation, and when it is prepared.
import { createGit, type Environment, type Git } from './git.ts';
import { checkIdentity } from './identity.ts';
import { checkInPlace } from './in-place.ts';
import type { Repository } from './repository.ts';

export interface StartOrder {
  readonly repository: Repository;
  readonly env: Environment;
  /** For these calls; by default a git of its own. */
  readonly git?: Git;
  readonly inPlace: boolean;
  readonly branch: string;
  readonly baseCommit: string;
}

/** Contract: changes nothing; rejects with an OperatorError. */
export async function checkStart({
  repository,
  env,
  git = createGit(repository.commonDir, env),
  inPlace,
  branch,
  baseCommit,
}: StartOrder): Promise<void> {
  await checkIdentity(git, { cwd: repository.root }, `${baseCommit}^{tree}`);
  if (inPlace) await checkInPlace({ git, repository, branch, baseCommit });
}
