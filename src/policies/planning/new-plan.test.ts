import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Task } from '#kernel/model/task.ts';
import type { PlayedCampaign } from '#test/simulated/played-campaign.ts';
import { commandCriterion, planOf, playCampaign, tasksNamed } from '#test/simulated/played-campaign.ts';
import { simulatedTask } from '#test/simulated/simulated-run.ts';
import { attentionText } from '#views/questions/attention-text.ts';
import { attentionItems } from '#views/questions/attention-items.ts';
import { notificationsOf } from '#views/notification.ts';
import { planText, planOf as planShown } from '#views/plan/plan.ts';
import { describeEvent } from '#views/lines/show.ts';
import { stageOf } from '#views/status/stage.ts';
import { questionOf } from '#kernel/model/task.ts';
import { taskOf } from '#kernel/fold/run.ts';

describe("A person's task in an agent's new plan", () => {
  const strict = {
    criteria: [commandCriterion('works'), commandCriterion('safe')],
    mayChange: ['test/**'],
    securityCritical: true,
    agents: { builder: { name: 'simulated', model: 'large' } },
  };
  const weak = { description: 'an easier way', hints: ['so'], criteria: [commandCriterion('works')] };

  /** A person's plan and an added task take effect; then the architect plans both again. */
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

  it("A person's task keeps its requirements, agent and allowed files in an unapproved new plan [C6] [X7]", () => {
    const played = plannedAnew('nobody');
    expect(played.run.plan.history).toHaveLength(2);
    for (const id of ['T1', 'T2'])
      expect(played.run.tasks.get(id)?.spec).toMatchObject({ ...strict, description: 'an easier way' });
    expect(replay(played.events)).toEqual(played.run);
  });

  it("A person's task follows an approved new plan, under the rules that only a person can set [C6] [Q8]", () => {
    const played = plannedAnew('person');
    played.ask({ kind: 'approve-plan', version: played.run.plan.proposal?.version ?? 0 });
    played.goOn(({ taskId }) => taskId !== null);
    expect(played.run.tasks.get('T1')?.spec).toEqual({
      ...simulatedTask('T1', strict),
      ...weak,
    });
  });
});

describe('A campaign with an open question', () => {
  const asks = { signal: { kind: 'needs-input', question: 'Euro or dollar?' } } as const;

  function played(script: Partial<Parameters<typeof playCampaign>[0]>) {
    let isAsked = false;
    return playCampaign({
      plan: () => planOf(tasksNamed('T1', 'T2', 'T3', 'T4')),
      session: ({ taskId }) => {
        if (taskId !== 'T1' || isAsked) return {};
        isAsked = true;
        return asks;
      },
      ...script,
    });
  }

  it('A campaign with an open question continues with its milestones and other tasks, and ends after the answer [C3] [C7]', () => {
    const campaign = played({});
    expect(campaign.goOn()).toEqual([
      'architect',
      'T1',
      'T2',
      'reflector',
      'T3',
      'reflector',
      'T4',
      'reflector',
    ]);
    expect(campaign.decide().waitingFor).toContain('Euro or dollar?');
    campaign.ask({ kind: 'answer', questionId: 'q-builder_001', text: 'euro' });
    expect(campaign.goOn()).toEqual(['T1']);
    expect(campaign.run.outcome?.outcome).toBe('completed');
    expect(replay(campaign.events)).toEqual(campaign.run);
  });

  it('A plan comes into force despite an open question, which stays with an unchanged task [C6]', () => {
    const campaign = played({ planning: { milestones: [], approval: 'person' } });
    campaign.goOn();
    campaign.ask({ kind: 'approve-plan', version: 1 });
    campaign.goOn(({ taskId, deed }) => taskId === 'T2' && deed.kind === 'commit');
    campaign.ask({ kind: 'replan', why: 'think again' });
    campaign.endCommit([...campaign.run.running.values()][0] ?? raise(), 'c2');
    campaign.goOn();
    expect(attentionItems(campaign.run).map(({ kind }) => kind)).toEqual(['plan', 'question']);
    campaign.ask({ kind: 'approve-plan', version: campaign.run.plan.proposal?.version ?? 0 });
    expect(campaign.goOn()).toEqual(['T3', 'T4']);
    expect(campaign.run.tasks.get('T1')).toMatchObject({ status: { is: 'needs-input' }, attempt: 1 });
    campaign.ask({ kind: 'answer', questionId: 'q-builder_001', text: 'euro' });
    expect(campaign.goOn()).toEqual(['T1']);
    expect(campaign.run.outcome?.outcome).toBe('completed');
    expect(replay(campaign.events)).toEqual(campaign.run);
  });

  it('The question of a task that is replanned or dropped is closed [C6]', () => {
    for (const next of [[simulatedTask('T1', { description: 'dollar' })], tasksNamed('T9')]) {
      const campaign = played({ planning: { milestones: [] } });
      campaign.goOn(({ taskId }) => taskId === 'T2');
      campaign.ask({ kind: 'change-plan', tasks: next, dropped: [], why: 'dollar' });
      const step = [...campaign.run.running.values()][0] ?? raise();
      campaign.endCheck(step, { works: 'fail' });
      expect(campaign.goOn()).toEqual([next[0]?.id]);
      expect(questionOf(taskOf(campaign.run, 'T1'))).toBeNull();
      expect(campaign.run.queue.active.size).toBe(0);
      expect(campaign.run.outcome?.outcome).toBe('completed');
      expect(replay(campaign.events)).toEqual(campaign.run);
    }
  });

  it('An answer during planning starts no task beside the architect [C6]', () => {
    const campaign = played({ planning: { milestones: [] } });
    campaign.goOn();
    campaign.ask({ kind: 'replan', why: 'think again' });
    campaign.goOn(({ deed }) => deed.kind === 'session' && deed.role === 'architect');
    campaign.ask({ kind: 'answer', questionId: 'q-builder_001', text: 'euro' });
    expect(campaign.begin()).toEqual([]);
    expect(campaign.run.tasks.get('T1')?.status.is).toBe('active');
  });
});

describe('A new plan that waits for approval', () => {
  it("A person's own pending plan comes into force before the architect is asked for another [Q5] [C6]", () => {
    const campaign = playCampaign({
      plan: () => planOf(tasksNamed('T1')),
      planning: { milestones: [], approval: 'person' },
    });
    campaign.goOn();
    const mine = { kind: 'change-plan', tasks: tasksNamed('M1', 'M2'), dropped: [], why: 'mine' } as const;
    campaign.ask(mine);
    campaign.ask({ kind: 'replan', why: 'think again' });
    campaign.goOn();
    expect(campaign.run.plan).toMatchObject({ version: 2, proposal: { version: 3 } });
    campaign.ask({ kind: 'reject-plan', version: 3, why: 'no' });
    campaign.ask({ ...mine, tasks: tasksNamed('M1') });
    campaign.goOn(({ taskId }) => taskId === 'M1');
    campaign.ask({ ...mine, tasks: tasksNamed('M9') });
    campaign.ask({ kind: 'replan', why: 'once more' });
    campaign.begin();
    expect([...campaign.run.controls.values()].slice(-2)).toEqual(['applied', 'refused']);
  });

  it('A plan can be approved at any moment: it comes into force when the running task is over [C6]', () => {
    let isAsked = false;
    const campaign = playCampaign({
      plan: (answer) => planOf(answer === 1 ? tasksNamed('T1', 'T2') : tasksNamed('T1', 'N1')),
      session: ({ taskId }) => {
        if (taskId !== 'T1' || isAsked) return {};
        isAsked = true;
        return { signal: { kind: 'needs-input', question: 'Euro or dollar?' } };
      },
      planning: { milestones: [], approval: 'person' },
    });
    campaign.goOn();
    campaign.ask({ kind: 'approve-plan', version: 1 });
    campaign.goOn(({ taskId }) => taskId === 'T2');
    campaign.ask({ kind: 'replan', why: 'think again' });
    campaign.endCheck([...campaign.run.running.values()][0] ?? raise(), { works: 'fail' });
    campaign.goOn();
    campaign.ask({ kind: 'answer', questionId: 'q-builder_001', text: 'euro' });
    campaign.goOn(({ taskId, deed }) => taskId === 'T1' && deed.kind === 'session');
    campaign.ask({ kind: 'approve-plan', version: 2 });
    expect(attentionItems(campaign.run)).toEqual([]);
    campaign.ask({ kind: 'approve-plan', version: 2 });
    expect(campaign.begin()).toEqual([]);
    expect(campaign.run.plan).toMatchObject({ version: 1, proposal: { approvedBy: 'ann' } });
    expect([...campaign.run.controls.values()].slice(-2)).toEqual(['applied', 'refused']);
    expect(planText(planShown(campaign.run))).toContain('it takes effect when the running task has ended');
    campaign.endSession([...campaign.run.running.values()][0] ?? raise(), { endTree: 'T1-done' });
    expect(campaign.goOn()).toEqual(['N1']);
    expect(campaign.run.plan.version).toBe(2);
    expect(campaign.run.tasks.get('T1')).toMatchObject({
      status: { is: 'landed' },
      origin: { isPerson: false },
    });
    expect(replay(campaign.events)).toEqual(campaign.run);
  });

  it('A plan for approval shows its additions, changes and drops against the one in force [C1] [C6]', () => {
    const campaign = playCampaign({
      plan: (answer) =>
        answer === 1
          ? planOf(tasksNamed('T1', 'T2', 'T3', 'T4'))
          : planOf(
              [
                simulatedTask('T1', { description: 'otherwise', dependsOn: ['N1'] }),
                simulatedTask('T2', { hints: ['so'] }),
                ...tasksNamed('N1', 'N2'),
              ],
              {
                dropped: [{ taskId: 'T3', why: 'not needed' }],
                reasons: [
                  { taskId: 'N1', why: 'it comes first' },
                  { taskId: 'T2', why: 'it was unclear' },
                ],
              },
            ),
      planning: { milestones: [], approval: 'person' },
    });
    campaign.goOn();
    expect(planText(planShown(campaign.run))).not.toMatch(/Added|Changed|Dropped/);
    campaign.ask({ kind: 'approve-plan', version: 1 });
    campaign.ask({ kind: 'replan', why: 'think again' });
    campaign.goOn();
    const added = '\nAdded:\n  N1: it comes first\n  N2\n';
    const dropped = '\nDropped:\n  T3: not needed\n  T4: the new plan drops it\n';
    expect(planText(planShown(campaign.run))).toContain(
      `${added}\nChanged:\n  T1: other description, dependencies\n  T2: it was unclear\n${dropped}`,
    );
    // It also holds for tasks that were not part of the question, as long as the plan is in effect.
    campaign.ask({ kind: 'approve-plan', version: 2 });
    campaign.settle();
    expect(planText(planShown(campaign.run))).toContain(
      `${added}\nChanged:\n  T1\n  T2: it was unclear\n${dropped}`,
    );
  });
});

describe('A task that a person added', () => {
  it("A person's task that a plan changes stays theirs: a later plan that omits it does not remove it [Q5] [C6]", () => {
    const plans = [
      tasksNamed('T1', 'T2'),
      [simulatedTask('U1', { hints: ['so'] }), ...tasksNamed('T1', 'T2')],
    ];
    const campaign = playCampaign({
      plan: (answer) => planOf(plans[answer - 1] ?? tasksNamed('T2', 'N1')),
      planning: { milestones: [] },
    });
    campaign.goOn(({ taskId }) => taskId === 'T1');
    campaign.ask({ kind: 'add-task', task: simulatedTask('U1') });
    for (const why of ['think again', 'once more']) {
      campaign.ask({ kind: 'replan', why });
      for (const step of campaign.run.running.values()) campaign.endCheck(step, { works: 'fail' });
      campaign.goOn(({ deed, taskId }) => deed.kind === 'check' && taskId !== null);
    }
    expect(campaign.run.plan.version).toBe(3);
    expect(campaign.run.tasks.get('U1')).toMatchObject({ origin: { by: 'ann' }, spec: { hints: ['so'] } });
    expect(campaign.run.tasks.get('U1')?.status.is).not.toBe('dropped');
  });
});

describe("A person's priority", () => {
  const urgent = simulatedTask('U1', { rank: 0 });
  const low = simulatedTask('L1', { rank: 3 });

  /** Two tasks of a plan, two that a person adds with a priority, and then another plan. */
  function plannedAnew(next: Task[]) {
    const campaign = playCampaign({
      plan: (answer) => planOf(answer === 1 ? tasksNamed('T1', 'T2') : next),
      planning: { milestones: [], approval: 'person' },
    });
    campaign.goOn();
    campaign.ask({ kind: 'approve-plan', version: 1 });
    campaign.goOn(({ taskId }) => taskId === 'T1');
    for (const task of [low, urgent]) campaign.ask({ kind: 'add-task', task });
    campaign.ask({ kind: 'replan', why: 'think again' });
    campaign.endCheck([...campaign.run.running.values()][0] ?? raise(), {});
    campaign.goOn();
    return campaign;
  }

  it("A person's priority survives a new plan, whether that plan names the task or not [C3] [Q5]", () => {
    const named = ['L1', 'T1', 'T2', 'N1', 'U1'].map((id) => simulatedTask(id));
    for (const next of [tasksNamed('T1', 'T2', 'N1'), named]) {
      const campaign = plannedAnew(next);
      const shown = planShown(campaign.run).tasks.map(({ spec }) => spec.id);
      campaign.ask({ kind: 'approve-plan', version: 2 });
      const worked = campaign.goOn();
      expect([...new Set(worked)]).toEqual(['U1', 'T1', 'T2', 'N1', 'L1']);
      expect(shown).toEqual([...new Set(worked)]);
      expect(planText(planShown(campaign.run))).toMatch(/U1 .* critical .*/);
      expect(replay(campaign.events)).toEqual(campaign.run);
    }
  });

  it("A person's priority extends to the dependencies of the urgent task, in any order of the plan [C3]", () => {
    const chain = [
      simulatedTask('U1', { dependsOn: ['N2'] }),
      simulatedTask('T1'),
      simulatedTask('N2', { dependsOn: ['N3'] }),
      simulatedTask('T2'),
      simulatedTask('N3'),
    ];
    const campaign = plannedAnew(chain);
    campaign.ask({ kind: 'approve-plan', version: 2 });
    expect([...new Set(campaign.goOn())]).toEqual(['N3', 'N2', 'U1', 'T1', 'T2', 'L1']);
  });
});

describe('A repeated request to the architect', () => {
  const promptsOf = (campaign: PlayedCampaign): string[] =>
    campaign.events.flatMap((event) =>
      event.type === 'step-started' &&
      event.step.deed.kind === 'session' &&
      event.step.deed.role === 'architect'
        ? [event.step.deed.prompt]
        : [],
    );
  const lastAnswer = (text: string): string => `## Your last answer\n\`\`\`\n${text}\n\`\`\`\n`;

  it('The architect sees the refused plan and its problems until a plan is in force [C1]', () => {
    const campaign = playCampaign({
      plan: (answer) => (answer === 1 ? planOf([], { problems: ['T1: no'] }) : planOf(tasksNamed('T1'))),
      session: ({ deed }) =>
        deed.kind === 'session' && deed.role === 'architect' ? { signal: said(deed.ordinal) } : {},
      planning: { milestones: [], approval: 'person' },
    });
    campaign.goOn();
    campaign.ask({ kind: 'reject-plan', version: 1, why: 'too small' });
    // No message is lost: neither the reason of the rejection nor the later ones.
    campaign.ask({ kind: 'replan', why: 'and mind the tests' });
    campaign.goOn();
    campaign.ask({ kind: 'approve-plan', version: 2 });
    campaign.ask({ kind: 'replan', why: 'once more' });
    campaign.goOn();
    const [first, second, third, fourth] = promptsOf(campaign);
    expect(first).not.toContain('last answer');
    expect(second).toContain(lastAnswer('1'));
    expect(second).toContain('- T1: no');
    expect(third).toContain(lastAnswer('2'));
    expect(third).toMatch(/mind the tests[^]*rejected it: too small/);
    expect(third).not.toContain('T1: no');
    expect(fourth).not.toContain('last answer');
  });

  it('The architect sees all open tasks, also those that wait for an answer and those that failed [C1] [C6]', () => {
    let isAsked = false;
    const campaign = playCampaign({
      plan: () =>
        planOf(['T1', 'T2', 'T3', 'T4'].map((id) => simulatedTask(id, { description: `all about ${id}` }))),
      session: ({ taskId }) => {
        if (taskId !== 'T1' || isAsked) return {};
        isAsked = true;
        return { signal: { kind: 'needs-input', question: 'Euro or dollar?' } };
      },
      verdict: (taskId) => (taskId === 'T3' ? 'fail' : 'pass'),
      planning: { milestones: [50] },
    });
    campaign.goOn(({ taskId }) => taskId === 'T4');
    const [, prompt] = promptsOf(campaign);
    for (const id of ['T1', 'T3', 'T4']) expect(prompt).toContain(`all about ${id}`);
    expect(prompt).not.toContain('all about T2');
    expect(prompt?.split('all about T3')).toHaveLength(2);
    campaign.endCheck([...campaign.run.running.values()][0] ?? raise(), { works: 'fail' });
    campaign.goOn();
    const reflected = campaign.events.flatMap((event) =>
      event.type === 'step-started' &&
      event.step.deed.kind === 'session' &&
      event.step.deed.role === 'reflector'
        ? [event.step.deed.prompt]
        : [],
    );
    expect(reflected[0]).toMatch(/## Still planned\n- T1: Task T1/);
  });

  it('The architect has all its tries again after a usable plan, even if a person rejected it [C1]', () => {
    const campaign = playCampaign({
      plan: (answer) => (answer === 3 ? planOf(tasksNamed('T1')) : planOf([], { problems: ['no'] })),
      planning: { milestones: [], approval: 'person' },
    });
    expect(campaign.goOn()).toHaveLength(3);
    campaign.ask({ kind: 'reject-plan', version: 1, why: 'otherwise' });
    expect(campaign.goOn()).toHaveLength(3);
    expect(campaign.run.outcome?.reason).toContain('in 3 tries');
  });

  function said(ordinal: number) {
    return { kind: 'report', text: String(ordinal) } as const;
  }
});

describe('A plan that leads away from the goal', () => {
  function astray(deadEnd: 'ask' | 'end') {
    const campaign = playCampaign({
      plan: (answer) => (answer === 1 ? planOf(tasksNamed('T1', 'T2')) : planOf([], { problems: ['no'] })),
      reflection: () => '{"aligned": false, "reason": "off the road"}',
      planning: { milestones: [50], deadEnd },
    });
    campaign.goOn();
    return campaign;
  }

  it('A drifted plan does not continue when the requested architect has no other plan [C7]', () => {
    const campaign = astray('ask');
    campaign.ask({ kind: 'replan', why: 'mind the goal' });
    expect(campaign.goOn()).toEqual(['architect', 'architect', 'architect']);
    expect(campaign.decide().waitingFor).toMatch(/off the road.*no usable plan in 3 tries.*plan --replace/);
    const [prompt] = campaign.events
      .flatMap((event) =>
        event.type === 'step-started' && event.step.deed.kind === 'session' ? [event.step.deed.prompt] : [],
      )
      .slice(-3);
    expect(prompt).toMatch(/DRIFT DETECTED: off the road\n\nann: mind the goal/);
    expect(campaign.run.tasks.get('T2')?.attempt).toBe(0);
    expect(replay(campaign.events)).toEqual(campaign.run);
  });

  it('A drifted plan continues when a person supplies a plan, even the same one [C7]', () => {
    const campaign = astray('ask');
    campaign.ask({ kind: 'change-plan', tasks: tasksNamed('T2'), dropped: [], why: 'it is right' });
    campaign.ask({ kind: 'replan', why: 'and yet' });
    // The plan is no longer refused: only the request for a new plan fails now.
    expect(campaign.goOn()).toEqual(['architect', 'architect', 'architect', 'T2']);
    expect(campaign.run.outcome?.outcome).toBe('completed');
  });
});

describe('A stuck run', () => {
  const settings = { repository: 'shop', warnPercent: 80 };
  const isAsked = ({ run }: PlayedCampaign) => {
    const event: Event = { type: 'driver-left', at: run.now, reason: 'a person' };
    return notificationsOf(run, [event], settings).map(({ id, kind, title, commands }) => ({
      id,
      kind,
      title,
      commands,
    }));
  };

  it('Every view of a stuck run asks a person how to continue, with the commands [C11] [C6]', () => {
    const campaign = playCampaign({
      plan: () => planOf(tasksNamed('T1')),
      verdict: () => 'fail',
      planning: { milestones: [], replansMax: 0, deadEnd: 'ask' },
    });
    campaign.goOn();
    const [item] = attentionItems(campaign.run);
    expect(item).toMatchObject({ kind: 'dead-end', failed: 'T1' });
    expect(stageOf(campaign.run)).toMatch(
      /^waiting for a person: How should the run continue\? T1 failed, and all 0/,
    );
    const text = attentionText(campaign.run, item ?? raise(), { change: null, isDriven: false });
    expect(text).toMatch(/What failed:\n  T1 - Task T1: all 4 attempts/);
    expect(isAsked(campaign)).toMatchObject([
      { kind: 'needs-input', title: 'The run needs you to continue' },
    ]);
    expect(isAsked(campaign)[0]?.commands).toEqual([
      'untildone retry T1 --run run',
      'untildone skip T1 --run run --why "…"',
      'untildone plan --again "…" --run run',
      'untildone plan --replace FILE --run run',
      'untildone stop run',
    ]);
    // The decision is pending: the question is not asked again.
    campaign.ask({ kind: 'skip', taskId: 'T1', why: 'not needed' });
    expect(attentionItems(campaign.run)).toEqual([]);
  });

  it('A stuck run asks again when the plan that a person requested did not come [C11] [C7]', () => {
    const campaign = playCampaign({
      plan: (answer) => (answer === 1 ? planOf(tasksNamed('T1', 'T2')) : planOf([], { problems: ['no'] })),
      reflection: () => '{"aligned": false, "reason": "off the road"}',
      planning: { milestones: [50], deadEnd: 'ask' },
    });
    campaign.goOn();
    const first = isAsked(campaign);
    expect(first[0]?.commands).not.toContainEqual(expect.stringContaining('retry'));
    campaign.ask({ kind: 'replan', why: 'mind the goal' });
    expect(attentionItems(campaign.run)).toEqual([]);
    campaign.goOn();
    const second = isAsked(campaign);
    expect(second).toMatchObject([{ kind: 'needs-input' }]);
    expect(second[0]?.id).not.toBe(first[0]?.id);
  });
});

describe('A finished run', () => {
  const failing = (known: Partial<Parameters<typeof playCampaign>[0]>) => {
    const campaign = playCampaign({
      plan: (answer) => (answer === 1 ? planOf(tasksNamed('T1', 'T2')) : planOf(tasksNamed('N1'))),
      planning: { milestones: [], replansMax: 0 },
      ...known,
    });
    campaign.goOn();
    return campaign;
  };

  it('A finished run continues with another plan of the architect or a person, and keeps the finished tasks [C6]', () => {
    const verdict = (id: string): 'pass' | 'fail' => (id === 'T2' ? 'fail' : 'pass');
    for (const control of [
      { kind: 'replan', why: 'another way' },
      { kind: 'change-plan', tasks: tasksNamed('N1'), dropped: [], why: 'mine' },
    ] as const) {
      const campaign = failing({ verdict });
      expect(campaign.run.outcome).toMatchObject({ outcome: 'exhausted' });
      campaign.ask(control);
      expect(campaign.goOn()).toEqual(control.kind === 'replan' ? ['architect', 'N1'] : ['N1']);
      expect(campaign.run.tasks.get('T1')?.status.is).toBe('landed');
      expect(campaign.run.reopenings).toHaveLength(1);
      expect(replay(campaign.events)).toEqual(campaign.run);
    }
  });

  it('A run that reached its goal, or that never had a plan, is not replanned [C6]', () => {
    const campaign = failing({});
    expect(campaign.run.outcome?.outcome).toBe('completed');
    campaign.ask({ kind: 'replan', why: 'more' });
    expect(campaign.goOn()).toEqual([]);
    expect([...campaign.run.controls.values()]).toEqual(['refused']);
  });

  it('A reopened run starts the architect or reflector that could not work again [C7]', () => {
    for (const role of ['architect', 'reflector']) {
      let isBroken = true;
      const campaign = failing({
        plan: () => planOf(tasksNamed('T1', 'T2')),
        planning: { milestones: [50] },
        session: ({ deed }) =>
          deed.kind === 'session' && deed.role === role && isBroken
            ? { ending: { kind: 'failed', errorClass: 'authentication', detail: 'bad login' }, signal: null }
            : {},
      });
      expect(campaign.run.outcome?.outcome).toBe('failed');
      isBroken = false;
      campaign.ask(
        role === 'architect' ? { kind: 'replan', why: 'logged in' } : { kind: 'retry', taskId: 'T2' },
      );
      campaign.goOn();
      expect(campaign.run.outcome?.outcome).toBe('completed');
    }
  });
});

describe('The reflector', () => {
  it('A reflector that cannot work at all ends the run with the reason, as an architect does [C7]', () => {
    const campaign = playCampaign({
      plan: () => planOf(tasksNamed('T1', 'T2')),
      session: ({ deed }) =>
        deed.kind === 'session' && deed.role === 'reflector'
          ? { ending: { kind: 'failed', errorClass: 'authentication', detail: 'bad login' }, signal: null }
          : {},
    });
    expect(campaign.goOn()).toEqual(['architect', 'T1', 'reflector']);
    expect(campaign.run.outcome).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/^the reflector could not work: .*bad login/) as string,
    });
  });

  it('A reflector that finds drift when no replan is left announces no new plan [C7]', () => {
    const campaign = playCampaign({
      plan: () => planOf(tasksNamed('T1', 'T2')),
      reflection: () => '{"aligned": false, "reason": "wrong way"}',
      planning: { replansMax: 0 },
    });
    campaign.goOn();
    expect(campaign.run.outcome?.outcome).toBe('blocked');
    const judged = campaign.events.findIndex(({ type }) => type === 'drift-judged');
    const event = campaign.events[judged];
    if (event?.type !== 'drift-judged') throw new Error('it is judged');
    expect(describeEvent(event)).toBe('Campaign drifted from goal, and no new plan is left (wrong way)');
    const settings = { repository: 'shop', warnPercent: 80 };
    expect(notificationsOf(campaign.run, campaign.events.slice(judged), settings)[0]?.title).toBe(
      'Campaign drifted from goal, and no new plan is left',
    );
  });
});

function raise(): never {
  throw new Error('something runs');
}
