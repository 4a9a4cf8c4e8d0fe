// How the calibration of checks is shown: in one line at the end of a run, and per check in the report.
import { describe, expect, it } from 'vitest';
import type { RunConfig } from '#kernel/model/config.ts';
import type { Calibration } from '#kernel/model/calibration.ts';
import type { Run } from '#kernel/fold/run.ts';
import {
  commandCriterion,
  playRun,
  simulatedEvidence,
  simulatedTask,
} from '#test/simulated/simulated-run.ts';
import { reportInput } from '#test/simulated/report-input.ts';
import { calibratedChecks, calibrationLines } from './calibration.ts';
import { htmlReport } from '#views/report/html/html-report.ts';
import { markdownReport } from './markdown-report.ts';
import { describeEvent } from '#views/lines/show.ts';
import { stateJson } from '#views/status/state-json.ts';
import { statusText } from '#views/status/status.ts';
import { summaryText } from './summary.ts';
import { verificationText } from './verification-text.ts';
import { verificationOf } from './verification.ts';

const trial = (kind: Calibration['kind'], verdict: Calibration['verdict'], reason: string): Calibration => ({
  kind,
  verdict,
  reason,
  runs: 1,
  durationMs: 20,
  logs: [],
});
const noticed = trial('planted-failure', 'passed', 'the planted failure is named as failed');

/** A run whose acceptance saw these checks, each with its trials; null for one that was not tested. */
function accepted(
  trials: { readonly [id: string]: readonly Calibration[] | null },
  config: Partial<RunConfig> = { calibration: 'auto' },
): Run {
  const criteria = Object.keys(trials).map((id) => commandCriterion(id));
  const played = playRun({ tasks: [simulatedTask('main', { criteria })], config });
  played.prepare();
  const verdicts = (verdict: 'pass' | 'fail') =>
    Object.fromEntries(criteria.map(({ id }) => [id, verdict] as const));
  played.endCheck(played.beginOne(), verdicts('fail'));
  played.endSession(played.beginOne(), { endTree: 'work' });
  played.endCheck(played.beginOne(), verdicts('pass'));
  played.endCommit(played.beginOne(), 'commit-1');
  const step = played.beginOne();
  for (const [criterionId, calibration] of Object.entries(trials))
    played.record({
      type: 'evidence-recorded',
      evidence: {
        ...simulatedEvidence({ taskId: 'main', criterionId, tree: 'work', purpose: 'acceptance' }),
        stepId: step.stepId,
        ...(calibration === null ? {} : { calibration }),
      },
    });
  const result = { kind: 'check', treeAfter: 'work', brokenPins: [] } as const;
  played.record({ type: 'step-ended', stepId: step.stepId, result });
  return played.run;
}

const report = (run: Run) => reportInput(run);

describe('The line about calibration', () => {
  it('A run whose checks all notice a planted failure says so in one line', () => {
    const run = accepted({ unit: [noticed], lint: [noticed], types: [noticed] });
    const line = 'Calibration: 3 of 3 checks notice a planted failure';
    expect(calibrationLines(run)).toEqual([line]);
    // Directly below the headline.
    expect(summaryText(run, { logsDir: '/logs' }).split('\n')[1]).toBe(line);
    expect(statusText(run, { holder: null }).split('\n')).toContain(line);
    expect(calibrationLines(accepted({ unit: [noticed] }))).toEqual([
      'Calibration: 1 of 1 check notices a planted failure',
    ]);
  });

  it('A check that is not calibrated, or refused, is named with the reason', () => {
    const run = accepted({
      unit: [noticed],
      lint: [trial('planted-failure', 'none', 'no test runner is known for it')],
      plain: null,
      slow: [
        trial('base-recheck', 'passed', 'red again'),
        trial('attribution', 'refused', 'the tests flipped it'),
      ],
    });
    expect(calibrationLines(run)).toEqual([
      'Calibration: 1 of 4 checks notices a planted failure; refused: slow (the tests flipped it); not calibrated: lint (no test runner is known for it), plain (no planted failure was tried)',
    ]);
  });

  it('The report says when calibration is off, and says nothing for a run that is older than calibration', () => {
    const off = accepted({ unit: null }, { calibration: 'off' });
    const line =
      'Calibration: off (acceptance.calibration); whether the checks notice a failing test is unknown';
    expect(calibrationLines(off)).toEqual([line]);
    expect(statusText(off, { holder: null }).split('\n')).toContain(line);
    expect(calibrationLines(accepted({ unit: null }, {}))).toEqual([]);
  });
});

describe('Calibration of a check as it happens', () => {
  const told = (purpose: 'base' | 'acceptance', taskId: string, calibration?: readonly Calibration[]) => {
    const seen = simulatedEvidence({ taskId, criterionId: 'unit', tree: 'base', purpose });
    const evidence = { ...seen, command: 'npm test', ...(calibration === undefined ? {} : { calibration }) };
    return describeEvent({ type: 'evidence-recorded', evidence, at: 0 });
  };

  it('The calibration of a check is one line of its own, and its verdict is not repeated', () => {
    expect(told('base', 'main')).toContain('unit: pass on the base');
    const deaf = trial(
      'planted-failure',
      'refused',
      '`npm test` does not notice a failing test: it is green.',
    );
    expect(told('base', 'main', [noticed])).toBe('`npm test` notices a planted failure');
    expect(told('base', 'main', [deaf])).toBe('! `npm test` does not notice a failing test: it is green');
    expect(told('acceptance', 'api', [noticed])).toBe('api: `npm test` notices a planted failure');
  });

  it('A check that is not calibrated says why, once and without a second full stop', () => {
    const none = trial('planted-failure', 'none', 'No known way to add a failing test: not calibrated.');
    const why = 'No known way to add a failing test';
    expect(told('acceptance', 'main', [none])).toBe(`unit: not calibrated (${why})`);
    expect(calibrationLines(accepted({ unit: [none] }))).toEqual([
      `Calibration: no check was calibrated: unit (${why})`,
    ]);
  });
});

it('A verification says in one line whether the checks noticed a planted failure this time', () => {
  const run = accepted({ unit: [noticed] });
  const order = { recorded: new Map(), gaps: [], source: 'journal', relation: 'same', remarks: [] } as const;
  const subject = { commit: 'commit-1', tree: 'work' };
  const place = { subject, proven: 'commit-1', signature: null, logsDir: '/logs' };
  const found = verificationOf({ run, ...order, ...place });
  expect(verificationText(found).split('\n')).toContain(
    'Calibration: 1 of 1 check notices a planted failure',
  );
  const off = verificationOf({ run: accepted({ unit: null }, {}), ...order, ...place });
  expect(verificationText(off)).not.toContain('Calibration');
});

it('The line on calibration says a reason once, and cuts a long command', () => {
  const why = `No known way to add a failing test to \`sh -c "${'x'.repeat(200)}"\`: not calibrated.`;
  const none = trial('planted-failure', 'none', why);
  const [line = ''] = calibrationLines(accepted({ unit: [none], lint: [none] }));
  expect(line).toMatch(/^Calibration: no check was calibrated: unit, lint \(No known .* `sh -c "x+…`\)$/);
  expect(line.length).toBeLessThan(160);
});

describe('The details of calibration', () => {
  const run = accepted({
    unit: [
      { ...noticed, runs: 2, files: ['test/<b>.test.js'] },
      { ...trial('negation', 'none', 'No assertion is known.'), runs: 0 },
      trial('attribution', 'none', 'The base could not be checked out.'),
    ],
  });

  it('The report lists the trials of each check', () => {
    const text = markdownReport(report(run));
    expect(text).toContain(
      '### Calibration\n\n1 of 1 check notices a planted failure\n\n- main/unit: noticed\n',
    );
    expect(text).toContain(
      '  - planted failure: passed (the planted failure is named as failed, 2 runs of the check; files: test/&lt;b&gt;.test.js)',
    );
    expect(text).toContain('  - negation: no result (No assertion is known)');
    expect(text).toContain(
      '  - attribution: no result (The base could not be checked out, 1 run of the check)',
    );
    expect(htmlReport(report(run))).toContain(
      '<summary>main/unit: noticed</summary><ul><li>planted failure: passed',
    );
    expect(markdownReport(report(accepted({ unit: null }, {})))).not.toContain('Calibration');
  });

  it('The state of a run holds the trials of each check', () => {
    expect(stateJson(run).calibration).toEqual(calibratedChecks(run));
    expect(calibratedChecks(run)[0]?.trials).toHaveLength(3);
  });
});
