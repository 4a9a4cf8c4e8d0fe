// Shortens the output of a failed check to one line: "exit 1" alone does not help a person.
import { failureWords } from '#kernel/model/shown-output.ts';
import { refusalOf } from '#kernel/proof/proof.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { CriterionView } from '#views/status/criteria.ts';
import { criteriaOf, evidenceFor } from '#views/status/criteria.ts';

/** '' if it printed nothing, if its own verdict was a pass, and for a held-out check. */
export function ownWords(run: Run, view: CriterionView): string {
  const criteria = run.tasks.get(view.taskId)?.spec.criteria ?? [];
  const isHidden = criteria.find(({ id }) => id === view.id)?.check.kind === 'held-out';
  if (view.state !== 'fail' || isHidden) return '';
  const evidence = evidenceFor(run, view);
  return evidence === undefined || refusalOf(evidence) !== undefined ? '' : failureWords(evidence);
}

/** The recorded reason with the output of the first check that it names, unless it contains that already. */
export function reasonWithWords(run: Run, reason: string): string {
  for (const one of criteriaOf(run)) {
    const named = `${one.id}: ${one.reason ?? ''}`;
    const words = reason.includes(named) ? ownWords(run, one) : '';
    if (words === '') continue;
    return reason.includes(words) ? reason : reason.replace(named, () => `${named}: ${words}`);
  }
  return reason;
}
