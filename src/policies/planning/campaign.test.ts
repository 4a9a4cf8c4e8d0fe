import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Task } from '#kernel/model/task.ts';
import { assertProperty, countReached } from '#test/assert-property.ts';
import { simulatedTask } from '#test/simulated/simulated-run.ts';
import { planOf as planShown } from '#views/plan/plan.ts';
import { describeEvent } from '#views/lines/show.ts';
import type { PlayedCampaign } from '#test/simulated/played-campaign.ts';
import { commandCriterion, planOf, playCampaign, tasksNamed } from '#test/simulated/played-campaign.ts';

function factsOf<T extends Event['type']>({ events }: PlayedCampaign, type: T): (Event & { type: T })[] {
  return events.filter((event): event is Event & { type: T } => event.type === type);
}

function namesUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `T${index + 1}`);
}

/** A check of the whole stands for the goal, and is green when the tasks are done. */
const whole = [commandCriterion('whole')];
const withGoal = {
  onBase: (taskId: string): 'pass' | 'fail' => (taskId === 'goal' ? 'pass' : 'fail'),
  planning: { criteria: whole },
};

/** These tasks must not turn the guard red; it is red before the work. */
function guardedTasks(...ids: string[]): Task[] {
  const guard = { ...commandCriterion('whole'), guard: true } as const;
  return ids.map((id) => simulatedTask(id, { criteria: [commandCriterion('works'), guard] }));
}

describe('A campaign', () => {
  it('A campaign plans first, works on its tasks in order, and completes [C1] [C3]', () => {
    const played = playCampaign({
      plan: () =>
        planOf([simulatedTask('T2', { dependsOn: ['T1'] }), simulatedTask('T1'), simulatedTask('T3')]),
      planning: { milestones: [] },
    });
    expect(played.goOn()).toEqual(['architect', 'T1', 'T2', 'T3']);
    expect(played.run.outcome?.outcome).toBe('completed');
  });

  it('A wrong plan is sent back with its problems, and the campaign gives up after the last try [C1]', () => {
    const played = playCampaign({
      plan: (answer) => ({ ...planOf([]), problems: [`T1: wrong for the ${answer}. time`] }),
    });
    expect(played.goOn()).toEqual(['architect', 'architect', 'architect']);
    expect(played.run.outcome).toMatchObject({ outcome: 'failed' });
    expect(played.run.outcome?.reason).toContain('T1: wrong for the 3. time');
    const prompts = factsOf(played, 'step-started').flatMap(({ step }) =>
      step.deed.kind === 'session' ? [step.deed.prompt] : [],
    );
    expect(prompts[0]).not.toContain('could not be used');
    expect(prompts[1]).toContain('- T1: wrong for the 1. time');
    expect(prompts[1]).toContain('the map');
  });

  it('A campaign waits for the approval of its plan; a rejection goes to the architect, an approval starts the work [C1]', () => {
    const played = playCampaign({
      plan: (answer) => planOf(tasksNamed(`T${answer}`)),
      planning: { approval: 'person', milestones: [] },
    });
    expect(played.goOn()).toEqual(['architect']);
    expect(played.decide().waitingFor).toContain('approval of plan 1');
    played.ask({ kind: 'approve-plan', version: 7 });
    expect(played.goOn()).toEqual([]);
    played.ask({ kind: 'reject-plan', version: 1, why: 'too small' });
    expect(played.goOn()).toEqual(['architect']);
    expect(factsOf(played, 'step-started').at(-2)?.step.deed).toMatchObject({
      prompt: expect.stringContaining('too small') as string,
    });
    // An approval of the rejected plan does not approve the next one.
    played.ask({ kind: 'approve-plan', version: 1 });
    expect(played.goOn()).toEqual([]);
    played.ask({ kind: 'approve-plan', version: 2 });
    expect(played.goOn()).toEqual(['T2']);
    expect(played.run.outcome?.outcome).toBe('completed');
  });

  it('Each milestone before the last task has one drift check, for 1 to 20 tasks, whatever fails in between [C7]', () => {
    const slowOnes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 });
    const failing = countReached('an attempt that fails on the way', { floor: 1 });
    assertProperty(
      fc.property(slowOnes, (slow) => {
        for (let count = 1; count <= 20; count += 1) {
          const played = playCampaign({
            plan: () => planOf(tasksNamed(...namesUpTo(count))),
            verdict: (id, attempt) => (slow.includes(Number(id.slice(1))) && attempt === 1 ? 'fail' : 'pass'),
          });
          const sessions = played.goOn();
          if (factsOf(played, 'attempt-failed').length > 0) failing.mark();
          expect(played.run.outcome?.outcome).toBe('completed');
          const crossed = factsOf(played, 'milestones-crossed').map(({ percents }) => percents);
          const early = [25, 50, 75].filter((percent) => Math.ceil((percent * count) / 100) < count);
          expect(crossed.flat()).toEqual(early);
          expect(factsOf(played, 'drift-judged').map(({ percents }) => percents)).toEqual(crossed);
          expect(sessions.filter((one) => one === 'reflector')).toHaveLength(crossed.length);
          // Each milestone is judged directly after the task that crossed it.
          const before = played.events.filter(
            (_, at) => played.events[at + 1]?.type === 'milestones-crossed',
          );
          for (const event of before)
            expect(event).toMatchObject({ type: 'step-ended', result: { kind: 'commit' } });
        }
      }),
      { numRuns: 3, reaches: [failing] },
    );
  });

  it('A campaign replans after drift, gives the architect the reason, and keeps the finished tasks [C7] [C6]', () => {
    const played = playCampaign({
      ...withGoal,
      plan: (answer) => planOf(guardedTasks(...(answer === 1 ? ['T1', 'T2', 'T3', 'T4'] : ['T2', 'N1']))),
      reflection: (answer) =>
        answer === 1 ? '{"aligned": false, "reason": "nobody asked for a game"}' : '{"aligned": true}',
    });
    const sessions = played.goOn();
    expect(sessions.slice(0, 4)).toEqual(['architect', 'T1', 'reflector', 'architect']);
    expect(sessions.filter((one) => /^[TN]/.test(one))).toEqual(['T1', 'T2', 'N1']);
    expect(played.run.outcome?.outcome).toBe('completed');
    const asked = factsOf(played, 'step-started').flatMap(({ step }) =>
      step.deed.kind === 'session' && step.deed.role === 'architect' ? [step.deed.prompt] : [],
    );
    expect(asked[1]).toContain('DRIFT DETECTED: nobody asked for a game');
    expect(played.run.plan.history.at(-1)).toMatchObject({
      version: 2,
      added: ['N1'],
      changed: [],
      dropped: [
        { taskId: 'T3', why: expect.any(String) as string },
        { taskId: 'T4', why: expect.any(String) as string },
      ],
    });
    expect(played.run.tasks.get('T1')?.status.is).toBe('landed');
  });

  it('A reflector whose answer cannot be read is not asked again, and the run continues [C7]', () => {
    const played = playCampaign({ plan: () => planOf(tasksNamed('T1', 'T2')), reflection: () => 'hm' });
    expect(played.goOn()).toEqual(['architect', 'T1', 'reflector', 'T2']);
    expect(played.run.outcome?.outcome).toBe('completed');
    expect(played.run.plan.drifts).toMatchObject([{ isAligned: null }]);
  });

  it('No drift check is paid for after the last task, and none before the task of the goal itself [C7]', () => {
    const one = playCampaign({ plan: () => planOf(tasksNamed('T1')) });
    expect(one.goOn()).toEqual(['architect', 'T1']);
    expect(one.run.outcome?.outcome).toBe('completed');
    const withGoalTask = playCampaign({
      plan: () => planOf(guardedTasks('T1', 'T2')),
      planning: { criteria: whole },
    });
    expect(withGoalTask.goOn()).toEqual(['architect', 'T1', 'reflector', 'T2', 'goal']);
    expect(withGoalTask.run.outcome?.outcome).toBe('completed');
  });

  it('A shorter plan or a skipped task brings no second drift check for the same landed task [C7]', () => {
    const played = playCampaign({
      ...withGoal,
      plan: (answer) =>
        planOf(guardedTasks(...(answer === 1 ? ['T1', 'T2', 'T3', 'T4', 'T5'] : ['T2', 'T3']))),
      planning: { milestones: [20, 30, 60], criteria: whole },
      reflection: (answer) =>
        answer === 1 ? '{"aligned": false, "reason": "too much"}' : '{"aligned": true}',
    });
    // One of five has landed at the first check; by the shorter plan it is one of three, which crosses 30 % too.
    expect(played.goOn()).toEqual(['architect', 'T1', 'reflector', 'architect', 'T2', 'reflector', 'T3']);
    expect(factsOf(played, 'milestones-crossed').map(({ percents }) => percents)).toEqual([[20], [30, 60]]);
    const skipping = playCampaign({
      plan: () => planOf(tasksNamed('T1', 'T2', 'T3', 'T4')),
      verdict: (id) => (id === 'T2' ? 'fail' : 'pass'),
      planning: { replansMax: 0, deadEnd: 'ask', milestones: [25, 75] },
    });
    expect(skipping.goOn().filter((name) => name === 'reflector')).toHaveLength(2);
    skipping.ask({ kind: 'skip', taskId: 'T2', why: 'not needed' });
    expect(skipping.goOn()).toEqual([]);
    expect(skipping.run.outcome?.outcome).toBe('completed');
  });

  it('A task is tried four times, on the next agent each time; then the circuit breaker opens and the campaign replans [C6]', () => {
    const agents = ['b', 'c', 'd'].map((name) => ({ name, model: null }));
    const played = playCampaign({
      ...withGoal,
      plan: (answer) => planOf(guardedTasks(...(answer === 1 ? ['T1', 'T2'] : ['T2', 'T1b']))),
      verdict: (id) => (id === 'T1' ? 'fail' : 'pass'),
      planning: { milestones: [], criteria: whole },
      policy: { routing: { domains: {}, fallbacks: agents } },
    });
    expect(played.goOn()).toEqual(['architect', 'T1', 'T1', 'T1', 'T1', 'architect', 'T2', 'T1b']);
    expect(played.run.outcome?.outcome).toBe('completed');
    const used = factsOf(played, 'step-started').flatMap(({ step }) =>
      step.taskId === 'T1' && step.deed.kind === 'session' ? [step.deed.agent.name] : [],
    );
    expect(used).toEqual(['simulated', 'b', 'c', 'd']);
    // A person sees which agent is next, and that the last agent has no fallback.
    expect(
      factsOf(played, 'attempt-failed').map((event) => describeEvent(event).includes('next agent')),
    ).toEqual([true, true, true, false]);
    expect(played.run.tasks.get('T1')?.status.is).toBe('dropped');
    const again = factsOf(played, 'step-started').flatMap(({ step }) =>
      step.deed.kind === 'session' && step.deed.role === 'architect' ? [step.deed.prompt] : [],
    )[1];
    expect(again).toContain('T1 failed: all 4 attempts were used');
    expect(again).toContain('`check works`: exit 1');
    // Open tasks are shown in full: the architect cannot keep a task that it does not see.
    expect(again).toContain('- T2: ');
    expect(again).toContain('  make T2 work\n  done when: works (`check works`)');
    expect(again?.match(/what git remembers/gi)).toHaveLength(1);
  });

  it('Attempts are counted per task: the failures of one take nothing from another [C6]', () => {
    const played = playCampaign({
      plan: () => planOf(tasksNamed('T1', 'T2')),
      verdict: (_, attempt) => (attempt < 4 ? 'fail' : 'pass'),
      planning: { milestones: [] },
    });
    expect(played.goOn()).toEqual([
      'architect',
      ...Array<string>(4).fill('T1'),
      ...Array<string>(4).fill('T2'),
    ]);
    expect(played.run.outcome?.outcome).toBe('completed');
  });

  it('A campaign replans at once when two attempts in a row change nothing [C6]', () => {
    const played = playCampaign({
      plan: (answer) => planOf(tasksNamed(answer === 1 ? 'T1' : 'T2')),
      tree: (id, attempt) => (id === 'T1' ? 'base' : `${id}-${attempt}`),
      planning: { milestones: [] },
    });
    expect(played.goOn()).toEqual(['architect', 'T1', 'T1', 'architect', 'T2']);
    expect(factsOf(played, 'task-failed')[0]?.reason).toContain('cannot be done as planned');
  });

  it('A campaign without replans left ends as blocked and names what blocks what; other tasks run first [C3] [C6]', () => {
    const played = playCampaign({
      plan: (answer) =>
        planOf([
          simulatedTask('T1', { hints: [`way ${answer}`] }),
          simulatedTask('T2', { dependsOn: ['T1'] }),
          simulatedTask('T3'),
        ]),
      verdict: (id) => (id === 'T1' ? 'fail' : 'pass'),
      planning: { milestones: [], replansMax: 1 },
    });
    const sessions = played.goOn();
    expect(sessions.filter((one) => one === 'architect')).toHaveLength(2);
    expect(sessions).toContain('T3');
    expect(played.run.outcome?.outcome).toBe('blocked');
    expect(played.run.outcome?.reason).toMatch(/^T2 waits for T1; T1 failed: all 4 attempts/);
  });

  it('A new plan must change a failed task: a task before it or another approach is accepted [C6]', () => {
    const plans = (...later: (readonly Task[])[]) => {
      const played = playCampaign({
        plan: (answer) => planOf(answer === 1 ? tasksNamed('T1', 'T2') : (later[answer - 2] ?? [])),
        verdict: (id) => (id === 'T2' ? 'fail' : 'pass'),
        planning: { milestones: [], replansMax: 1, refusalsMax: 1 },
      });
      played.goOn();
      return factsOf(played, 'plan-refused').map(({ problems }) => problems.join());
    };
    const refused = 'T2: it failed as it is planned here; change it, plan something before it, or drop it';
    expect(plans(tasksNamed('T2'), tasksNamed('T2', 'X'))).toEqual([refused, refused]);
    expect(plans(tasksNamed('X', 'T2'))).toEqual([]);
    expect(plans([simulatedTask('T2', { hints: ['another way'] })])).toEqual([]);
  });

  it('A stuck run waits for a person where the settings say so, and continues after a skip or a retry [C6]', () => {
    const played = playCampaign({
      plan: () => planOf([simulatedTask('T1'), simulatedTask('T2', { dependsOn: ['T1'] })]),
      verdict: (id) => (id === 'T1' ? 'fail' : 'pass'),
      planning: { milestones: [], replansMax: 0, deadEnd: 'ask' },
    });
    played.goOn();
    expect(played.run.outcome).toBeNull();
    expect(played.decide().waitingFor).toContain('retry or skip');
    played.ask({ kind: 'retry', taskId: 'T1' });
    expect(played.goOn()).toEqual(['T1', 'T1', 'T1', 'T1']);
    played.ask({ kind: 'skip', taskId: 'T1', why: 'not needed' });
    expect(played.goOn()).toEqual(['T2']);
    expect(played.run.outcome?.outcome).toBe('completed');
  });

  it('A campaign without a usable new plan continues with the other tasks and names what blocks what [C3] [C6]', () => {
    const played = playCampaign({
      plan: (answer) =>
        answer === 1
          ? planOf([simulatedTask('T1'), simulatedTask('T2', { dependsOn: ['T1'] }), simulatedTask('T3')])
          : planOf([], { problems: ['T9 waits for itself'] }),
      verdict: (id) => (id === 'T1' ? 'fail' : 'pass'),
      planning: { milestones: [], replansMax: 3, refusalsMax: 2 },
    });
    const sessions = played.goOn();
    expect(sessions.filter((one) => one === 'architect')).toHaveLength(4);
    expect(sessions.at(-1)).toBe('T3');
    expect(factsOf(played, 'plan-given-up')[0]?.why).toContain(
      'in 3 tries; the last problem: T9 waits for itself',
    );
    expect(played.run.outcome?.outcome).toBe('blocked');
    expect(played.run.outcome?.reason).toMatch(/^T2 waits for T1; T1 failed: all 4 attempts/);
  });

  it('A campaign asks a person when no usable new plan comes and no other task is left [C6]', () => {
    const played = playCampaign({
      plan: (answer) => (answer === 1 ? planOf(tasksNamed('T1', 'T2')) : planOf([], { problems: ['no'] })),
      verdict: (id) => (id === 'T1' ? 'fail' : 'pass'),
      planning: { milestones: [], replansMax: 2, deadEnd: 'ask' },
    });
    played.goOn();
    expect(played.run.tasks.get('T2')?.status.is).toBe('landed');
    expect(played.decide().waitingFor).toMatch(/T1 failed, and no usable plan came: retry or skip it/);
    played.ask({ kind: 'retry', taskId: 'T1' });
    expect(played.goOn()).toEqual(['T1', 'T1', 'T1', 'T1']);
    expect(played.run.outcome).toBeNull();
  });

  it('Drift without a new plan stops the campaign: for a person, or finally if prompts are off [C7]', () => {
    const drifting = (deadEnd: 'ask' | 'end', replansMax: number) => {
      const played = playCampaign({
        plan: (answer) => (answer === 1 ? planOf(tasksNamed('T1', 'T2')) : planOf([], { problems: ['no'] })),
        reflection: () => '{"aligned": false, "reason": "off the road"}',
        planning: { milestones: [50], replansMax, deadEnd },
      });
      played.goOn();
      return played;
    };
    for (const replansMax of [0, 1]) {
      const ended = drifting('end', replansMax);
      expect(ended.run.outcome).toMatchObject({ outcome: 'blocked' });
      expect(ended.run.outcome?.reason).toMatch(
        replansMax === 0 ? /off the road.*all 0 new plans are used/ : /off the road.*no usable plan in/,
      );
      const asked = drifting('ask', replansMax);
      expect(asked.run.outcome).toBeNull();
      expect(asked.decide().waitingFor).toMatch(/off the road.*plan --replace/);
      expect(asked.run.tasks.get('T2')?.attempt).toBe(0);
    }
  });

  it('A campaign replans when an entry criterion does not hold, and starts nothing [C4]', () => {
    const shut = simulatedTask('T1', {
      criteria: [commandCriterion('ready', { kind: 'entry' }), commandCriterion('works')],
    });
    const played = playCampaign({
      plan: (answer) => planOf(answer === 1 ? [shut] : tasksNamed('T2')),
      planning: { milestones: [] },
    });
    expect(played.goOn()).toEqual(['architect', 'architect', 'T2']);
    expect(factsOf(played, 'plan-wanted').map(({ cause }) => cause)).toEqual(['start', 'entry']);
  });

  it("The goal's own checks verify the whole, and no session is paid where they are green [X7]", () => {
    const goal = commandCriterion('whole');
    const green = playCampaign({
      plan: () => planOf(tasksNamed('T1')),
      onBase: (taskId) => (taskId === 'goal' ? 'pass' : 'fail'),
      planning: { milestones: [], criteria: [goal] },
    });
    expect(green.goOn()).toEqual(['architect', 'T1']);
    expect(green.run.outcome?.outcome).toBe('completed');
    const red = playCampaign({
      plan: () => planOf(tasksNamed('T1')),
      planning: { milestones: [], criteria: [goal] },
    });
    expect(red.goOn()).toEqual(['architect', 'T1', 'goal']);
    expect(red.run.outcome?.outcome).toBe('completed');
  });

  it('A check of the whole may stay red during the work, but may not turn red [X7]', () => {
    const guarded = (id: string) =>
      simulatedTask(id, {
        criteria: [commandCriterion('works'), commandCriterion('whole', { guard: true })],
      });
    const red = playCampaign({ plan: () => planOf([guarded('T1')]), planning: { milestones: [] } });
    red.goOn();
    expect(red.run.outcome?.outcome).toBe('completed');
    const broken = playCampaign({
      plan: () => planOf([guarded('T1')]),
      onBase: (_, id) => (id === 'whole' ? 'pass' : 'fail'),
      verdict: (_, __, id) => (id === 'whole' ? 'fail' : 'pass'),
      planning: { milestones: [], replansMax: 0 },
    });
    broken.goOn();
    expect(broken.run.tasks.get('T1')?.failures.trail[0]?.kind).toBe('integration');
  });

  it('A campaign is unverified when the checks of one task prove nothing, however green the others are [X7]', () => {
    const played = playCampaign({
      plan: () => planOf(tasksNamed('T1', 'T2')),
      onBase: (id) => (id === 'T2' ? 'pass' : 'fail'),
      planning: { milestones: [] },
    });
    played.goOn();
    expect(played.run.outcome).toMatchObject({
      outcome: 'unverified',
      reason: expect.stringContaining('T2') as string,
    });
  });

  it('The plan for approval shows the tasks that a person added [C1] [Q5]', () => {
    const played = playCampaign({
      plan: () => planOf(tasksNamed('T1')),
      planning: { approval: 'person', milestones: [] },
    });
    played.goOn();
    played.ask({ kind: 'add-task', task: simulatedTask('X1') });
    played.goOn();
    const { isProposal, tasks } = planShown(played.run);
    expect({ isProposal, ids: tasks.map(({ spec }) => spec.id) }).toEqual({
      isProposal: true,
      ids: ['T1', 'X1'],
    });
    played.ask({ kind: 'approve-plan', version: 1 });
    expect(played.goOn().toSorted()).toEqual(['T1', 'X1']);
  });

  it('A plan that changes finished tasks is refused [C6]', () => {
    const played = playCampaign({ plan: () => planOf(tasksNamed('T1', 'T2')), planning: { milestones: [] } });
    played.goOn(({ taskId, deed }) => taskId === 'T2' && deed.kind === 'session');
    played.ask({ kind: 'change-plan', tasks: tasksNamed('T1'), dropped: [], why: 'again' });
    played.settle();
    expect(factsOf(played, 'control-refused').at(-1)?.reason).toContain('T1 is done');
  });

  it('A campaign is unverified when an unapproved plan drops a task and no check covers the whole [X3]', () => {
    const played = playCampaign({
      plan: (answer) => planOf(tasksNamed(...(answer === 1 ? ['T1', 'T2'] : ['T3']))),
      verdict: (id) => (id === 'T2' ? 'fail' : 'pass'),
      planning: { milestones: [] },
    });
    played.goOn();
    expect(played.run.outcome).toMatchObject({
      outcome: 'unverified',
      reason: expect.stringContaining('a new plan drops T2') as string,
    });
  });

  it.each([
    ['a check of the whole that was green before says nothing', 'pass', false, 'no check of the whole goal'],
    ['what a person planned is not left out by anybody else', 'fail', true, 'a person had planned it'],
  ] as const)(
    'A campaign that drops a task is unverified: %s [X3] [X7]',
    (_, before, isAuthoredByPerson, why) => {
      const played = playCampaign({
        plan: (answer) =>
          planOf(guardedTasks(...(answer === 1 && !isAuthoredByPerson ? ['T1', 'T2'] : ['T3']))),
        verdict: (id) => (id === 'T2' ? 'fail' : 'pass'),
        onBase: (id, criterionId) => (criterionId === 'whole' ? (id === 'goal' ? 'pass' : before) : 'fail'),
        planning: { milestones: [], criteria: whole },
      });
      played.prepare();
      if (isAuthoredByPerson) {
        played.ask({ kind: 'change-plan', tasks: guardedTasks('T1', 'T2'), dropped: [], why: 'mine' });
      }
      played.goOn();
      expect(played.run.outcome).toMatchObject({
        outcome: 'unverified',
        reason: `a new plan drops T2 (the new plan drops it); no person approved that, and ${why}${isAuthoredByPerson ? '' : ' failed before the work'}`,
      });
    },
  );

  describe('A new plan that requires less of a failed task', () => {
    const guard = { ...commandCriterion('whole'), guard: true } as const;
    const asking = (...ids: string[]): Task =>
      simulatedTask('T2', { criteria: [...ids.map((id) => commandCriterion(id)), guard] });
    /** The hard task succeeds with the third plan. */
    const play = (
      before: 'pass' | 'fail',
      plans: readonly (readonly Task[])[],
      approval: 'nobody' | 'person' = 'nobody',
    ) => {
      let made = 0;
      return playCampaign({
        plan: (answer) => {
          made = answer;
          return planOf(plans[answer - 1] ?? []);
        },
        verdict: (_id, _attempt, criterionId) => (criterionId === 'hard' && made < 3 ? 'fail' : 'pass'),
        onBase: (id, criterionId) => (criterionId === 'whole' ? (id === 'goal' ? 'pass' : before) : 'fail'),
        planning: { milestones: [], criteria: whole, approval },
      });
    };
    const said = 'a new plan asked less of T2 (no longer: hard)';
    const first = [...guardedTasks('T1'), asking('hard', 'easy')];

    it('A campaign with weaker requirements is unverified if no check covers the whole goal [X3] [X7]', () => {
      const played = play('pass', [first, [asking('easy')]]);
      played.goOn();
      expect(played.run.outcome).toMatchObject({
        outcome: 'unverified',
        reason: `${said}; no person approved that, and no check of the whole goal failed before the work`,
      });
    });

    it('A campaign with weaker requirements completes if a check of the whole goal flipped, and says so [X7]', () => {
      const played = play('fail', [first, [asking('easy')]]);
      played.goOn();
      expect(played.run.outcome).toMatchObject({ outcome: 'completed' });
      expect(played.run.outcome?.reason).toContain(said);
    });

    it('A campaign completes if a later plan restores the requirement, or a person approved the weaker one [X7]', () => {
      const again = play('pass', [first, [asking('hard')], [asking('easy', 'hard')]]);
      again.goOn();
      expect(again.run.outcome).toMatchObject({ outcome: 'completed' });
      expect(again.run.outcome?.reason).not.toContain('asked less');
      const person = play('pass', [first, [asking('easy')]], 'person');
      for (const version of [1, 2]) {
        person.goOn();
        person.ask({ kind: 'approve-plan', version });
      }
      person.goOn();
      expect(person.run.outcome).toMatchObject({ outcome: 'completed' });
    });
  });

  it('A campaign is the same run when its facts are read again, at every step [D1]', () => {
    const played = playCampaign({
      ...withGoal,
      plan: (answer) => planOf(guardedTasks(...(answer === 1 ? ['T1', 'T2', 'T3'] : ['T3', 'N1']))),
      verdict: (id) => (id === 'T2' ? 'fail' : 'pass'),
    });
    played.goOn();
    expect(played.run.outcome?.outcome).toBe('completed');
    expect(replay(played.events)).toEqual(played.run);
  });
});
