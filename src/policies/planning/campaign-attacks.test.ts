// Architects, reflectors and people that act at the wrong moment must not break a campaign.
import { describe, expect, it } from 'vitest';
import { replay } from '#kernel/fold/apply.ts';
import type { Event } from '#kernel/events/events.ts';
import type { Step } from '#kernel/model/step.ts';
import { simulatedTask } from '#test/simulated/simulated-run.ts';
import type { CampaignScript, PlayedCampaign } from '#test/simulated/played-campaign.ts';
import { commandCriterion, planOf, playCampaign, tasksNamed } from '#test/simulated/played-campaign.ts';

function statuses({ run }: PlayedCampaign): { [id: string]: string } {
  return Object.fromEntries([...run.tasks].map(([id, { status }]) => [id, status.is]));
}

function refusals({ events }: PlayedCampaign): string[] {
  return events.flatMap((event: Event) => (event.type === 'control-refused' ? [event.reason] : []));
}

function promptsOf({ events }: PlayedCampaign, role: string): string[] {
  return events.flatMap((event: Event) =>
    event.type === 'step-started' && event.step.deed.kind === 'session' && event.step.deed.role === role
      ? [event.step.deed.prompt]
      : [],
  );
}

/** Two plans, the second one because the work drifted after the first task; it waits for approval. */
function drifted(plans: CampaignScript['plan']): PlayedCampaign {
  const played = playCampaign({
    plan: plans,
    reflection: (answer) => (answer === 1 ? '{"aligned": false, "reason": "off"}' : '{"aligned": true}'),
    planning: { approval: 'person', milestones: [25] },
  });
  played.goOn();
  played.ask({ kind: 'approve-plan', version: 1 });
  played.goOn();
  expect(played.run.plan.proposal?.version).toBe(2);
  return played;
}

const isBuilderOf =
  (id: string) =>
  ({ taskId, deed }: Step): boolean =>
    taskId === id && deed.kind === 'session';

describe('A campaign under attack', () => {
  it("A new plan for the whole is verified by the goal's own checks again [X7] [C6]", () => {
    const played = playCampaign({
      plan: (answer) => planOf(tasksNamed(answer === 1 ? 'T1' : 'N1')),
      verdict: (id) => (id === 'goal' ? 'fail' : 'pass'),
      planning: { milestones: [], criteria: [commandCriterion('whole')], replansMax: 1 },
    });
    const sessions = played.goOn();
    // The tasks of the new plan do not turn the check of the goal green.
    expect(sessions.slice(0, 8)).toEqual([
      'architect',
      'T1',
      'goal',
      'goal',
      'goal',
      'goal',
      'architect',
      'N1',
    ]);
    expect(sessions.slice(8)).toEqual(['goal', 'goal', 'goal', 'goal']);
    expect(played.run.outcome?.outcome).not.toBe('completed');
    expect(replay(played.events)).toEqual(played.run);
  });

  it('A new plan can restore a task that an earlier plan had dropped [C6]', () => {
    const played = playCampaign({
      plan: (answer) =>
        planOf(
          tasksNamed(
            ...([
              ['T1', 'T2'],
              ['N1', 'N2'],
              ['N2', 'T2'],
            ][answer - 1] ?? []),
          ),
        ),
      reflection: (answer) => `{"aligned": ${answer > 2}, "reason": "off"}`,
      planning: { milestones: [25, 60] },
    });
    expect(played.goOn().filter((one) => /^[TN]/.test(one))).toEqual(['T1', 'N1', 'N2', 'T2']);
    expect(statuses(played)).toEqual({ T1: 'landed', N1: 'landed', N2: 'landed', T2: 'landed' });
    expect(played.run.outcome?.outcome).toBe('completed');
    expect(played.run.plan.gone).toBe(0);
  });

  it('Tasks that a person skipped or added while the new plan waited for approval stay so [Q5] [C6]', () => {
    const played = drifted((answer) =>
      planOf(tasksNamed(...(answer === 1 ? ['T1', 'T2', 'T3', 'T4'] : ['T2', 'T3', 'N1']))),
    );
    played.ask({ kind: 'skip', taskId: 'T2', why: 'elsewhere' });
    played.ask({ kind: 'add-task', task: simulatedTask('X') });
    played.settle();
    played.ask({ kind: 'approve-plan', version: 2 });
    expect(played.goOn().toSorted()).toEqual(['N1', 'T3', 'X']);
    expect(refusals(played)).toEqual([]);
    expect(statuses(played)).toMatchObject({ T2: 'skipped', T4: 'dropped', X: 'landed' });
    expect(replay(played.events)).toEqual(played.run);
  });

  it('A plan that waits for approval is withdrawn when the person asks for another one [C1]', () => {
    const played = drifted((answer) =>
      planOf(tasksNamed('T1', 'T2', `N${answer}`).slice(answer > 1 ? 1 : 0)),
    );
    played.ask({ kind: 'replan', why: 'smaller steps' });
    expect(played.goOn()).toEqual(['architect']);
    expect(promptsOf(played, 'architect').at(-1)).toContain('smaller steps');
    expect(played.run.plan.proposal?.tasks.map(({ id }) => id)).toEqual(['T2', 'N3']);
    // A plan that a person requests does not count against the limit for failures.
    expect(played.run.plan.replans).toBe(1);
  });

  it('A campaign accepts a new plan from a person at any moment, in force after the current task [C6]', () => {
    const played = playCampaign({
      plan: () => planOf(tasksNamed('T1', 'T2', 'T3')),
      planning: { approval: 'person', milestones: [] },
    });
    played.goOn();
    played.ask({ kind: 'approve-plan', version: 1 });
    played.goOn(isBuilderOf('T1'));
    played.ask({ kind: 'change-plan', tasks: tasksNamed('T1', 'X'), dropped: [], why: 'now' });
    played.settle();
    expect(refusals(played)).toEqual([]);
    expect(played.run.plan.version).toBe(1);
    played.ask({ kind: 'approve-plan', version: 2 });
    played.settle();
    expect(refusals(played)).toEqual([expect.stringMatching(/^plan 2 is approved already, by /)]);
    const [open] = played.run.running.values();
    if (open !== undefined) played.endSession(open, { endTree: 'T1-done' });
    expect(played.goOn()).toEqual(['X']);
    expect(statuses(played)).toEqual({ T1: 'landed', T2: 'dropped', T3: 'dropped', X: 'landed' });
    expect(played.run.outcome?.outcome).toBe('completed');
    expect(replay(played.events)).toEqual(played.run);
  });

  it('A replan request waits for the current task, and is refused while the architect is planning [C6]', () => {
    const played = playCampaign({
      plan: (answer) => planOf(tasksNamed(...(answer === 1 ? ['T1', 'T2'] : ['N1']))),
      planning: { milestones: [] },
    });
    played.goOn(({ deed }) => deed.kind === 'session' && deed.role === 'architect');
    played.ask({ kind: 'replan', why: 'too late' });
    played.settle();
    expect(refusals(played)).toEqual(['a plan is being made already']);
    const [asked] = played.run.running.values();
    if (asked !== undefined) played.endSession(asked, { signal: { kind: 'report', text: '1' } });
    played.goOn(isBuilderOf('T1'));
    played.ask({ kind: 'replan', why: 'better' });
    played.settle();
    const [open] = played.run.running.values();
    if (open !== undefined) played.endSession(open, { endTree: 'T1-done' });
    expect(played.goOn()).toEqual(['architect', 'N1']);
    expect(refusals(played)).toHaveLength(1);
  });

  it('The architect sees the remaining tasks, also when nothing is done yet [C6]', () => {
    const played = playCampaign({
      plan: (answer) => planOf(tasksNamed(...(answer === 1 ? ['T1', 'T2'] : ['T2']))),
      verdict: (id) => (id === 'T1' ? 'fail' : 'pass'),
      planning: { milestones: [] },
    });
    played.goOn();
    expect(promptsOf(played, 'architect')[1]).toMatch(/Still to do by the plan so far[^]*- T2: Task T2/);
  });

  it('A campaign accepts a domain that is a JavaScript property name [C8]', () => {
    const played = playCampaign({
      plan: () => planOf([simulatedTask('T1', { domain: 'constructor' })]),
      planning: { milestones: [] },
      policy: { routing: { domains: {}, fallbacks: [] } },
    });
    expect(played.goOn()).toEqual(['architect', 'T1']);
  });

  it('An architect that changes files or hangs is refused with the reason [C1]', () => {
    const editing = playCampaign({
      plan: () => planOf(tasksNamed('T1')),
      session: ({ deed }) =>
        deed.kind === 'session' && deed.role === 'architect' ? { endTree: 'edited' } : {},
    });
    expect(editing.goOn()).toEqual(['architect', 'architect', 'architect']);
    expect(editing.run.outcome?.reason).toContain('files were changed; an architect only plans');
    const hanging = playCampaign({
      plan: () => planOf(tasksNamed('T1')),
      session: () => ({ ending: { kind: 'timed-out', limit: 'wall' }, signal: null, endTree: null }),
    });
    hanging.goOn();
    expect(hanging.run.outcome).toMatchObject({ outcome: 'failed' });
    expect(hanging.run.outcome?.reason).toMatch(/time/);
  });

  it('A campaign does not end while its delayed reflector is pending, and the goal is not checked before [C7] [X7]', () => {
    let isBusy = true;
    const played = playCampaign({
      plan: () => planOf(tasksNamed('T1', 'T2')),
      session: ({ deed }) =>
        deed.kind === 'session' && deed.role === 'reflector' && isBusy
          ? { ending: { kind: 'failed', errorClass: 'overloaded', detail: 'busy' }, signal: null }
          : {},
      onBase: () => 'fail',
      planning: { criteria: [commandCriterion('whole')] },
    });
    expect(played.goOn()).toEqual(['architect', 'T1', 'reflector']);
    // Then all tasks of the plan are done.
    played.ask({ kind: 'skip', taskId: 'T2', why: 'not needed' });
    expect(played.goOn()).toEqual([]);
    expect(played.decide()).toMatchObject({ record: [], start: [], isTimed: true });
    expect(played.run.outcome).toBeNull();
    isBusy = false;
    played.pass(3_600_000);
    expect(played.goOn()).toEqual(['reflector', 'goal']);
    expect(played.run.outcome?.outcome).toBe('completed');
  });

  it('No task starts while the checks of a new plan or of an added task are being pinned [X8]', () => {
    const played = playCampaign({
      plan: () => planOf(tasksNamed('T1', 'T2')),
      planning: { milestones: [] },
      policy: { parallel: 2 },
    });
    played.prepare();
    played.goOn(({ deed }) => deed.kind === 'prepare');
    played.ask({ kind: 'tell', text: 'well' });
    expect(played.begin()).toEqual([]);
    const end = (): void => {
      const result = { kind: 'prepare', baseCommit: 'c0', baseTree: 'base', branch: 'b', pins: [] } as const;
      for (const { stepId } of played.run.running.values())
        played.record({ type: 'step-ended', stepId, result });
    };
    end();
    const [first, second] = played.begin();
    // A person adds a task while the checks of another task run: it waits for its pins.
    played.ask({ kind: 'add-task', task: simulatedTask('U1', { rank: 0 }) });
    played.endCheck(first ?? raise(), { works: 'pass' });
    played.endCheck(second ?? raise(), { works: 'fail' });
    expect(played.begin()).toMatchObject([{ deed: { kind: 'prepare' } }]);
    expect(played.begin()).toEqual([]);
    end();
    expect(played.goOn()).toContain('U1');
  });

  it('A reflector that changed files, or that quotes its instructions, is not believed [C7]', () => {
    const judged = (script: Partial<CampaignScript>): (boolean | null)[] => {
      const played = playCampaign({ plan: () => planOf(tasksNamed('T1', 'T2')), ...script });
      played.goOn();
      return played.run.plan.drifts.map(({ isAligned }) => isAligned);
    };
    const editing: CampaignScript['session'] = ({ deed }) =>
      deed.kind === 'session' && deed.role === 'reflector' ? { endTree: 'edited' } : {};
    expect(judged({ session: editing })).toEqual([null]);
    const quote = 'I am to say {"aligned": true, "reason": "it is fine"} but I could not look.';
    expect(judged({ reflection: () => quote })).toEqual([null]);
    expect(judged({ reflection: () => '{"aligned": true, "reason": "one sentence"}' })).toEqual([null]);
    expect(judged({ reflection: () => '```json\n{"aligned": true, "reason": "so"}\n```' })).toEqual([true]);
  });
});

function raise(): never {
  throw new Error('it is there');
}
