// Unfinished runs: which of them resume by themselves, which failures are remembered, which run a command means.
import type { Fault } from '../fault.ts';

export const durableFaults: readonly Fault[] = [
  {
    id: 'lock-kept-uncomposed',
    breaks: 'A run whose ports could not be built stays locked as long as the process lives.',
    file: 'src/app/world.ts',
    symbol: 'driveRun',
    find: 'await opened.journal.close();',
    replace: '',
    test: {
      file: 'src/app/world.test.ts',
      title:
        'A run whose dependencies cannot be composed keeps its journal and can be driven again by the same process',
    },
  },
  {
    id: 'durable-off-resumes',
    breaks: 'A run continues by itself though durableSteps.enabled was off at its start.',
    file: 'src/kernel/model/config.ts',
    symbol: 'isResumedByItself',
    find: 'durable.enabled && durable.autoResume',
    replace: 'durable.enabled || durable.autoResume',
    test: {
      file: 'src/surfaces/cli/runs.test.ts',
      title: 'An unfinished run is not resumed automatically when durableSteps is %s',
    },
  },
  {
    id: 'suspension-defaults-frozen',
    breaks: 'After an update every unfinished run looks as if its inputs were changed.',
    file: 'src/config/resolve/run-parts.ts',
    symbol: 'suspensionOf',
    find: "origin.kind !== 'default'",
    replace: "origin.kind !== 'flag'",
    test: {
      file: 'src/config/resolve/waiting-settings.test.ts',
      title:
        'Defaults are not frozen, so that an older run does not look changed; set values are inputs [U1] [D4]',
    },
  },
  {
    id: 'errors-unbounded',
    breaks: 'state.json grows with every failed attempt.',
    file: 'src/kernel/fold/run-history.ts',
    symbol: 'keepError',
    find: 'errors.length > errorsMax',
    replace: 'errors.length < 0',
    test: {
      file: 'src/views/status/state-json.test.ts',
      title: 'The error history has every failed attempt, oldest first, and is bounded [D3]',
    },
  },
  {
    id: 'two-runs-taken',
    breaks: 'A command that names two runs acts on one of them without a word.',
    file: 'src/surfaces/cli/options/run-option.ts',
    symbol: 'withRun',
    find: 'placed !== undefined && placed !== value',
    replace: 'placed === undefined && placed === value',
    test: {
      file: 'src/surfaces/cli/options/run-option.test.ts',
      title: 'Two different runs are refused, and the error names both [D5]',
    },
  },
];
