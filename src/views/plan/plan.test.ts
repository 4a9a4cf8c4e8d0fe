import { describe, expect, it } from 'vitest';
import type { Check } from '#kernel/model/check.ts';
import { readPlan } from '#policies/planning/written-plan.ts';
import { planOf as settled, playCampaign, tasksNamed } from '#test/simulated/played-campaign.ts';
import { commandCriterion, simulatedTask } from '#test/simulated/simulated-run.ts';
import { checkAsWritten } from './check-table.ts';
import { planJson, planMermaid, planOf, planText } from './plan.ts';

function campaign() {
  const played = playCampaign({
    plan: () =>
      settled([
        simulatedTask('T-1', { title: 'Say "hi" <b>', domain: 'ui' }),
        simulatedTask('T.1', {
          dependsOn: ['T-1'],
          criteria: [commandCriterion('ready', { kind: 'entry' }), commandCriterion('works'), guard],
        }),
      ]),
    planning: { approval: 'person', milestones: [] },
  });
  played.goOn();
  return played;
}

const guard = commandCriterion('whole', { guard: true });

describe('a plan', () => {
  it('A plan is shown as a table with its criteria and its order, and says that it waits for approval [C1]', () => {
    const text = planText(planOf(campaign().run));
    expect(text).toContain('Plan 1 (waits for approval): 2 tasks');
    expect(text).toMatch(/^ {2}T\.1 {3}· {2}Task T\.1 +T-1 +– +0$/m);
    expect(text).toContain('before  ready: `check ready`');
    expect(text).toContain('done when  works: `check works`');
    expect(text).not.toContain('whole');
    expect(text).toMatch(/\[T-1\]\n {2}↓ \[T\.1 ← T-1\]$/);
  });

  it('A plan for approval says that the session budget is too small for it [X1] [C1]', () => {
    const played = playCampaign({
      plan: () => settled(tasksNamed(...Array.from({ length: 9 }, (_, n) => `T${n}`))),
      planning: { approval: 'person', milestones: [] },
      budget: { sessions: 6 },
    });
    played.goOn();
    expect(planText(planOf(played.run))).toMatch(
      /\n\nThe budget has 5 sessions left for 9 tasks; raise it: untildone resume run --budget sessions=37$/,
    );
    expect(planText(planOf(campaign().run))).not.toContain('The budget');
  });

  it('A plan fits on a screen when many tasks run in parallel or one waits for many [C1]', () => {
    const names = Array.from({ length: 40 }, (_, n) => `task-${n}`);
    const played = playCampaign({
      plan: () => settled([...tasksNamed(...names), simulatedTask('last', { dependsOn: names })]),
      planning: { approval: 'person', milestones: [] },
    });
    played.goOn();
    const lines = planText(planOf(played.run)).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(110);
    const order = lines.slice(lines.indexOf('Order:') + 1).join(' ');
    for (const name of names) expect(order).toContain(`[${name}]`);
    expect(order).toContain('[last ← task-0, task-1, task-2, task-3 and 36 more]');
  });

  it('Mermaid draws a plan with any title, and similar ids stay distinct [C1]', () => {
    const drawn = planMermaid(planOf(campaign().run));
    expect(drawn).toContain('t1["T-1 Say #quot;hi#quot; <b>"]\n');
    expect(drawn).toContain('t1 --> t2');
  });

  it('A plan can be read back as it was written, without the finished tasks [C1]', () => {
    const played = campaign();
    const { plan } = readPlan(JSON.stringify(planJson(played.run)));
    expect(plan?.tasks.map(({ id, dependsOn, isOver }) => [id, dependsOn, isOver])).toEqual([
      ['T-1', [], false],
      ['T.1', ['T-1'], false],
    ]);
    expect(plan?.tasks[1]?.entryCriteria).toMatchObject([
      { id: 'ready', text: 'ready', check: { run: 'check ready', timeout: '1m' } },
    ]);
    expect(plan?.tasks[1]?.exitCriteria).toHaveLength(1);
    played.ask({ kind: 'skip', taskId: 'T-1', why: 'later' });
    expect(
      planText(planOf({ ...played.run, tasks: new Map(), plan: { ...played.run.plan, proposal: null } })),
    ).toContain('There is no plan yet');
  });

  it.each<[Check, unknown]>([
    [{ kind: 'command', run: 'npm test', cwd: '', timeoutMs: 1 }, 'npm test'],
    [
      { kind: 'gate', gate: 'lint', run: 'x', cwd: 'web', timeoutMs: 1 },
      { run: 'x', gate: 'lint', cwd: 'web' },
    ],
    [
      { kind: 'file', path: 'a', holds: { kind: 'absent' } },
      { file: 'a', exists: false },
    ],
    [
      { kind: 'file', path: 'a', holds: { kind: 'json', path: 'b.c', value: '"d"' } },
      { file: 'a', json: 'b.c', equals: 'd' },
    ],
    [
      { kind: 'symbol', name: 'f', what: 'export', file: 'a.ts' },
      { symbol: 'f', what: 'export', in: 'a.ts' },
    ],
    [{ kind: 'human', question: 'good?' }, 'human'],
    [{ kind: 'held-out', hash: 'h' }, null],
  ])('A plan shows the check %j as a person would write it', (check, written) => {
    expect(checkAsWritten(check, 1)).toEqual(written);
  });
});
