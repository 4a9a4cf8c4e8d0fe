// The input of a report about a played run, without a repository behind it.
import type { Run } from '#kernel/fold/run.ts';
import type { ReportInput } from '#views/report/report-page.ts';

export function reportInput(run: Run, known: Partial<ReportInput> = {}): ReportInput {
  return {
    run,
    events: [],
    stat: '',
    changes: { kind: 'none', why: 'The run changed no file.' },
    isBranchGone: false,
    isCutOff: false,
    version: '1',
    redact: (text) => text,
    failedTests: () => [],
    ...known,
  };
}
