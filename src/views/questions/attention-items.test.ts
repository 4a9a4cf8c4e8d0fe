import { describe, expect, it } from 'vitest';
import { planOf, playCampaign, tasksNamed } from '#test/simulated/played-campaign.ts';
import {
  commandCriterion,
  personCriterion,
  playRun,
  reviewerCriterion,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { listJson } from '#views/status/list.ts';
import { attentionText } from './attention-text.ts';
import { attentionItems, quoted } from './attention-items.ts';
import { planOf as planShown, planText } from '#views/plan/plan.ts';
import { reviewLines } from '#views/report/reviews.ts';
import { answeredLines } from './said.ts';
import { stateJson } from '#views/status/state-json.ts';
import { summaryText } from '#views/report/summary.ts';
import { statusText } from '#views/status/status.ts';
import type { ReviewVerdict } from '#kernel/model/review.ts';

const unsure: ReviewVerdict = { verdict: 'pass', confidence: 0.2, blockers: [], text: 'I could not run it' };

function reviewed(
  verdict: ReviewVerdict,
  criteria = [commandCriterion('works'), reviewerCriterion],
): PlayedRun {
  const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), {});
  const signal = { kind: 'verdict', verdict } as const;
  played.endSession(played.beginOne(), { signal, ran: { driver: 'claude', model: 'opus' } });
  return played;
}

function parked(): PlayedRun {
  const played = reviewed(unsure);
  const signal = { kind: 'verdict', verdict: unsure } as const;
  played.endSession(played.beginOne(), { signal, ran: { driver: 'claude', model: 'opus' } });
  played.settle();
  return played;
}

describe('Attention items', () => {
  it('A person is asked when nothing else is missing, and not before [K8] [Q10]', () => {
    const criteria = [commandCriterion('works'), reviewerCriterion, personCriterion];
    const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    expect(attentionItems(played.run)).toEqual([]);
    played.endCheck(played.beginOne(), {});
    played.endSession(played.beginOne(), {});
    played.settle();
    expect(attentionItems(played.run)).toMatchObject([
      { kind: 'verdict', criterionId: 'person', tree: 'work', question: 'Is it good?' },
    ]);
    played.ask({ kind: 'approve', taskId: 'main', criterionId: 'person', tree: 'work' });
    played.settle();
    expect(attentionItems(played.run)).toEqual([]);
    expect(summaryText(played.run, { logsDir: '' })).toMatch(
      /^ {2}✅ person: person, approved by ann at \d{4}-\d\d-\d\d \d\d:\d\d UTC$/m,
    );
  });

  it('A person is not asked again after an answer, even without a driver, and the answer is shown [Q5]', () => {
    const played = parked();
    const about = { taskId: 'main', criterionId: 'verifier', tree: 'work' };
    expect(answeredLines(played.run)).toEqual([]);
    played.ask({ kind: 'reject', ...about, tree: 'other', why: 'no' });
    expect(attentionItems(played.run)).toHaveLength(1);
    played.ask({ kind: 'approve', ...about });
    expect(attentionItems(played.run)).toEqual([]);
    expect(answeredLines(played.run).at(-1)).toBe(
      'Decided by ann: approve verifier of task main. It takes effect with: untildone resume run',
    );
    expect(statusText(played.run, { holder: null })).toContain('Status: Decided by ann: ');
    expect(stateJson(played.run)).toMatchObject({
      questions: [],
      said: [{}, { by: 'ann', control: 'approve' }],
    });
  });

  it('Status says what happened to a plan, and that a run without one is planned first [C1]', () => {
    const campaign = playCampaign({
      plan: () => planOf(tasksNamed('T1')),
      planning: { approval: 'person', milestones: [] },
    });
    expect(statusText(campaign.run, { holder: null })).toContain('\nTask: none yet, the plan comes first\n');
    campaign.goOn();
    campaign.ask({ kind: 'reject-plan', version: 1, why: 'smaller steps' });
    expect(attentionItems(campaign.run)).toEqual([]);
    expect(planText(planShown(campaign.run))).toContain('Plan 1 (decided; see below)');
    expect(answeredLines(campaign.run)[0]).toContain('reject plan 1 (smaller steps)');
  });

  it('An attention item shows all needed information on one screen [Q10]', () => {
    const { run } = parked();
    const [item] = attentionItems(run);
    if (item === undefined) throw new Error('a person is asked');
    const text = attentionText(run, item, { change: ' a.js | 2 +-', isDriven: false });
    for (const part of [
      'the verifier says pass, but is only 20 % sure',
      'Wanted: make main work',
      '✅ works',
      '❓ verifier (simulated, opus): pass (20 % sure), asked 2 times',
      '"I could not run it"',
      'a.js | 2 +-',
      'git diff base work',
      'untildone approve run --task main --criterion verifier --tree work',
      'untildone reject run --task main --criterion verifier --tree work --why "…"',
      'untildone resume run',
    ])
      expect(text).toContain(part);
    expect(text.split('\n').length).toBeLessThan(40);
    expect(attentionText(run, item, { change: null, isDriven: true })).not.toContain('untildone resume');
  });

  it('A file outside the repository is named by its place, and git is not asked about it [X8]', () => {
    const { run } = parked();
    const [item] = attentionItems(run);
    if (item?.kind !== 'verdict') throw new Error('a person is asked');
    const { taskId, tree, baseTree, question } = item;
    const about = (path: string): string =>
      attentionText(
        run,
        { kind: 'tampering', taskId, tree, baseTree, question, path },
        { change: null, isDriven: true },
      );
    expect(about('~/.npmrc')).toContain('git diff base work\n  outside of the repository: ~/.npmrc');
    expect(about('test/a.test.js')).toContain('git diff base work -- test/a.test.js');
    expect(about('package.json#scripts')).toMatch(/git diff base work -- package\.json$/m);
    expect(about('test/#a.js')).toMatch(/git diff base work -- test\/#a\.js$/m);
  });

  it('The item of a changed pinned file says which checks read it on the base [X8]', () => {
    const { run } = parked();
    const [item] = attentionItems(run);
    if (item?.kind !== 'verdict') throw new Error('a person is asked');
    const { taskId, tree, baseTree, question } = item;
    const reads = [
      { command: 'npm test', paths: ['package.json', 'src/a.js'] },
      { command: 'npm run lint', paths: [] },
    ];
    const about = {
      kind: 'tampering',
      taskId,
      tree,
      baseTree,
      question,
      path: 'package.json#scripts',
    } as const;
    const text = attentionText(run, about, { change: null, isDriven: true, reads });
    expect(text).toContain(
      '  read by `npm test` on the base: yes\n  read by `npm run lint` on the base: no\n',
    );
  });

  it('An attention item is shown with the criteria of its own task, whatever other tasks run [Q10]', () => {
    const played = playRun({
      tasks: [
        simulatedTask('asked', { criteria: [commandCriterion('works'), personCriterion] }),
        simulatedTask('other', { criteria: [commandCriterion('unrelated')] }),
      ],
    });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    played.settle();
    const [item] = attentionItems(played.run);
    const task = played.run.tasks.get('asked');
    if (item === undefined || task === undefined) throw new Error('a person is asked');
    // Another one is the first in line.
    played.run.queue.active.clear();
    const text = attentionText(played.run, item, { change: null, isDriven: false });
    expect(text).toContain('✅ works');
    expect(text).not.toContain('unrelated');
  });

  it('A run with an attention item is parked in every view, with the question and the commands [X3]', () => {
    const { run } = parked();
    expect(stateJson(run)).toMatchObject({
      status: 'parked',
      stage: expect.stringContaining('waiting for a person') as string,
      waitingFor: expect.stringContaining('20 % sure') as string,
      questions: [{ kind: 'verdict', commands: [expect.stringMatching(/^untildone approve/) as string, {}] }],
    });
    expect(listJson([{ run, holder: null }])).toMatchObject([{ state: 'parked' }]);
  });

  it('The question of an agent is an attention item too [U4]', () => {
    const played = playRun({ tasks: [simulatedTask('main')] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.record({ type: 'question-asked', taskId: 'main', questionId: 'q7', question: 'which port?' });
    const [item] = attentionItems(played.run);
    if (item === undefined) throw new Error('a person is asked');
    expect(attentionText(played.run, item, { change: null, isDriven: false })).toMatch(
      /which port\?[\s\S]*untildone answer "…" --run run --question q7/,
    );
  });
});

describe('The results of reviewers', () => {
  it('A review is shown with its reviewer and our own reproduction of it [Q10] [C8]', () => {
    const leak = { what: 'it leaks', severity: 'critical', isSecurity: true, command: 'sh leak.sh' } as const;
    const played = reviewed({ verdict: 'fail', confidence: 0.9, blockers: [leak], text: '' });
    const trial = played.beginOne();
    const review = trial.deed.kind === 'reproduce' ? trial.deed.review : '';
    played.record({
      type: 'blocker-tried',
      taskId: 'main',
      stepId: review,
      index: 0,
      trial: { outcome: 'reproduced', reason: 'exit 1', ending: null, tail: '', log: null },
    });
    expect(reviewLines(played.run)).toEqual([
      '',
      'Reviewers:',
      '  ❌ verifier (simulated, opus): fail (90 % sure), 1 blocker',
      '     - critical: it leaks (`sh leak.sh`: reproduced by us, exit 1)',
      '  🔒 Security, critical (verifier): it leaks',
    ]);
  });

  it('A reviewer that gave no verdict is shown with what it printed instead [Q10]', () => {
    const criteria = [commandCriterion('works'), reviewerCriterion];
    const played = playRun({ tasks: [simulatedTask('main', { criteria })] });
    played.prepare();
    played.endCheck(played.beginOne(), { works: 'fail' });
    played.endSession(played.beginOne(), { endTree: 'work' });
    played.endCheck(played.beginOne(), {});
    for (const text of ['Let me look.', 'Looks fine to me.'])
      played.endSession(played.beginOne(), { signal: { kind: 'report', text, isUntagged: true } });
    played.settle();
    expect(reviewLines(played.run)).toEqual([
      '',
      'Reviewers:',
      '  ❓ verifier (simulated): gave no verdict, asked 2 times',
      '     "Looks fine to me."',
      '     It should print a line with nothing but ===VERIFIER_COMPLETE=== (pass), or <verifier-report>…</verifier-report> (fail).',
    ]);
    const [item] = attentionItems(played.run);
    expect(item?.question).toMatch(
      /It is undecided: the verifier gave no verdict: its output holds no marker and no report\.$/,
    );
    const seen = { change: null, isDriven: false };
    const text = item === undefined ? '' : attentionText(played.run, item, seen);
    expect(text.match(/its output holds no marker/g)).toHaveLength(1);
  });

  it('Reviews are labelled with their task where there are several', () => {
    const leak = { what: 'it leaks', severity: 'major', isSecurity: false, command: 'sh leak.sh' } as const;
    const played = reviewed({ verdict: 'fail', confidence: 0.9, blockers: [leak], text: '' });
    played.settle();
    played.record({ type: 'task-added', task: simulatedTask('other'), by: 'person' });
    expect(reviewLines(played.run)).toContain(
      '  ❌ main/verifier (simulated, opus): fail (90 % sure), 1 blocker',
    );
  });
});

it.each([
  ['src/a b.ts', "'src/a b.ts'"],
  ['~/notes.md', "'~/notes.md'"],
  ['~root/x', "'~root/x'"],
  ['src/a.ts~', 'src/a.ts~'],
])('A shell reads the path %s of a command as it is: %s', (path, command) => {
  expect(quoted(path)).toBe(command);
});
