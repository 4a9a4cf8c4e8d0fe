// Chooses the next action. The agent's wish counts where it is legal; our checks decide everything else.
import { beganWith } from '#kernel/proof/checkpoint.ts';
import type { ActionName, ActionWish } from '#kernel/actions/action.ts';
import { isAgentAction } from '#kernel/actions/action.ts';
import type { Run, TaskState } from '#kernel/fold/run.ts';
import { tasksOf } from '#kernel/actions/action-state.ts';

/** Actions allowed in auto mode and as the agent's wish; a person may also validate the same files again. */
export function legalActions(run: Run, task: TaskState): readonly ActionName[] {
  if (!task.actions.isInitialised) return ['INIT'];
  const validation = validatedNow(task);
  if (validation !== null)
    return validation.isGreen ? ['COMPLETE', 'DEVELOP', 'DEBUG'] : ['DEVELOP', 'DEBUG'];
  return isUntouched(run, task) ? ['DEVELOP', 'DEBUG'] : ['DEVELOP', 'DEBUG', 'VALIDATE'];
}

export function nextAction(run: Run, task: TaskState): ActionName {
  const { actions } = task;
  const last = actions.taken.at(-1);
  if (!actions.isInitialised || last === undefined) return 'INIT';
  if (!isAgentAction(last.action)) return afterOurs(task);
  if (last.status === 'needs_input') return last.action;
  if (last.status === 'failed') return last.action === 'DEBUG' ? 'DEVELOP' : 'DEBUG';
  return wished(run, task, last.next) ?? unasked(run, task);
}

/** After VALIDATE or a refused COMPLETE, the checks of the current files decide. */
function afterOurs(task: TaskState): ActionName {
  return validatedNow(task)?.isGreen === true ? 'COMPLETE' : 'DEBUG';
}

function wished(run: Run, task: TaskState, wish: ActionWish): ActionName | null {
  const legal = legalActions(run, task);
  const name = wish === 'COMPLETED' ? 'COMPLETE' : wish;
  const found = legal.find((one) => one === name);
  if (found !== undefined) return found;
  // Nothing is complete before it was validated.
  return name === 'COMPLETE' && legal.includes('VALIDATE') ? 'VALIDATE' : null;
}

/** Without a usable wish: continue open tasks, validate finished work. */
function unasked(run: Run, task: TaskState): ActionName {
  const isOpen = tasksOf(task.actions.state).some(({ status }) => status !== 'done');
  const legal = legalActions(run, task);
  if (!isOpen && legal.includes('VALIDATE')) return 'VALIDATE';
  if (!isOpen && legal.includes('COMPLETE')) return 'COMPLETE';
  return validatedNow(task)?.isGreen === false ? 'DEBUG' : 'DEVELOP';
}

/** Why the last turn's wish was not followed, for the next prompt; null if it was followed or absent. */
export function refusedWish(run: Run, task: TaskState, action: ActionName): string | null {
  const last = task.actions.taken.findLast((one) => isAgentAction(one.action));
  const wish = last?.next === 'COMPLETED' ? 'COMPLETE' : last?.next;
  if (wish === undefined || !isActionWish(wish) || wish === action || last !== task.actions.taken.at(-1))
    return null;
  return `You asked for ${wish} next; that is not possible now. Possible are ${legalActions(run, task).join(', ')}.`;
}

function isActionWish(wish: ActionWish): wish is ActionName {
  return !['MENU', 'WAITING_INPUT', 'PAUSED', 'STOPPED', 'NONE', 'COMPLETED'].includes(wish);
}

/** The last validation, if it ran on the current files. */
export function validatedNow({ actions, workTree }: TaskState): { readonly isGreen: boolean } | null {
  return actions.validated !== null && actions.validated.tree === workTree ? actions.validated : null;
}

export function isUntouched(run: Run, task: TaskState): boolean {
  const isNew = task.commit === null && !run.config.policy.mayLeaveTreeUnchanged;
  return isNew && (task.workTree === null || task.workTree === beganWith(run, task));
}
