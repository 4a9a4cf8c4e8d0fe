// Suspended tasks and the task slots of a run: two sessions never share one workspace.
import { describe, expect, it } from 'vitest';
import { playRun, type PlayedRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { replay } from '#kernel/fold/apply.ts';
import type { Policy } from '#kernel/decide/policy.ts';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';

const tasks = [simulatedTask('a', { criteria: [] }), simulatedTask('b', { criteria: [] })];

function suspend(played: PlayedRun, taskId: string): void {
  played.record({
    type: 'suspended',
    suspensionId: `s-${taskId}`,
    taskId,
    condition: { kind: 'time', at: 9_000_000 },
    why: 'later',
    by: 'ann',
    since: 0,
  });
}

describe('A suspended task', () => {
  it('A suspended task is watched while the whole run waits for a person [U1] [U2]', () => {
    const policy: Policy = { ...builderVerifier.policy, nextForRun: () => ({ kind: 'park', why: 'a plan' }) };
    const played = playRun({ tasks, policy });
    played.prepare();
    suspend(played, 'a');
    expect(played.decide()).toMatchObject({ waitingFor: 'a plan', until: [{ suspensionId: 's-a' }] });
  });

  it('A suspended task keeps its slot until its session is gone, so that no other task uses the workspace [U1] [C6]', () => {
    const played = playRun({ tasks });
    played.prepare();
    const session = played.beginOne();
    suspend(played, 'a');
    const { start, steer } = played.decide();
    expect(start).toEqual([]);
    expect(steer).toEqual([{ stepId: session.stepId, kind: 'interrupt' }]);
    played.endSession(session, {
      ending: { kind: 'interrupted', resumeId: 'r' },
      signal: null,
      endTree: 'half',
    });
    expect(played.begin().map(({ taskId }) => taskId)).toEqual(['b']);
  });

  it('A suspended task queues for a slot when its wait ends while another task is in work [U1] [C6]', () => {
    const played = playRun({ tasks });
    played.prepare();
    const session = played.beginOne();
    suspend(played, 'a');
    played.endSession(session, {
      ending: { kind: 'interrupted', resumeId: 'r' },
      signal: null,
      endTree: 'half',
    });
    const other = played.beginOne();
    expect(other.taskId).toBe('b');
    played.record({ type: 'condition-met', suspensionId: 's-a', what: 'it is time', seenAt: 9_000_000 });
    expect(played.decide().start).toEqual([]);
    played.endSession(other, { ending: { kind: 'crashed', detail: 'gone' }, signal: null });
    expect(played.begin().map(({ taskId }) => taskId)).toEqual(['a']);
    expect(replay(played.events).suspensions.size).toBe(0);
  });
});
