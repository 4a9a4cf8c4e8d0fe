// Takes the tree of the files that a session left, if the session's host could not.
import { errorText } from '#base/error-text.ts';
import { isStorageTrouble } from '#adapters/git/repo/storage-trouble.ts';
import { withoutFullStop } from '#base/without-full-stop.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { SessionStep } from '#ports/sessions.ts';
import type { Workspace } from '#ports/workspace.ts';
import { reviewerOf } from '#runtime/steps/session-place.ts';

export type TakeTree = (step: SessionStep) => Promise<string | null>;

/** Contract: rejects if the files cannot be taken; null if a reviewer's checkout is gone. */
export function createTakeTree(workspace: Workspace): TakeTree {
  return async (step) => {
    const { readOnly } = step.deed;
    const tree = readOnly ? await workspace.reviewTree(reviewerOf(step)) : await workspace.snapshot();
    if (tree !== null) await workspace.keep(tree, `${step.stepId}/end`);
    return tree;
  };
}

/** Only a failing disk and a killed git are worth a retry; unreadable files of a session fail its attempt. */
export function orUnreadable(takeTree: TakeTree, onNote: (text: string) => void): TakeTree {
  return (step) =>
    takeTree(step).catch((error: unknown) => {
      const why = errorText(error);
      if (isStorageTrouble(error))
        throw new OperatorError(
          'tree-not-stored',
          `The session ${step.stepId} has ended, but its files could not be stored: ${withoutFullStop(why)}.`,
          `${error instanceof OperatorError ? error.hint : 'Repair that disk, then start again.'} The session is kept: its work is stored then, and it does not run again.`,
        );
      onNote(`The files that the session ${step.stepId} left could not be read: ${why}`);
      return null;
    });
}
