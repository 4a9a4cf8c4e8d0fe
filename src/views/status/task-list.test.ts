import { describe, expect, it } from 'vitest';
import { commandCriterion, playRun, simulatedBudget, simulatedTask } from '#test/simulated/simulated-run.ts';
import { planOf, playCampaign, tasksNamed } from '#test/simulated/played-campaign.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { openReport } from '#views/report/report.ts';
import { progressBlock } from './progress.ts';
import { statusText } from './status.ts';
import { stateJson } from './state-json.ts';
import { summaryText } from '#views/report/summary.ts';
import { taskLines } from './task-list.ts';
import { spentLine } from '#views/words.ts';

/** The first has landed, the second was given up, the third waits for the second. */
function played(): PlayedRun {
  const criteria = [commandCriterion('works')];
  const run = playRun({
    tasks: [
      simulatedTask('task-3', { title: 'Log in', criteria }),
      simulatedTask('GH-7', { title: 'Log out', criteria }),
      simulatedTask('task-2', { title: 'Search', criteria, dependsOn: ['GH-7'] }),
    ],
    config: { budget: simulatedBudget({ attemptsPerTask: 1 }) },
  });
  run.prepare();
  run.endCheck(run.beginOne(), { works: 'fail' });
  run.endSession(run.beginOne(), { endTree: 'right', usage: { usd: 0.25, tokens: 10 } });
  run.endCheck(run.beginOne(), { works: 'pass' });
  run.endCommit(run.beginOne(), 'c0ffee1234567');
  run.endCheck(run.beginOne(), { works: 'fail' });
  return run;
}

describe('Spending', () => {
  it('The reservation of a session that was cut off is shown apart from reported costs [X1]', () => {
    const life = playRun({ tasks: [simulatedTask('T1', { criteria: [commandCriterion('works')] })] });
    life.prepare();
    life.endCheck(life.beginOne(), { works: 'fail' });
    life.record({
      type: 'step-lost',
      stepId: life.beginOne().stepId,
      reason: 'the machine went down',
      usage: null,
    });
    life.endSession(life.beginOne(), { endTree: 'right', usage: { usd: 0.25, tokens: 10_000 } });
    expect(spentLine(life.run)).toMatch(
      /^2 sessions, \$0\.25, 10k tokens, .* of work, and \$\S+ and \S+ tokens reserved for 1 session that was cut off$/,
    );
  });
});

describe('Open tasks', () => {
  it('The open list names the started tasks, and only a few of hundreds not started', () => {
    const tasks = Array.from({ length: 300 }, (_, n) =>
      simulatedTask(`T${n + 1}`, { criteria: [commandCriterion('works')] }),
    );
    const life = playRun({ tasks });
    life.prepare();
    life.endCheck(life.beginOne(), { works: 'fail' });
    life.beginOne();
    const report = openReport(life.run)?.split('\n') ?? [];
    expect(report.slice(0, 2)).toEqual([
      'Still open:',
      expect.stringMatching(/^ {2}T1: .*\(active, 1 attempt\)$/),
    ]);
    expect(report.at(-1)).toBe('  … and 289 tasks not started');
    expect(report).toHaveLength(13);
  });
});

describe('Many tasks', () => {
  it('Status and the progress block list many tasks, each with its cost [Q9] [Q2]', () => {
    const life = played();
    const builder = life.beginOne();
    expect(progressBlock(life.run).split('\n').slice(0, 2)).toEqual([
      'Progress: [1 of 3] ▰▰▰▱▱▱▱▱▱▱ 33%',
      'Current: Task GH-7 - Log out',
    ]);
    expect(statusText(life.run, { holder: null })).toContain(
      [
        'Tasks:',
        '  ✅ task-3 - Log in (1 attempt, 1 session, $0.25, commit c0ffee1234)',
        '  ▶️  GH-7 - Log out (1 attempt)',
        '  ⏳ task-2 - Search (waits for GH-7)',
        '',
        'Criteria:',
        '  ⏳ works:',
      ].join('\n'),
    );
    life.endSession(builder, { endTree: 'wrong', usage: { usd: null, tokens: null } });
    life.endCheck(life.beginOne(), { works: 'fail' });
    life.settle();
    expect(life.run.outcome?.outcome).toBe('blocked');
    const summary = summaryText(life.run, { logsDir: '/logs' });
    expect(summary).toMatch(/❌ GH-7 - Log out \(1 attempt, 1 session\): the only attempt was used/);
    expect(summary).toMatch(/1 of 3 criteria pass[^]*❌ GH-7\/works/);
    expect(stateJson(life.run).tasks).toMatchObject([
      { id: 'task-3', status: 'landed', costUsd: 0.25, sessions: 1, commit: 'c0ffee1234567' },
      { id: 'GH-7', status: 'failed', costUsd: null, costIsComplete: false },
      { id: 'task-2', status: 'waiting', sessions: 0 },
    ]);
  });

  it('Tasks that a new plan drops are neither counted nor checked, and the outcome names them [C6] [Q9]', () => {
    const life = playCampaign({
      plan: (answer) => planOf(tasksNamed(...(answer === 1 ? ['T1', 'T2'] : ['T2']))),
      verdict: (id) => (id === 'T1' ? 'fail' : 'pass'),
      planning: { milestones: [], approval: 'person' },
    });
    for (const version of [1, 2]) {
      life.goOn();
      life.ask({ kind: 'approve-plan', version });
    }
    life.goOn();
    expect(life.run.outcome).toMatchObject({
      outcome: 'completed',
      reason: expect.stringContaining('; dropped by a new plan: T1') as string,
    });
    expect(progressBlock(life.run)).toContain('Progress: [1 of 1] ▰▰▰▰▰▰▰▰▰▰ 100%');
    const summary = summaryText(life.run, { logsDir: '/logs' });
    expect(summary).toMatch(/🗑️ {2}T1 - [^]*1 of 1 criterion pass/);
    expect(summary).not.toContain('❌');
  });

  it('Finished tasks are never paid for twice: the rest can be retried, or the finished ones landed without it [Q5] [Q9]', () => {
    const life = playCampaign({
      plan: () => planOf(tasksNamed('T1', 'T2', 'T3')),
      verdict: (id) => (id === 'T3' ? 'fail' : 'pass'),
      planning: { milestones: [], replansMax: 0 },
    });
    life.goOn();
    expect(summaryText(life.run, { logsDir: '/logs' })).toMatch(
      /Next: .* untildone retry T3 --run run; or .*; or keep the 2 tasks that are done: untildone land run --unproven/,
    );
  });

  it('Tasks are numbered by their own ids, and a single task has no list [Q9]', () => {
    const life = playRun({ tasks: [simulatedTask('task-3', { title: 'Log in' })] });
    expect(progressBlock(life.run)).toContain('Current: Task 3 - Log in');
    expect(taskLines(life.run)).toEqual([]);
  });

  it('Any number of tasks fits on one screen', () => {
    const tasks = Array.from({ length: 1000 }, (_, at) => simulatedTask(`t${at}`));
    const lines = taskLines(playRun({ tasks }).run);
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toContain('and 995 more');
  });
});
