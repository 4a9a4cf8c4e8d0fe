import { present } from '#base/assert.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { ActionSettings } from '#kernel/actions/action.ts';

export const defaultActions: Pick<ActionSettings, 'mode' | 'turnTimeoutMs'> = {
  mode: 'auto',
  // A turn is one action; an agent that needs longer should report and continue in the next.
  turnTimeoutMs: 10 * 60_000,
};

/** Agent turns with a result; a task that needs more in one conversation is too large. */
export const defaultIterations = 10;

/** Sessions in a row without a usable result; then a person is asked. */
export const troublesMax = 3;

export function actionsOf(run: Run): ActionSettings {
  return present(run.config.policy.actions, 'a run of the action loop has its settings');
}
