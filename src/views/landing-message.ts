// The message of a commit that lands a run: what it is, what was looked at, and the trailers by which it is found again.
import { landingSubject, taskCommitMessage } from '#kernel/model/commit-message.ts';
import type { Run } from '#kernel/run.ts';
import { criteriaOf } from './criteria.ts';
import { isAcceptedOnReview } from './proof.ts';
import { shortened } from './words.ts';

export interface LandingWords {
  readonly branch: string;
  readonly mode: 'ff' | 'merge' | 'squash';
  readonly isUnproven: boolean;
}

/** More would bury the trailers; the statement has all. */
const criteriaMax = 20;

export function landingTitle(run: Run): string {
  const tasks = [...run.tasks.values()].filter((task) => task.commit !== null);
  const [only] = tasks;
  if (tasks.length !== 1 || only === undefined) {
    const goal = shortened(run.config.goal, 72);
    return landingSubject(run, goal) ?? goal;
  }
  const { id, title } = only.spec;
  if (run.config.commit === undefined) return shortened(title, 72);
  return taskCommitMessage(run, { id, title: shortened(title, 72) }, 'feat').split('\n')[0] ?? '';
}

export function landingMessage(run: Run, { branch, mode, isUnproven }: LandingWords): string {
  const title = mode === 'squash' ? landingTitle(run) : `Merge ${run.config.repo.branch} into ${branch}`;
  const criteria = criteriaOf(run).filter((one) => one.state === 'pass');
  const lines = criteria.slice(0, criteriaMax).map((one) => `- ${shortened(one.text, 100)}`);
  const more = criteria.length > criteriaMax ? [`- and ${criteria.length - criteriaMax} more`] : [];
  const head = isAcceptedOnReview(run) ? "Accepted on a reviewer's pass:" : 'Proven:';
  const proven = isUnproven ? ['Landed without proof.'] : [head, ...lines, ...more];
  const body = mode === 'squash' ? [] : [landingTitle(run), ''];
  return [title, '', ...body, ...proven, '', `Untildone-Run: ${run.id}`, ''].join('\n');
}
