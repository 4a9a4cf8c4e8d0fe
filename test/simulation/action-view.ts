// Reads the action loop of each task from the journal, independently of the kernel.
import type { Control } from '#kernel/events/control.ts';
import type { Event } from '#kernel/events/events.ts';
import type { ActionName } from '#kernel/actions/action.ts';
import type { View } from './view.ts';

export interface ObservedLoop {
  /** Actions of all kinds. */
  taken: number;
  /** Turns of the agent that gave a result. */
  iteration: number;
  forgiven: number;
  isInitialised: boolean;
  /** A choice that no action has followed yet. */
  chosen: { readonly turn: number; readonly action: ActionName } | null;
  /** The agent's turn that has begun and has no result. */
  turn: ActionName | null;
  question: string | null;
  /** Steps whose end was taken for a result. */
  readonly counted: Set<string>;
  /** Ids of conversations that their client does not have. */
  readonly gone: Set<string>;
}

export function noLoop(): ObservedLoop {
  return {
    taken: 0,
    iteration: 0,
    forgiven: 0,
    isInitialised: false,
    chosen: null,
    turn: null,
    question: null,
    counted: new Set(),
    gone: new Set(),
  };
}

export function loopOf(view: View, taskId: string): ObservedLoop {
  const known = view.loops.get(taskId);
  if (known !== undefined) return known;
  const loop = noLoop();
  view.loops.set(taskId, loop);
  return loop;
}

export function seeActions(view: View, event: Event): void {
  switch (event.type) {
    case 'action-taken':
      return seeTaken(loopOf(view, event.taskId), event);
    case 'action-chosen':
      loopOf(view, event.taskId).chosen = { turn: event.turn, action: event.action };
      return;
    case 'step-started': {
      const { taskId, deed } = event.step;
      if (deed.kind === 'session' && deed.turn !== undefined && taskId !== null)
        loopOf(view, taskId).turn = deed.turn.action;
      return;
    }
    case 'step-ended':
      return seeGone(view, event);
    case 'question-asked':
      loopOf(view, event.taskId).question = event.questionId;
      return;
    case 'question-answered':
      loopOf(view, event.taskId).question = null;
      return;
    case 'task-retried': {
      const loop = loopOf(view, event.taskId);
      loop.forgiven = loop.iteration;
      loop.chosen = null;
      return;
    }
    default:
      return;
  }
}

function seeTaken(loop: ObservedLoop, event: Extract<Event, { readonly type: 'action-taken' }>): void {
  const { action, status, stepId, iteration } = event;
  loop.taken += 1;
  loop.chosen = null;
  loop.turn = null;
  loop.iteration = iteration;
  if (stepId !== '') loop.counted.add(stepId);
  if (action === 'INIT' && status === 'success') loop.isInitialised = true;
}

function seeGone(view: View, { stepId, result }: Extract<Event, { readonly type: 'step-ended' }>): void {
  const step = view.steps.get(stepId)?.step;
  if (step?.deed.kind !== 'session' || step.taskId === null || result.kind !== 'session') return;
  const { ending } = result;
  const isGone = ending.kind === 'failed' && ending.errorClass === 'conversation-gone';
  if (isGone && step.deed.resume !== null) loopOf(view, step.taskId).gone.add(step.deed.resume);
}

export function seeMode(view: View, control: Control): void {
  if (control.kind === 'resume' && control.mode !== undefined) view.mode = control.mode;
}
