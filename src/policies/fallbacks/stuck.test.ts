import { describe, expect, it } from 'vitest';
import { builderVerifier } from '#policies/presets/builder-verifier.ts';
import {
  commandCriterion,
  playRun,
  simulatedEvidence,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { whyStuck } from '#kernel/decide/stuck.ts';
import { signatureOf } from './stuck.ts';
import type { FailureTrace } from '#kernel/events/failure-trace.ts';
import { endReasonOf } from '#kernel/model/task.ts';

type Trace = Omit<FailureTrace, 'hand'>;

const trace = (known: Partial<Trace>): Trace => ({
  kind: 'logic',
  signature: 'sum is wrong',
  tree: 'tree',
  passing: [],
  ...known,
});

describe('A stuck task', () => {
  it('A task is stuck when it fails in the same way, leaves the same files, or alternates [X2]', () => {
    const alike = [1, 2, 3].map((n) => trace({ tree: `tree-${n}` }));
    expect(whyStuck(alike, 3)).toBe('3 attempts in a row failed in the same way');
    expect(whyStuck(alike, 4)).toBeNull();
    const idle = ['a', 'b', 'c'].map((signature) => trace({ signature }));
    expect(whyStuck(idle, 3)).toBe('the agent changed nothing in the last 2 attempts');
    // The first of them changed nothing either.
    expect(whyStuck(idle, 3, 'tree')).toBe('the agent changed nothing in the last 3 attempts');
    const longer = [trace({ signature: 'z' }), ...idle];
    expect(whyStuck(longer, 3, 'base')).toBe('the agent changed nothing in the last 3 attempts');
    expect(whyStuck([trace({})], 1, 'base')).toBe('the attempt failed');
    expect(whyStuck([trace({})], 1, 'tree')).toBe('the agent changed nothing in the last attempt');
    const swinging = ['x', 'y', 'x', 'y'].map((tree, n) => trace({ tree, signature: `${n}` }));
    expect(whyStuck(swinging, 3)).toBe('the attempts go back and forth between the same states');
    expect(
      whyStuck(
        ['x', 'y', 'z', 'x'].map((tree, n) => trace({ tree, signature: `${n}` })),
        3,
      ),
    ).toBeNull();
  });

  it('A task is not stuck while a new criterion passes, or where the rule is switched off [X2]', () => {
    const moving = [trace({}), trace({}), trace({ passing: ['a'] })];
    expect(whyStuck(moving, 3)).toBeNull();
    expect(whyStuck([...moving, trace({ passing: ['a'] }), trace({ passing: ['a'] })], 3)).not.toBeNull();
    // A criterion that passed before is no progress.
    expect(whyStuck([trace({ passing: ['a'] }), trace({}), trace({ passing: ['a'] })], 3)).not.toBeNull();
    expect(whyStuck([trace({}), trace({}), trace({})], 0)).toBeNull();
    // A tree that could not be read is not the same tree.
    expect(
      whyStuck(
        ['a', 'b', 'c'].map((signature) => trace({ tree: null, signature })),
        3,
      ),
    ).toBeNull();
  });

  it('Failures are compared without times, checkouts, hashes and colours, but with every essential difference [X2]', () => {
    const one = signatureOf(
      '\u001b[31mFAIL\u001b[0m /tmp/run-1/src/sum.test.js (12.3ms) at 2026-01-02T03:04:05Z 0xdeadbeef 3 failed',
    );
    const two = signatureOf('FAIL /var/x/y/src/sum.test.js (99 ms) at 2027-11-12T13:14:15Z 0xcafe 3 failed');
    expect(one).toBe(two);
    expect(signatureOf('3 failed, 2 passed')).not.toBe(signatureOf('2 failed, 3 passed'));
  });

  it('Failures are compared by every check, however much the last one prints [X2]', () => {
    const play = (first: (attempt: number) => string) => {
      const played = playRun({
        tasks: [simulatedTask('a', { criteria: [commandCriterion('early'), commandCriterion('late')] })],
        config: { policy: simulatedPolicy({ stuckMax: 3 }) },
      });
      played.prepare();
      played.endCheck(played.beginOne(), { early: 'fail', late: 'fail' });
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        played.endSession(played.beginOne(), { endTree: `a-${attempt}` });
        const step = played.beginOne();
        for (const [criterionId, tail] of [
          ['early', first(attempt)],
          ['late', 'x'.repeat(2000)],
        ] as const)
          played.record({
            type: 'evidence-recorded',
            evidence: simulatedEvidence({
              taskId: 'a',
              criterionId,
              stepId: step.stepId,
              tree: `a-${attempt}`,
              verdict: 'fail',
              tail,
            }),
          });
        played.record({
          type: 'step-ended',
          stepId: step.stepId,
          result: { kind: 'check', treeAfter: `a-${attempt}`, brokenPins: [] },
        });
      }
      played.settle();
      return played.run.tasks.get('a')?.status.is;
    };
    expect(play(() => 'the same')).toBe('failed');
    expect(play((attempt) => `${'abc'[attempt - 1] ?? ''} is undefined`)).toBe('active');
  });

  it('A task that fails three times alike ends, in any preset, and each task is counted separately [X2]', () => {
    const played = playRun({
      tasks: [simulatedTask('a'), simulatedTask('b')].map((task) => ({
        ...task,
        criteria: [commandCriterion('works')],
      })),
      policy: builderVerifier.policy,
      config: { policy: simulatedPolicy({ stuckMax: 3 }) },
    });
    played.prepare();
    for (const id of ['a', 'b']) {
      played.endCheck(played.beginOne(), { works: 'fail' });
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        played.endSession(played.beginOne(), { endTree: `${id}-${attempt}` });
        played.endCheck(played.beginOne(), { works: 'fail' });
      }
    }
    played.settle();
    expect(
      [...played.run.tasks.values()].map((task) => [task.attempt, task.status.is, endReasonOf(task)]),
    ).toEqual([
      [3, 'failed', expect.stringContaining('stuck: 3 attempts in a row failed in the same way') as string],
      [3, 'failed', expect.stringContaining('stuck') as string],
    ]);
  });
});
