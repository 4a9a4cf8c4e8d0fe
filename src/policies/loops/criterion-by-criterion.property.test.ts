// Any agent, any check, any settings: the loop ends or waits for a person, and completes only what passes.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { Criterion, Verdict } from '#kernel/model/criterion.ts';
import type { CommitOperation, Step } from '#kernel/model/step.ts';
import { criteria as preset } from '#policies/presets/criteria.ts';
import { assertSound } from '#runtime/assert-sound.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import {
  commandCriterion,
  playRun,
  simulatedBudget,
  simulatedPolicy,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { defaultLoops } from './loop-settings.ts';
import type { LoopSettings } from '#kernel/model/config.ts';

const checks: readonly Criterion['check'][] = [
  { kind: 'command', run: 'x', cwd: '', timeoutMs: 1 },
  { kind: 'human', question: 'good?' },
];

const criterion = fc.record({
  text: fc.constantFrom('it is done', '`x` passes'),
  kind: fc.constantFrom('exit', 'exit', 'exit', 'entry'),
  required: fc.constantFrom(true, true, true, false),
  when: fc.constantFrom('attempt', 'attempt', 'acceptance'),
  check: fc.constantFrom(...checks),
});

const loops: fc.Arbitrary<Partial<LoopSettings>> = fc.record(
  {
    enabled: fc.boolean(),
    enforced: fc.boolean(),
    blockExitUntilComplete: fc.boolean(),
    requireVerification: fc.constantFrom(true, true, true, false),
    blockOnSkip: fc.boolean(),
    maxRetries: fc.integer({ min: 1, max: 4 }),
    maxIterations: fc.integer({ min: 1, max: 4 }),
    commitEvery: fc.integer({ min: 1, max: 3 }),
    pauseBetweenScenarios: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** The results of the world, one number each; after the last number everything succeeds. */
interface World {
  next(choices: number): number;
}

const verdicts: readonly Verdict[] = ['pass', 'fail', 'unknown', 'pass'];

function end(played: PlayedRun, step: Step, world: World): void {
  const { deed, stepId } = step;
  switch (deed.kind) {
    case 'prepare':
      return played.record({
        type: 'step-ended',
        stepId,
        result: { kind: 'prepare', baseCommit: 'c0', baseTree: 'base', branch: 'b', pins: [] },
      });
    case 'session': {
      const kind = world.next(4);
      const same = world.next(5) === 4;
      return played.endSession(step, {
        endTree: kind === 3 ? null : same ? step.baseTree : `tree-${stepId}`,
        signal: world.next(4) === 3 ? { kind: 'continue' } : { kind: 'done' },
        ...(kind === 2 ? { ending: { kind: 'crashed', detail: 'x' } } : {}),
      });
    }
    case 'check': {
      const seen = Object.fromEntries(
        deed.criteria.map(({ criterionId }) => [criterionId, verdicts[world.next(4)] ?? 'pass']),
      );
      return played.endCheck(step, seen, world.next(12) === 1 ? { treeAfter: 'spoilt' } : {});
    }
    case 'commit':
      return played.endCommit(step, `c-${stepId}`);
    default:
      throw new Error(`unexpected ${deed.kind}`);
  }
}

/** A person who resumes the run, approves, rejects or skips the open item. */
function visit(played: PlayedRun, world: World): void {
  const task = played.run.tasks.get('main');
  if (played.run.paused !== null) played.ask({ kind: 'resume' });
  const open = task?.spec.criteria.find(({ id, check }) => {
    const seen = task.evidence.get(id)?.attempt;
    return seen?.tree === task.workTree ? seen?.verdict === 'unknown' : check.kind === 'human';
  });
  if (open === undefined || task?.workTree === null || task?.workTree === undefined) return;
  const about = { taskId: 'main', criterionId: open.id, tree: task.workTree };
  const word = world.next(3);
  if (word === 0) played.ask({ kind: 'approve', ...about });
  else if (word === 1) played.ask({ kind: 'reject', ...about, why: 'no' });
  else
    played.ask({
      kind: 'change-criteria',
      taskId: 'main',
      change: { kind: 'skip', criterionId: open.id },
      why: 'enough',
    });
}

function live(played: PlayedRun, world: World): void {
  for (let round = 0; round < 400 && played.run.outcome === null; round += 1) {
    const decision = played.decide();
    if (decision.record.length > 0) {
      assertSound(played.run, decision.record);
      played.record(...decision.record);
      continue;
    }
    if (decision.start.length === 0 && played.run.running.size === 0) visit(played, world);
    for (const step of decision.start) {
      played.record({ type: 'step-started', step });
      end(played, step, world);
    }
  }
}

function commitsOf(played: PlayedRun): CommitOperation[] {
  return played.events.flatMap((event) =>
    event.type === 'step-started' && event.step.deed.kind === 'commit' ? [event.step.deed] : [],
  );
}

/** The evidence names the command of its check, as real evidence does. */
function named(id: string, one: Partial<Criterion>): Criterion {
  const criterion = commandCriterion(id, one);
  const { check } = criterion;
  if (check.kind !== 'command') return criterion;
  const text = criterion.text.replace('`x`', `\`check ${id}\``);
  return { ...criterion, text, check: { ...check, run: `check ${id}` } };
}

describe('The loop over criteria under random events', () => {
  it('The loop over criteria ends, keeps its counts, proves only passing work, and is the same after a replay [K3] [K4]', () => {
    const life = fc.record({
      criteria: fc.array(criterion, { minLength: 1, maxLength: 4 }),
      loops,
      luck: fc.oneof(
        fc.array(fc.nat(1000), { maxLength: 120 }),
        fc.array(fc.nat(1000), { minLength: 30, maxLength: 120 }),
      ),
    });
    const completed = countReached('a run that completed', { floor: 0.04 });
    const unfinished = countReached('a run that ended otherwise', { floor: 0.2 });
    const skipped = countReached('a criterion that a person skipped', { floor: 0.01 });
    assertProperty(
      fc.property(life, ({ criteria, loops: given, luck }) => {
        let at = 0;
        const world: World = { next: (choices) => (luck[at++] ?? 0) % choices };
        const settings = { ...defaultLoops, ...given };
        const played = playRun({
          tasks: [
            simulatedTask('main', {
              criteria: criteria.map((one, index) => named(`n${index}`, one as Partial<Criterion>)),
            }),
          ],
          config: {
            policy: simulatedPolicy({ loops: settings }),
            budget: simulatedBudget({
              attemptsPerTask: preset.limits.attemptsMax,
              sessions: 1000,
              usd: 1e6,
              tokens: 1e9,
            }),
          },
          policy: preset.policy,
        });
        live(played, world);
        const { run } = played;
        const task = run.tasks.get('main');
        (run.outcome?.outcome === 'completed' ? completed : unfinished).mark();
        if ((task?.skips.size ?? 0) > 0) skipped.mark();
        const isBelieved = run.outcome?.outcome === 'completed' && !settings.requireVerification;
        expect(isBelieved).toBe(false);
        expect(task?.loop.iteration ?? 0).toBeLessThanOrEqual(settings.maxIterations);
        const mismarked = commitsOf(played).filter(
          ({ message, checkpoint }) => message.includes('Untildone-Task:') !== (checkpoint === undefined),
        );
        expect(mismarked).toEqual([]);
        expect(replay(played.events)).toEqual(run);
        expect(run.outcome).not.toBeNull();
      }),
      { numRuns: 300, reaches: [completed, unfinished, skipped] },
    );
  });
});
