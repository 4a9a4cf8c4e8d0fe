// A person approves and then rejects while the run has no driver: the last decision counts.
import { describe, expect, it } from 'vitest';
import { planOf, playCampaign, tasksNamed } from '#test/simulated/played-campaign.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { commandCriterion, personCriterion, playRun, simulatedTask } from '#test/simulated/simulated-run.ts';
import { answeredLines } from '#views/questions/said.ts';
import { answeredItems } from '#views/questions/taken-back.ts';
import type { Control } from '#kernel/events/control.ts';
import { settleNext } from '#kernel/decide/decide-controls.ts';

const about = { taskId: 'main', criterionId: 'person', tree: 'work' };
const yes: Control = { kind: 'approve', ...about };
const no: Control = { kind: 'reject', ...about, why: 'ugly' };

function waiting(): PlayedRun {
  const criteria = [commandCriterion('works'), personCriterion];
  const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), {});
  played.settle();
  return played;
}

/** Recorded without a driver: the control is answered and has no effect yet. */
function say(played: PlayedRun, control: Control): string | undefined {
  const id = played.ask(control);
  played.record(...settleNext(played.run));
  return played.run.controls.get(id);
}

const words = ({ run }: PlayedRun) => answeredItems(run).map(({ word }) => word);

describe('A pending verdict', () => {
  it('A later verdict replaces a pending one, either way, and the driver uses the last [Q5] [K8]', () => {
    const rejected = waiting();
    expect([say(rejected, yes), words(rejected)]).toEqual(['applied', ['approve']]);
    expect([say(rejected, no), words(rejected)]).toEqual(['applied', ['reject']]);
    rejected.settle();
    expect(rejected.run.tasks.get('main')?.failures.last?.reason).toContain('ugly');
    expect(words(rejected)).toEqual([]);
    const approved = waiting();
    expect([say(approved, no), say(approved, yes)]).toEqual(['applied', 'applied']);
    approved.settle();
    expect(approved.run.tasks.get('main')?.status.is).toBe('proven');
  });

  it('A verdict that waits for a driver is refused and not shown if another one follows it [Q5]', () => {
    const played = waiting();
    const ids = [yes, no, yes].map((control) => played.ask(control));
    expect(words(played)).toEqual(['approve']);
    expect(answeredLines(played.run).join()).not.toContain('reject');
    played.settle();
    expect(ids.map((id) => played.run.controls.get(id))).toEqual(['applied', 'refused', 'applied']);
    expect(played.run.tasks.get('main')?.status.is).toBe('proven');
  });

  it("A verdict cannot be changed once the work has landed, and none is accepted on a check's own criterion [Q5] [X12]", () => {
    const played = waiting();
    expect(say(played, { ...yes, criterionId: 'works' })).toBe('refused');
    say(played, yes);
    played.settle();
    played.endCommit(played.beginOne(), 'c1');
    expect([say(played, no), words(played)]).toEqual(['refused', []]);
  });
});

describe('A pending verdict on a plan', () => {
  const proposed = () => {
    const life = playCampaign({
      plan: () => planOf(tasksNamed('T1')),
      planning: { approval: 'person', milestones: [] },
    });
    life.goOn();
    return life;
  };

  it('A later verdict on a plan replaces a pending one, either way [C1] [Q5]', () => {
    const rejected = proposed();
    rejected.ask({ kind: 'approve-plan', version: 1 });
    rejected.ask({ kind: 'reject-plan', version: 1, why: 'smaller steps' });
    expect(answeredItems(rejected.run)).toMatchObject([{ word: 'reject', item: { version: 1 } }]);
    rejected.settle();
    expect(rejected.run.plan).toMatchObject({ version: 0, problems: ['ann rejected it: smaller steps'] });
    const approved = proposed();
    approved.ask({ kind: 'reject-plan', version: 1, why: 'smaller steps' });
    approved.ask({ kind: 'approve-plan', version: 1 });
    approved.settle();
    expect(approved.run.plan.version).toBe(1);
  });
});
