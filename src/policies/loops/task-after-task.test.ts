import { describe, expect, it } from 'vitest';
import type { RunConfig } from '#kernel/model/config.ts';
import type { SessionEnding } from '#kernel/model/ending.ts';
import type { Step } from '#kernel/model/step.ts';
import type { Task } from '#kernel/model/task.ts';
import { queue } from '#policies/presets/queue.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { progressBlock } from '#views/status/progress.ts';
import { defaultQueue } from './queue-settings.ts';

function playing(tasks: readonly Partial<Task>[], config: Partial<RunConfig> = {}): PlayedRun {
  const played = playRun({
    tasks: tasks.map((given, index) =>
      simulatedTask(`t${index + 1}`, {
        description: `words of t${index + 1}`,
        criteria: [commandCriterion('works')],
        ...given,
      }),
    ),
    config: { preset: 'queue', ...config },
    policy: queue.policy,
  });
  played.prepare();
  return played;
}

/** Plays the checks on the base of the task, then starts its first session. */
function firstSession(played: PlayedRun): Step {
  played.endCheck(played.beginOne(), { works: 'fail' });
  return played.beginOne();
}

function crash(played: PlayedRun, builder: Step): void {
  const ending: SessionEnding = { kind: 'crashed', detail: 'killed by SIGSEGV' };
  played.endSession(builder, { ending, endTree: builder.baseTree, signal: null });
  played.endCheck(played.beginOne(), { works: 'fail' });
}

function land(played: PlayedRun, builder: Step, tree: string): void {
  played.endSession(builder, { endTree: tree });
  played.endCheck(played.beginOne(), { works: 'pass' });
  played.endCommit(played.beginOne(), `c-${tree}`);
}

const promptOf = (step: Step): string => (step.deed.kind === 'session' ? step.deed.prompt : '');

describe('A queue', () => {
  it('An answered task waits until the current one is over: two sessions never share a workspace [Q3] [U4]', () => {
    const played = playing([{}, {}, {}]);
    const asking = firstSession(played);
    played.endSession(asking, { signal: { kind: 'needs-input', question: 'Red or blue?' }, endTree: 'half' });
    const other = firstSession(played);
    expect(other.taskId).toBe('t2');
    expect(progressBlock(played.run)).toContain('Current: Task t2 - ');
    played.ask({ kind: 'answer', questionId: 'q-builder_001', text: 'blue' });
    expect(played.settle().start).toEqual([]);
    // Between the operations of the other task, too.
    land(played, other, 'two');
    expect(played.run.tasks.get('t2')?.status.is).toBe('landed');
    expect(played.beginOne()).toMatchObject({ taskId: 't1', deed: { role: 'builder' } });
    expect(played.run.running.size).toBe(1);
  });

  it('A queue works on one task after the other, each in a session that knows only its own task [Q3]', () => {
    const played = playing([{}, {}, {}]);
    const prompts: string[] = [];
    for (const id of ['t1', 't2', 't3']) {
      const builder = firstSession(played);
      expect(builder.taskId).toBe(id);
      expect(played.run.running.size).toBe(1);
      prompts.push(promptOf(builder));
      land(played, builder, `work-${id}`);
    }
    expect(prompts.map((text) => [1, 2, 3].map((n) => text.includes(`words of t${n}`)))).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
  });

  it('The feedback of a task stays between its attempts, and none of it reaches the next task [Q3]', () => {
    const played = playing([{}, {}], { budget: simulatedBudget({ attemptsPerTask: 2 }) });
    const first = firstSession(played);
    played.endSession(first, { endTree: 'wrong' });
    played.endCheck(played.beginOne(), { works: 'fail' });
    const second = played.beginOne();
    expect(promptOf(second)).toContain('Feedback on the previous attempt');
    land(played, second, 'right');
    expect(promptOf(firstSession(played))).not.toContain('Feedback');
  });

  it.each([
    ['continue', undefined],
    ['stop', { outcome: 'exhausted', reason: expect.stringContaining('queue.onFailure: stop') as string }],
  ] as const)(
    'A queue with onFailure %s behaves accordingly after a failed task [Q6]',
    (onFailure, outcome) => {
      const played = playing([{}, {}], {
        budget: simulatedBudget({ attemptsPerTask: 1 }),
        policy: simulatedPolicy({ queue: { ...defaultQueue, onFailure } }),
      });
      played.endSession(firstSession(played), { endTree: 'wrong' });
      played.endCheck(played.beginOne(), { works: 'fail' });
      const { start } = played.settle();
      expect(played.run.tasks.get('t1')?.status.is).toBe('failed');
      expect(played.run.outcome ?? undefined).toEqual(outcome);
      expect(start.map(({ taskId }) => taskId)).toEqual(onFailure === 'continue' ? ['t2'] : []);
    },
  );

  it('A queue stops at once if the failed task is security-critical, whatever onFailure says [Q8]', () => {
    const played = playing([{ securityCritical: true }, {}], {
      budget: simulatedBudget({ attemptsPerTask: 1 }),
    });
    played.endSession(firstSession(played), { endTree: 'wrong' });
    played.endCheck(played.beginOne(), { works: 'fail' });
    expect(played.settle().start).toEqual([]);
    expect(played.run.outcome?.reason).toMatch(/^the security-critical task t1 failed, so the run stops: /);
  });

  it('A crashed session is retried a limited number of times, then the task fails and the queue continues [Q6]', () => {
    const played = playing([{}, {}], {
      budget: simulatedBudget({ attemptsPerTask: 9 }),
      policy: simulatedPolicy({ queue: { ...defaultQueue, crashRetries: 2 } }),
    });
    crash(played, firstSession(played));
    played.settle();
    expect(played.run.tasks.get('t1')?.failures.last?.reason).toMatch(
      /^the builder crashed: killed by SIGSEGV; /,
    );
    crash(played, played.beginOne());
    // A session that ends with a result resets the count.
    played.endSession(played.beginOne(), { endTree: 'wrong' });
    played.endCheck(played.beginOne(), { works: 'fail' });
    for (let more = 0; more < 3; more += 1) crash(played, played.beginOne());
    played.settle();
    expect(played.run.tasks.get('t1')).toMatchObject({
      status: { is: 'failed', reason: expect.stringMatching(/^3 sessions in a row crashed/) as string },
      attempt: 6,
    });
    expect(firstSession(played).taskId).toBe('t2');
  });

  it('A queue accepts an added task during the run, and pins the files of its checks first [Q5] [Q1]', () => {
    const played = playing([{}]);
    const builder = firstSession(played);
    const added = simulatedTask('t2', { dependsOn: ['t1'], criteria: [commandCriterion('works')] });
    played.ask({ kind: 'add-task', task: added });
    played.settle();
    expect(played.run.tasks.get('t2')?.status.is).toBe('waiting');
    played.endSession(builder, { endTree: 'work' });
    const prepare = played.beginOne();
    expect(prepare.deed.kind).toBe('prepare');
    played.record({
      type: 'step-ended',
      stepId: prepare.stepId,
      result: { kind: 'prepare', baseCommit: 'c0', baseTree: 't0', branch: 'b', pins: [] },
    });
    played.endCheck(played.beginOne(), { works: 'pass' });
    played.endCommit(played.beginOne(), 'c-work');
    expect(firstSession(played).taskId).toBe('t2');
  });

  it('A headline says what blocks what, however many tasks wait and whatever they failed with [C6]', () => {
    const ids = Array.from({ length: 9 }, (_, index) => `t${index + 1}`);
    const played = playing([...ids.map(() => ({})), ...ids.map(() => ({ dependsOn: ids.slice(1) }))]);
    for (const taskId of ids)
      played.record({ type: 'task-failed', taskId, outcome: 'failed', reason: 'why '.repeat(200) });
    played.settle();
    expect(played.run.outcome?.outcome).toBe('blocked');
    const reason = played.run.outcome?.reason ?? '';
    expect(reason).toMatch(/^t10 waits for t2, t3, t4 and 5 more; .*; and 6 more wait; t2 failed: why /);
    expect(reason).toMatch(/…; and 6 more failed$/);
    expect(reason.length).toBeLessThan(700);
  });

  it('A failed attempt says that its session was cut short, and a failed run names the tasks that failed [Q6] [Q9]', () => {
    const played = playing([{}, {}], { budget: simulatedBudget({ attemptsPerTask: 1 }) });
    for (const _ of [1, 2]) {
      const ending: SessionEnding = { kind: 'timed-out', limit: 'wall' };
      played.endSession(firstSession(played), { ending, endTree: 'half', signal: null });
      played.endCheck(played.beginOne(), { works: 'fail' });
      played.settle();
    }
    expect(played.run.tasks.get('t1')?.failures.last?.reason).toBe(
      'the builder ran out of time; works: exit 1',
    );
    expect(played.run.outcome?.reason).toMatch(
      /^t1 failed: the only attempt was used; .*ran out of time; works: exit 1; t2 failed: /,
    );
  });

  it('Crashes are counted from zero after a person asked for a retry [Q6] [Q5]', () => {
    const played = playing([{}], {
      policy: simulatedPolicy({ queue: { ...defaultQueue, crashRetries: 0 } }),
    });
    crash(played, firstSession(played));
    played.record({ type: 'task-failed', taskId: 't1', outcome: 'failed', reason: 'crashed' });
    played.ask({ kind: 'retry', taskId: 't1' });
    expect(played.beginOne().deed.kind).toBe('session');
  });
});
