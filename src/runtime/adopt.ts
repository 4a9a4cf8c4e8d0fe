// After a crash: what became of a step that was started and never seen to end. It is never decided again.
import type { Fact } from '#kernel/events.ts';
import type { Step } from '#kernel/step.ts';
import type { World } from '#ports/world.ts';
import { commit, refused } from './perform.ts';
import { settleSession } from './perform-session.ts';

export async function adopt(step: Step, world: World): Promise<readonly Fact[]> {
  try {
    return await find(step, world);
  } catch (error) {
    return refused(step, error);
  }
}

async function find(step: Step, world: World): Promise<readonly Fact[]> {
  const { deed } = step;
  switch (deed.kind) {
    case 'session': {
      const session = { ...step, deed };
      return await settleSession(session, await world.sessions.adopt(session), world);
    }
    case 'commit':
      return await commit(step, world);
    // Free and repeatable: the kernel will ask for it again.
    case 'prepare':
    case 'check':
      return [
        {
          type: 'step-lost',
          stepId: step.stepId,
          reason: 'its driver went away',
          usage: { usd: 0, tokens: 0 },
        },
      ];
  }
}
