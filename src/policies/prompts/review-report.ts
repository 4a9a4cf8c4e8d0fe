// The reviewers' findings for the next builder and for a person: their words, and what we reproduced.
import { shownOutput } from '#kernel/model/shown-output.ts';
import type { ReviewState } from '#kernel/fold/review.ts';
import { fencedOutput } from './render.ts';
import type { Blocker, Trial } from '#kernel/model/review.ts';

/** Enough for a stack trace; eight of them still leave room for the work. */
const tailMax = 2000;

export function reviewReport(reviews: readonly ReviewState[]): string {
  const isOne = reviews.length === 1;
  return reviews
    .map((review) => (isOne ? body(review) : `#### ${who(review)}\n\n${body(review)}`))
    .join('\n\n');
}

/** `security (codex, gpt-5)` */
export function who({ role, agent, result }: ReviewState): string {
  const model = result?.ran.model ?? agent.model;
  return `${role} (${agent.name}${model === null ? '' : `, ${model}`})`;
}

function body({ verdict, trials }: ReviewState): string {
  if (verdict === null) return '';
  const lines = verdict.blockers.map((blocker, index) => describeBlocker(blocker, trials[index] ?? null));
  return [verdict.text, lines.join('\n')].filter((part) => part !== '').join('\n\n');
}

function describeBlocker(blocker: Blocker, trial: Trial | null): string {
  const { severity, isSecurity, what, command } = blocker;
  const head = `- **${severity}${isSecurity ? ', security' : ''}**: ${what}`;
  if (command === null) return head;
  const result = trial === null ? 'not run by us' : `${trial.outcome} by us: ${trial.reason}`;
  const output =
    trial === null || trial.tail === '' || trial.outcome === 'not reproduced'
      ? ''
      : `\n${fencedOutput(shownOutput(trial, tailMax))}`;
  return `${head}\n  \`${command}\` (${result})${output}`;
}
