// The message of a commit that lands a run: its subject, the criteria, and the trailers that identify it.
import { landingSubject, taskCommitMessage } from '#kernel/proof/commit-message.ts';
import type { Run } from '#kernel/fold/run.ts';
import { criteriaOf } from '#views/status/criteria.ts';
import { isAcceptedOnReview } from './proof.ts';
import { shortened } from '#views/words.ts';

export interface LandingWords {
  readonly branch: string;
  readonly mode: 'ff' | 'merge' | 'squash';
  readonly isUnproven: boolean;
}

/** More would bury the trailers; the statement has all. */
const criteriaMax = 20;

const titleMax = 72;

export function landingTitle(run: Run): string {
  const tasks = [...run.tasks.values()].flatMap(({ commit, spec }) => (commit === null ? [] : [spec]));
  const [only] = tasks;
  if (tasks.length === 1 && only !== undefined) {
    const { id, title } = only;
    return taskCommitMessage(run, { id, title: shortened(title, titleMax) }, 'feat').split('\n')[0] ?? '';
  }
  // A run that plans has a goal. Several tasks without a plan come from a file, whose path says nothing.
  const isGoal = tasks.length === 0 || run.config.policy.planning !== undefined;
  return landingSubject(run, isGoal ? shortened(run.config.goal, titleMax) : titlesInOneLine(tasks));
}

function titlesInOneLine(tasks: readonly { readonly title: string }[]): string {
  const more = (shown: number): string => (shown === tasks.length ? '' : ` and ${tasks.length - shown} more`);
  for (let shown = tasks.length; shown > 1; shown -= 1) {
    const titles = tasks.slice(0, shown).map(({ title }) => shortened(title, titleMax));
    const line = `${titles.join(', ')}${more(shown)}`;
    if (line.length <= titleMax) return line;
  }
  return `${shortened(tasks[0]?.title ?? '', titleMax - more(1).length)}${more(1)}`;
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
