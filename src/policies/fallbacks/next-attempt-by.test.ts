import { describe, expect, it } from 'vitest';
import type { Verdict } from '#kernel/model/criterion.ts';
import type { PlayedCampaign } from '#test/simulated/played-campaign.ts';
import { commandCriterion, planOf, playCampaign, tasksNamed } from '#test/simulated/played-campaign.ts';
import { playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { failureKind } from './failure-kind.ts';
import type { FailureKind } from '#kernel/events/failure-trace.ts';

interface Failing {
  /** The failure of the n-th attempt, from 1; the attempt after the last one passes. */
  readonly kinds: readonly FailureKind[];
  readonly others?: readonly string[];
  readonly replansMax?: number;
  readonly deadEnd?: 'ask' | 'end';
}

/** One task that fails in these ways, with a guard that was green before; the second plan omits the task. */
function campaign({ kinds, others = ['two', 'three'], replansMax = 1, deadEnd = 'end' }: Failing) {
  const kindOf = (id: string, attempt: number): FailureKind | undefined =>
    id === 'T1' ? kinds[attempt - 1] : undefined;
  const verdict = (id: string, attempt: number, criterionId: string): Verdict => {
    const kind = kindOf(id, attempt);
    if (kind === undefined || kind === 'strategic') return 'pass';
    return (kind === 'integration') === (criterionId === 'whole') ? 'fail' : 'pass';
  };
  const criteria = [commandCriterion('works'), commandCriterion('whole', { guard: true })];
  return playCampaign({
    plan: (answer) => planOf(answer === 1 ? [simulatedTask('T1', { criteria })] : tasksNamed('T2')),
    onBase: (_, id) => (id === 'whole' ? 'pass' : 'fail'),
    verdict,
    output: (id, attempt) => (kindOf(id, attempt) === 'syntax' ? "SyntaxError: '}'" : `got ${attempt}`),
    tree: (id, attempt) => (kindOf(id, attempt) === 'strategic' ? 'base' : `${id}-${attempt}`),
    planning: { milestones: [], replansMax, deadEnd },
    policy: { routing: { domains: {}, fallbacks: others.map((name) => ({ name, model: null })) } },
  });
}

function steps(played: PlayedCampaign): string[] {
  return played.events.flatMap((event) => {
    if (event.type !== 'step-started' || event.step.deed.kind !== 'session') return [];
    const { role, agent } = event.step.deed;
    return [role === 'builder' ? `${event.step.taskId ?? ''} ${agent.name}` : role];
  });
}

function lived(failing: Failing): string[] {
  const played = campaign(failing);
  played.goOn();
  return steps(played);
}

describe('The fallbacks of a campaign [C6]', () => {
  it.each<[string, Failing, string[]]>([
    [
      'a slip: the same agent once, then the next',
      { kinds: ['syntax', 'syntax'] },
      ['architect', 'T1 simulated', 'T1 simulated', 'T1 two'],
    ],
    [
      'a wrong idea: the next agent each time, then the breaker and a new plan',
      { kinds: ['logic', 'logic', 'logic', 'logic'] },
      ['architect', 'T1 simulated', 'T1 two', 'T1 three', 'T1 three', 'architect', 'T2 simulated'],
    ],
    [
      'a clash with finished work: the same agent once, the next one, then a new plan before the attempts are used',
      { kinds: ['integration', 'integration', 'integration'] },
      ['architect', 'T1 simulated', 'T1 simulated', 'T1 two', 'architect', 'T2 simulated'],
    ],
    [
      'a clash, and nobody else is there: a new plan after two',
      { kinds: ['integration', 'integration'], others: [] },
      ['architect', 'T1 simulated', 'T1 simulated', 'architect', 'T2 simulated'],
    ],
    [
      'a clash that the same agent mends',
      { kinds: ['integration'] },
      ['architect', 'T1 simulated', 'T1 simulated'],
    ],
    [
      'a task that cannot be done so: everybody else, then a new plan',
      { kinds: ['strategic', 'strategic', 'strategic'] },
      ['architect', 'T1 simulated', 'T1 two', 'T1 three', 'architect', 'T2 simulated'],
    ],
  ])('A campaign chooses its fallback by the kind of failure: %s', (_, failing, expected) => {
    expect(lived(failing)).toEqual(expected);
  });

  it('The builder that fixes a clash gets its description, and the architect gets the reason', () => {
    const played = campaign({ kinds: ['integration', 'integration'], others: [] });
    played.goOn();
    const told = played.events.flatMap((event) =>
      event.type === 'step-started' && event.step.deed.kind === 'session' ? [event.step.deed.prompt] : [],
    );
    expect(told[2]).toContain('it clashes with something that is finished');
    expect(told[3]).toContain('T1 failed: it meets its own criteria and breaks finished work');
    expect(told[3]).toContain('(1: integration, 2: integration)');
  });

  it('The fallbacks end at a person when no new plan is left', () => {
    const played = campaign({
      kinds: Array(4).fill('integration') as FailureKind[],
      replansMax: 0,
      deadEnd: 'ask',
    });
    played.goOn();
    expect(steps(played)).toEqual(['architect', 'T1 simulated', 'T1 simulated', 'T1 two', 'T1 three']);
    expect(played.decide().waitingFor).toContain('retry or skip');
  });

  it('A landed task that other tasks made red again counts as a clash', () => {
    const played = playRun({ tasks: [simulatedTask('main', { criteria: [commandCriterion('works')] })] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    played.endCommit(played.beginOne(), 'c1');
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'again' });
    played.endCheck(played.beginOne(), { works: 'fail' }, { tail: 'got 4' });
    const task = played.run.tasks.get('main');
    if (task === undefined) throw new Error('the run has a task');
    expect(failureKind(played.run, task, 'again')).toBe('integration');
  });
});
