// How every view names a run that ends on a reviewer's pass.
import { describe, expect, it } from 'vitest';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Run } from '#kernel/fold/run.ts';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { reportInput } from '#test/simulated/report-input.ts';
import { htmlReport } from '#views/report/html/html-report.ts';
import { listJson, listText } from '#views/status/list.ts';
import { markdownReport } from './markdown-report.ts';
import { notificationsOf } from '#views/notification.ts';
import { stateJson } from '#views/status/state-json.ts';
import { statementOf } from './statement.ts';
import { statusText } from '#views/status/status.ts';
import { summaryText } from './summary.ts';

/** A whole run of one task, whose check said this on the base and is green at the end; a reviewer passed the work. */
function ended(base: 'pass' | 'fail', config: Partial<RunConfig>) {
  const criteria = [commandCriterion('works'), reviewerCriterion];
  const played = playRun({ tasks: [simulatedTask('main', { criteria })], config });
  played.prepare();
  played.endCheck(played.beginOne(), { works: base });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), { works: 'pass' });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCommit(played.beginOne(), 'commit-1');
  played.endCheck(played.beginOne(), { works: 'pass' });
  played.settle();
  return played;
}

const reviewed = ended('pass', { acceptReview: false });
const accepted = ended('pass', { acceptReview: true });
const proven = ended('fail', { acceptReview: false });
const order = {
  subject: { commit: 'c', tree: 't' },
  landedOnto: null,
  version: '1',
  configDigest: '',
  criteriaDigest: '',
};
const report = (run: Run) => reportInput(run);
const told = ({ run, events }: typeof reviewed) =>
  notificationsOf(run, events.slice(-1), { repository: 'r', warnPercent: 100 });

describe('Work that is reviewed and not proven', () => {
  const { run } = reviewed;

  it('The summary of a reviewed run has a neutral headline, the next options and their commands', () => {
    const text = summaryText(run, { logsDir: '/logs' });
    expect(run.outcome).toMatchObject({ outcome: 'unverified', proof: 'review' });
    expect(text.split('\n')[0]).toMatch(/^🔎 Reviewed, not proven: a reviewer passed it/);
    expect(text).toContain("\nProof: review (only a reviewer's pass)\n");
    expect(text).toContain('\n  untildone approve run ');
    expect(text).toContain('\n  untildone land run --accept-review ');
    expect(text).toContain(
      '\n  untildone run "…" --check "COMMAND"  run again with a check that fails today',
    );
    expect(text).not.toMatch(/❌|❓/);
  });

  it('Status, list, report and notification call a reviewed run so, and never failed', () => {
    expect(statusText(run, { holder: null })).toContain('\nEnded: reviewed, not proven (a reviewer');
    expect(statusText(run, { holder: null })).toContain('Proof: review');
    expect(listText([{ run, holder: null }])).toContain('  reviewed, not proven  ');
    const markdown = markdownReport(report(run));
    expect(markdown).toMatch(/^## 🔎 reviewed, not proven: /);
    expect(markdown).toContain('untildone approve run\nuntildone land run --accept-review\n');
    expect(markdown).toContain('- Proof: `review (');
    expect(htmlReport(report(run))).toContain('<main class="open">');
    const [notification] = told(reviewed);
    expect(notification?.title).toBe('Run ended: reviewed, not proven');
    expect(notification?.commands).toContain('untildone approve run');
  });

  it('The statement of a reviewed run does not pass, and names its proof', () => {
    expect(statementOf(run, order).predicate).toMatchObject({
      result: 'FAILED',
      untildone: { run: { outcome: 'unverified', proof: 'review' } },
    });
  });
});

describe('An accepted review', () => {
  const { run } = accepted;

  it('A run that completed on an accepted review says so in every view', () => {
    expect(run.outcome).toMatchObject({ outcome: 'completed', proof: 'review' });
    expect(summaryText(run, { logsDir: '/logs' })).toMatch(/^✅ Completed, accepted on review: /);
    expect(listText([{ run, holder: null }])).toContain('  completed, accepted on review  ');
    expect(markdownReport(report(run))).toMatch(/^## ✅ completed, accepted on review: /);
    expect(htmlReport(report(run))).toContain('<p class="badge">completed, accepted on review</p>');
    expect(told(accepted)[0]?.title).toBe('Run completed, accepted on review');
    expect(statementOf(run, order).predicate.result).toBe('WARNED');
  });
});

describe('A run with proof', () => {
  it('The statement of a run contains no output of its checks', () => {
    const { run } = ended('fail', { acceptReview: false });
    const cause = { kind: 'suspicious', text: 'printed-words' } as const;
    for (const { evidence } of run.tasks.values())
      for (const seen of evidence.values())
        if (seen.base !== undefined)
          seen.base = { ...seen.base, tail: 'printed-words', excerpt: 'printed-words', cause };
    expect(JSON.stringify(statementOf(run, order))).not.toContain('printed-words');
  });

  it('Machine-readable outputs name the kind of proof of a run with a check that turned green', () => {
    const { run } = proven;
    expect(stateJson(run).proof).toBe('checks');
    expect(listJson([{ run, holder: null }])[0]?.proof).toBe('checks');
    expect(statementOf(run, order).predicate).toMatchObject({
      result: 'PASSED',
      untildone: { run: { proof: 'checks' } },
    });
    expect(summaryText(run, { logsDir: '/logs' })).toMatch(/^✅ Completed: /);
    expect(told(proven)[0]?.title).toBe('Run completed');
  });
});
