// What a failed check printed about its failure, in one line: "exit 1" tells a person nothing.
import { failureWords } from '#kernel/model/shown-output.ts';
import { refusalOf } from '#kernel/proof/proof.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { CriterionView } from '#views/status/criteria.ts';
import { criteriaOf } from '#views/status/criteria.ts';

/** '' where it printed nothing, where its own verdict was a pass, and for a held-out check. */
export function ownWords(run: Run, { taskId, id, tree, place, state }: CriterionView): string {
  const task = run.tasks.get(taskId);
  const isHidden = task?.spec.criteria.find((one) => one.id === id)?.check.kind === 'held-out';
  if (state !== 'fail' || isHidden) return '';
  const known = task?.evidence.get(id);
  const seen = [known?.acceptance, known?.attempt].find((one) => one?.tree === tree && one?.place === place);
  return seen === undefined || refusalOf(seen) !== undefined ? '' : failureWords(seen);
}

/** The recorded reason with the words of the first check that it names, unless it has them already. */
export function reasonWithWords(run: Run, reason: string): string {
  for (const one of criteriaOf(run)) {
    const named = `${one.id}: ${one.reason ?? ''}`;
    const words = reason.includes(named) ? ownWords(run, one) : '';
    if (words === '') continue;
    return reason.includes(words) ? reason : reason.replace(named, () => `${named}: ${words}`);
  }
  return reason;
}
