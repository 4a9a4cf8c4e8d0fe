// Asserts what must never happen in an action loop, from the simulated world's own ledger and the journal.
import type { Event } from '#kernel/events/events.ts';
import { isAgentAction } from '#kernel/actions/action.ts';
import { ownKeys, stateBytesMax } from '#kernel/actions/action-state.ts';
import type { SessionOperation, SessionResult, Step } from '#kernel/model/step.ts';
import { loopOf } from './action-view.ts';
import { gapInWork } from './proof.ts';
import type { Universe } from './universe.ts';
import { forbid } from './universe.ts';

/** Called for each event before it is seen. */
export function judgeActions(universe: Universe, event: Event): void {
  if (universe.plan.config.policy.actions === undefined) return;
  switch (event.type) {
    case 'action-taken':
      return judgeTaken(universe, event);
    case 'action-chosen':
      return judgeChosen(universe, event);
    case 'step-started': {
      const { deed, taskId } = event.step;
      if (deed.kind === 'session' && deed.turn !== undefined && taskId !== null)
        judgeTurn(universe, event.step, deed, taskId);
      return;
    }
    case 'run-ended': {
      // A reviewer that finds something critical ends a run of any preset.
      const isAsked =
        universe.ledger.view.isStopping || /security-critical task|security problem/.test(event.reason);
      return forbid(universe, event.outcome === 'stopped' && !isAsked, 'no person stopped the run');
    }
    default:
      return;
  }
}

/** Endings that leave no result: a turn that ends so is no iteration. */
const uncounted: readonly string[] = ['timed-out', 'crashed', 'over-limit', 'interrupted', 'cancelled'];

function judgeTaken(universe: Universe, event: Extract<Event, { readonly type: 'action-taken' }>): void {
  const { taskId, stepId, iteration, action, status, tree, state } = event;
  const { view, sessions } = universe.ledger;
  const loop = loopOf(view, taskId);
  universe.counts.actions += 1;
  for (const key of ownKeys) forbid(universe, key in state, `the agent set ${key}`);
  forbid(universe, JSON.stringify(state).length > stateBytesMax, 'the state is larger than it may be');
  if (!isAgentAction(action)) {
    forbid(universe, iteration !== loop.iteration, `${action} counted an iteration`);
    const gap =
      action === 'COMPLETE' && status === 'success' ? gapInWork(universe, taskId, tree ?? '') : null;
    return forbid(universe, gap !== null, `COMPLETE was accepted, but ${gap ?? ''}`);
  }
  const receipt = sessions.get(stepId)?.receipt ?? null;
  const ending = receipt?.ending.kind ?? 'no receipt';
  const isUncounted = uncounted.includes(ending) || receipt === null;
  forbid(universe, isUncounted, `${stepId} is taken for a result, but was ${ending}`);
  forbid(universe, loop.counted.has(stepId), `${stepId} gave two results`);
  const counts = isUsable(receipt, action) ? 1 : 0;
  forbid(universe, iteration !== loop.iteration + counts, `iteration ${iteration} follows ${loop.iteration}`);
  forbid(universe, loop.turn !== action, `${action} is taken in a turn of ${loop.turn ?? 'nothing'}`);
}

/** Whether the agent reported this turn; one that gave no such answer is no iteration. */
function isUsable(receipt: SessionResult | null, action: string): boolean {
  if (receipt?.ending.kind !== 'finished' || receipt.endTree === null) return false;
  const { signal } = receipt;
  return signal?.kind === 'action' && [action, 'MENU'].includes(signal.report.action);
}

function judgeChosen(universe: Universe, event: Extract<Event, { readonly type: 'action-chosen' }>): void {
  const { taskId, turn } = event;
  const loop = loopOf(universe.ledger.view, taskId);
  universe.counts.choices += 1;
  forbid(universe, loop.chosen !== null, 'a second choice was taken for the same turn');
  forbid(universe, turn !== loop.taken + 1, `choice ${turn} was taken after ${loop.taken} actions`);
  forbid(universe, loop.turn !== null, `a choice was taken during ${loop.turn ?? ''}`);
}

function judgeTurn(universe: Universe, { stepId }: Step, operation: SessionOperation, taskId: string): void {
  const { view } = universe.ledger;
  const loop = loopOf(view, taskId);
  const { resume, agent } = operation;
  universe.counts.turns += 1;
  const used = loop.iteration - loop.forgiven;
  forbid(
    universe,
    used >= view.limits.attemptsPerTask,
    `${stepId} starts after ${used} iterations of ${view.limits.attemptsPerTask}`,
  );
  const isUnchosen = view.mode === 'interactive' && loop.isInitialised && loop.chosen === null;
  forbid(universe, isUnchosen && loop.turn === null, `${stepId} starts, and no person chose it`);
  forbid(universe, loop.question !== null, `${stepId} starts while a question is open`);
  if (loop.turn !== null && operation.turn !== undefined)
    forbid(
      universe,
      operation.turn.action !== loop.turn,
      `${operation.turn.action} takes the place of ${loop.turn}`,
    );
  if (resume === null) return;
  universe.counts.resumed += 1;
  forbid(universe, loop.gone.has(resume), `${stepId} resumes a conversation that is gone`);
  const isOthers = resume.startsWith('talk-') && !resume.startsWith(`talk-${taskId}-${agent.name}-`);
  forbid(universe, isOthers, `${stepId} of ${agent.name} for ${taskId} resumes ${resume}`);
}
