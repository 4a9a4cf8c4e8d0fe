// Performs one session: restores the files, saves the refs, runs the host, restores the refs.
import type { Fact } from '#kernel/events/events.ts';
import type { Run } from '#kernel/fold/run.ts';
import type { SessionOperation, SessionResult, Steer } from '#kernel/model/step.ts';
import type { LeftSession, LostSession, RunningSession } from '#ports/sessions.ts';
import type { World } from '#ports/world.ts';
import { refused, unsettled } from './perform-ended.ts';
import type { SessionPlace } from './session-place.ts';
import { openPlace } from './session-place.ts';
import type { Emit, Performance, StepOf } from './performance.ts';

/** Follows an attached session: it outlives drivers, because a person's client holds it. */
export function performLiving(
  step: StepOf<SessionOperation>,
  session: RunningSession,
  world: World,
): Performance {
  return {
    ended: settleSession(step, session.ended, world),
    steer: (steer) => session.steer(steer),
    leave: () => session.leave?.(),
  };
}

export function performSession(
  step: StepOf<SessionOperation>,
  run: Run,
  world: World,
  emit: Emit,
): Performance {
  let session: RunningSession | null = null;
  let waiting: Steer[] = [];
  const hold = async (place: SessionPlace): Promise<readonly Fact[]> => {
    // From here on there is a result to keep: no later failure may replace it.
    session = world.sessions.start(place.step, {
      epoch: run.epoch,
      ...place.order,
      onChatter: (event) => {
        for (const observer of world.observers) observer.onChatter?.(step.stepId, event);
      },
    });
    for (const steer of waiting) session.steer(steer);
    waiting = [];
    return settleSession(step, session.ended, world);
  };
  const work = async (): Promise<readonly Fact[]> => {
    let place: SessionPlace;
    try {
      place = await openPlace({ step, run }, world, emit);
      await world.workspace.guardRefs(step.stepId);
    } catch (error) {
      return refused(step, error);
    }
    const facts = await hold(place);
    // If the session could not be settled, its place is kept: the next driver takes its tree from there.
    await place.dispose();
    return facts;
  };
  return {
    ended: work(),
    steer(steer) {
      if (session === null) waiting.push(steer);
      else session.steer(steer);
    },
    leave() {
      const steer: Steer = { stepId: step.stepId, kind: 'kill', reason: 'the driver is leaving' };
      if (session === null) waiting.push(steer);
      else if (session.leave === undefined) session.steer(steer);
      else session.leave();
    },
  };
}

type SessionEnd = SessionResult | LostSession | LeftSession;

/** The facts of a session's end, seen or found after a crash. Rejects as unsettled if the machine refuses. */
export async function settleSession(
  step: StepOf<SessionOperation>,
  ended: Promise<SessionEnd>,
  world: World,
): Promise<readonly Fact[]> {
  try {
    return await settle(step, await ended, world);
  } catch (error) {
    throw unsettled(error);
  }
}

async function settle(
  step: StepOf<SessionOperation>,
  end: SessionEnd,
  world: World,
): Promise<readonly Fact[]> {
  const { stepId } = step;
  if (end.kind === 'left') return [];
  const facts: Fact[] = [];
  for (const { ref, action, keptAs } of await world.workspace.restoreRefs(stepId)) {
    facts.push({ type: 'ref-restored', stepId, ref, action, keptAs });
  }
  if (end.kind === 'lost') facts.push({ type: 'step-lost', stepId, reason: end.reason, usage: end.usage });
  else facts.push({ type: 'step-ended', stepId, result: end });
  return facts;
}
