import { describe, expect, it } from 'vitest';
import {
  commandCriterion,
  playRun,
  reviewerCriterion,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import type { PlayedRun } from '#test/simulated/simulated-run.ts';
import { reportInput } from '#test/simulated/report-input.ts';
import { htmlReport } from '#views/report/html/html-report.ts';
import { markdownReport } from '#views/report/markdown-report.ts';
import { masterLogLine } from './master-log.ts';
import { describeEvent, historyText } from './show.ts';
import { statusText } from '#views/status/status.ts';
import { namesOfRun } from './step-names.ts';
import { summaryText } from '#views/report/summary.ts';

const leak = { what: 'it leaks', severity: 'major', isSecurity: false, command: 'sh leak.sh' } as const;

/** A life with a failed review, a blocker that was tried, a lost session and a refused commit. */
function lived(): PlayedRun {
  const criteria = [commandCriterion('works'), reviewerCriterion];
  const played = playRun({
    tasks: [simulatedTask('main', { criteria })],
    config: { tamper: { acceptedBy: 'reviewer' } },
  });
  played.prepare();
  played.endCheck(played.beginOne(), { works: 'fail' });
  const lost = played.beginOne();
  played.record({ type: 'step-lost', stepId: lost.stepId, reason: 'gone', usage: null });
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), {});
  const verdict = { verdict: 'fail', confidence: 0.9, blockers: [leak], text: 'no' } as const;
  played.endSession(played.beginOne(), { signal: { kind: 'verdict', verdict } });
  const trial = played.beginOne();
  const review = trial.deed.kind === 'reproduce' ? trial.deed.review : '';
  played.record(
    {
      type: 'blocker-tried',
      taskId: 'main',
      stepId: review,
      index: 0,
      trial: { outcome: 'reproduced', reason: 'exit 1', ending: null, tail: '', log: null },
    },
    { type: 'step-ended', stepId: trial.stepId, result: { kind: 'reproduce' } },
  );
  played.endSession(played.beginOne(), { endTree: 'better' });
  played.endCheck(played.beginOne(), {});
  played.endSession(played.beginOne(), {});
  const commit = played.beginOne();
  const result = { kind: 'refused', reason: 'the disk is full', hint: 'Free some space.' } as const;
  played.record({ type: 'step-ended', stepId: commit.stepId, result });
  played.settle();
  return played;
}

describe('Step names for the user', () => {
  it('Several checks are named in the plural', () => {
    const lost = {
      type: 'step-lost',
      stepId: '0003-check-attempt-main',
      reason: 'it was cancelled',
      usage: null,
      at: 0,
    } as const;
    expect(describeEvent(lost)).toBe('the checks were lost: it was cancelled');
  });

  it('A refused control is named by its request', () => {
    const { run, events } = lived();
    const id = '0mwk1234';
    const asked = { type: 'control-received', id, by: 'me', control: { kind: 'resume' }, at: 1 } as const;
    const refused = { type: 'control-refused', id, reason: 'the run is not paused', at: 2 } as const;
    const said = 'resume was refused: the run is not paused';
    expect(historyText([...events, asked, refused])).toContain(said);
    run.asked.set(id, 'resume');
    expect(describeEvent(refused, namesOfRun(run))).toBe(said);
    // A criterion without a known check keeps its id.
    expect(describeEvent(refused)).toBe(`control ${id} refused: the run is not paused`);
    run.asked.set('unproven-k', 'resume');
    expect(describeEvent({ ...refused, id: 'unproven-k' }, namesOfRun(run))).toMatch(
      /^control unproven-k refused/,
    );
  });

  it('Sessions are named like their logs, and no step id is shown', () => {
    const { run, events } = lived();
    const names = namesOfRun(run);
    const live = events.map((event) => describeEvent(event, names)).join('\n');
    for (const text of [historyText(events), live]) {
      expect(text).toContain('verifier_001 says fail');
      expect(text).toContain('blocker 1 of verifier_001: reproduced');
      expect(text).toContain('builder_001 was lost: gone');
      expect(text).toContain('the commit could not be done: the disk is full. Free some space.');
    }
    const prompts = events.flatMap((event) =>
      event.type === 'step-started' && event.step.deed.kind === 'session' ? [event.step.deed.prompt] : [],
    );
    const input = reportInput(run, { events });
    const told = [
      live,
      historyText(events),
      statusText(run, { holder: null }),
      summaryText(run, { logsDir: 'logs' }),
      htmlReport(input),
      markdownReport(input),
      ...prompts,
      ...events.flatMap((event) => masterLogLine(run, event) ?? []),
    ];
    for (const text of told) expect(text).not.toMatch(/\b\d{4}-(?:builder|verifier|check|commit|reproduce)/);
  });
});
