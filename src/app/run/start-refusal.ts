// Finds why no run can start in this folder, without making one. For `doctor` and `init`.
import { refuseReadOnly, whyReadOnly } from '#adapters/store/writable.ts';
import { checkStart } from '#adapters/git/repo/check-start.ts';
import { findRepository } from '#adapters/git/repo/repository.ts';
import { asOperatorError, type OperatorError } from '#base/operator-error.ts';
import type { Site } from '#app/site.ts';

type Place = Pick<Site, 'cwd' | 'env'>;

/** Why `run` refuses every goal here; null if it starts. */
export async function startRefusal({ cwd, env }: Place): Promise<OperatorError | null> {
  try {
    const repository = await findRepository(cwd, env);
    await refuseReadOnly(repository.commonDir);
    await checkStart({ repository, env, inPlace: false, branch: '', baseCommit: repository.head.commit });
    return null;
  } catch (error) {
    return asOperatorError(error);
  }
}

/** Like `startRefusal`, without testing git's signature, which may ask for a password. */
export async function placeRefusal({ cwd, env }: Place): Promise<OperatorError | null> {
  return findRepository(cwd, env).then(() => null, asOperatorError);
}

/** Why no branch and no commit can be written to this repository, without a full stop; null if they can. */
export async function readOnlyReason({ commonDir }: Site): Promise<string | null> {
  return whyReadOnly(commonDir);
}
