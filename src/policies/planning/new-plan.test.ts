import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/apply.ts';
import { commandCriterion, planOf, playCampaign } from '#testing/played-campaign.ts';
import { simulatedTask } from '#testing/simulated-run.ts';

describe("a person's task in an agent's new plan", () => {
  const strict = {
    criteria: [commandCriterion('works'), commandCriterion('safe')],
    mayChange: ['test/**'],
    securityCritical: true,
    agents: { builder: { name: 'simulated', model: 'large' } },
  };
  const weak = { description: 'an easier way', hints: ['so'], criteria: [commandCriterion('works')] };

  /** A person's plan comes into force, and a task that they added; then the architect plans both anew. */
  function plannedAnew(approval: 'nobody' | 'person') {
    const played = playCampaign({
      plan: () => planOf([simulatedTask('T1', weak), simulatedTask('T2', weak)]),
      planning: { milestones: [], approval },
    });
    played.prepare();
    played.ask({ kind: 'change-plan', tasks: [simulatedTask('T1', strict)], dropped: [], why: 'mine' });
    played.settle();
    expect(played.run.plan.version).toBe(1);
    played.ask({ kind: 'add-task', task: simulatedTask('T2', strict) });
    played.ask({ kind: 'replan', why: 'think again' });
    played.goOn(({ taskId }) => taskId !== null);
    return played;
  }

  it('keeps what it must prove, who works on it and what it may change, when nobody approved that [C6] [X7]', () => {
    const played = plannedAnew('nobody');
    expect(played.run.plan.history).toHaveLength(2);
    for (const id of ['T1', 'T2'])
      expect(played.run.tasks.get(id)?.spec).toMatchObject({ ...strict, description: 'an easier way' });
    expect(replay(played.events)).toEqual(played.run);
  });

  it('is as the agent planned it when a person approved that [C6]', () => {
    const played = plannedAnew('person');
    played.ask({ kind: 'approve-plan', version: played.run.plan.proposal?.version ?? 0 });
    played.goOn(({ taskId }) => taskId !== null);
    expect(played.run.tasks.get('T1')?.spec).toEqual(simulatedTask('T1', weak));
  });
});
