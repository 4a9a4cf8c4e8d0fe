import { isChoiceDue } from '#kernel/decide/settle-choice.ts';
import type { Run } from '#kernel/run.ts';
import { loopTask } from '#views/actions/loop-state.ts';
import { canShowMenu } from '#surfaces/cli/screen/can-show-menu.ts';

/** Whether a person at this terminal chooses what comes next. */
export function isMenuDue(run: Run): boolean {
  const task = loopTask(run);
  if (task === null || !isChoiceDue(run, task)) return false;
  return canShowMenu({ input: process.stdin, output: process.stdout, env: process.env });
}
