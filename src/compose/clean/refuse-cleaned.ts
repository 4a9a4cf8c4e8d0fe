import type { Run } from '#kernel/run.ts';
import { OperatorError } from '#ports/operator-error.ts';
import { utcMinute } from '#views/words.ts';

/** `what`: what is gone and was needed, as in "its logs are gone". */
export function refuseCleaned(run: Run, what: string): void {
  if (run.cleaned === null) return;
  const [landed] = run.landings;
  throw new OperatorError(
    'run-cleaned',
    `The run ${run.id} was cleaned by ${run.cleaned.by} on ${utcMinute(run.cleaned.at)}: ${what}.`,
    landed === undefined
      ? `What it did is still told: untildone show ${run.id}`
      : `Its work is on ${landed.target}, with its statement beside it: untildone verify ${landed.commit.slice(0, 12)}`,
  );
}
