// Problems that stop a run before its first session, and problems that must not.
import type { Fault } from '../fault.ts';

export const preflightFaults: readonly Fault[] = [
  {
    id: 'refused-base-for-good',
    breaks: 'A person cannot take up a run that was refused by its base.',
    file: 'src/kernel/decide/refuse-base.ts',
    symbol: 'refusedBase',
    find: ' || run.reopenings.length > 0',
    replace: '',
    test: {
      file: 'src/kernel/decide/refuse-base.test.ts',
      title: 'A missing program does not stop a run that a person reopens',
    },
  },
  {
    id: 'refused-base-after-sessions',
    breaks: 'A run whose sessions are paid is ended as if nothing was spent.',
    file: 'src/kernel/decide/refuse-base.ts',
    symbol: 'refusedBase',
    find: 'spent.sessions + reserved.sessions === 0',
    replace: 'true',
    test: {
      file: 'src/kernel/decide/refuse-base.test.ts',
      title:
        'A missing program fails a later task before a session of it is paid, but not after a person retries it',
    },
  },
  {
    id: 'red-tests-are-no-work',
    breaks: 'A run is refused although its tests fail by assertions.',
    file: 'src/analysis/why-red/why-red.ts',
    symbol: 'whyRed',
    find: 'isDecided && ',
    replace: '!isDecided && ',
    test: {
      file: 'src/analysis/why-red/why-red.test.ts',
      title: 'A missing package does not stop a run whose other tests fail by an assertion',
    },
  },
  {
    id: 'setup-brings-nothing',
    breaks: 'A check is refused whose program the setup of the user installs.',
    file: 'src/config/resolve/check-programs.ts',
    symbol: 'refuseMissingPrograms',
    find: 'config.setup.command !== null || ',
    replace: '',
    test: {
      file: 'src/config/resolve/check-programs.test.ts',
      title: 'A missing program is not refused where a setup command of the user may install it',
    },
  },
  {
    id: 'excerpt-is-a-tail',
    breaks: 'The next builder gets the end of a stack instead of the failing tests.',
    file: 'src/kernel/model/shown-output.ts',
    symbol: 'shownOutput',
    find: 'if (excerpt === undefined)',
    replace: "if (excerpt !== '')",
    test: {
      file: 'src/policies/prompts/prompts.test.ts',
      title: "The builder's prompt has the excerpt of a failed check rather than the end of its output [B4]",
    },
  },
];
