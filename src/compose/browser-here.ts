// A page that nobody could look at would cost every attempt: it is said before anything is spent.
import { findBrowser } from '#adapters/checkers/find-browser.ts';
import type { Task } from '#kernel/task.ts';
import { OperatorError } from '#ports/operator-error.ts';
import type { Site } from './site.ts';

export function refuseWithoutBrowser({ ownEnv }: Site, tasks: readonly Task[]): void {
  const criteria = tasks.flatMap((task) => task.criteria);
  const page = criteria.find(({ check, required }) => required && check.kind === 'browser');
  if (page === undefined) return;
  const found = findBrowser(ownEnv, ownEnv['CHROME_PATH'] ?? null);
  if (!('problem' in found)) return;
  const [problem = '', remedy = 'see `untildone doctor`'] = found.problem.split(': ');
  throw new OperatorError(
    'no-browser',
    `The check "${page.id}" looks at a page, and nobody can here: ${problem}.`,
    `Say "required": false, or: ${remedy}`,
  );
}
