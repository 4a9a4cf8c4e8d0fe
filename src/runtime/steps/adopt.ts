// After a crash: settles a step that started and has no recorded end. The decision is never made again.
import type { Fact } from '#kernel/events/events.ts';
import type { Step } from '#kernel/model/step.ts';
import type { World } from '#ports/world.ts';
import { commit } from './perform.ts';
import { lost, refused, unsettled } from './perform-ended.ts';
import { performLiving, settleSession } from './perform-session.ts';
import type { Performance } from './performance.ts';

/** Rejects if a session's end cannot be settled now: the step stays open, and the next driver tries again. */
export async function adopt(step: Step, world: World): Promise<readonly Fact[] | Performance> {
  const { deed } = step;
  switch (deed.kind) {
    case 'session': {
      const session = { ...step, deed };
      const end = await world.sessions.adopt(session).catch((error: unknown) => {
        throw unsettled(error);
      });
      if (end.kind === 'living') return performLiving(session, end.session, world);
      return settleSession(session, Promise.resolve(end), world);
    }
    case 'commit':
      return commit(step, world).catch((error: unknown) => refused(step, error));
    // Free and repeatable: the kernel will ask for it again.
    case 'prepare':
    case 'check':
    case 'reproduce':
    case 'survey':
    case 'settle-plan':
      return lost(step, 'its driver ended');
  }
}
