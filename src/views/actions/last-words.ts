import type { TaskState } from '#kernel/fold/run.ts';
import { shortened } from '#views/words.ts';

/** How the last action ended, with its words; a completion that the clean checkout refused did not succeed. */
export function lastWords({ actions, failures }: TaskState): string {
  const last = actions.taken.at(-1);
  if (last === undefined) return '';
  if (last.status !== 'failed' && failures.last !== null)
    return `${last.action}: refused. ${shortened(failures.last.reason, lastLengthMax)}`;
  return `${last.action}: ${last.status}${last.message === '' ? '' : `. ${shortened(last.message, lastLengthMax)}`}`;
}

/** A question of an agent is read as a whole. */
const lastLengthMax = 1500;
