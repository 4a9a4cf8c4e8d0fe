// Dependencies: the setup command, and the lock file that a run keeps if none is committed.
import type { Fault } from '../fault.ts';

const keptLocks = 'src/adapters/git/setup/kept-locks.test.ts';

export const setupFaults: readonly Fault[] = [
  {
    id: 'setup-lock-not-kept',
    breaks: 'Each checkout resolves its dependencies anew.',
    file: 'src/adapters/git/setup/dependencies.ts',
    symbol: 'resolveAnew',
    find: 'await locks.keep(key, kept);',
    replace: '',
    test: {
      file: keptLocks,
      title:
        'Dependencies without a lock file are resolved once in a run, and every checkout of it gets the same versions [X10]',
    },
  },
  {
    id: 'setup-lock-in-tree',
    breaks: 'The lock that a run keeps for itself is taken for work.',
    file: 'src/adapters/git/trees/snapshot.ts',
    symbol: 'suspectsAmong',
    find: 'paths.filter(isLock)',
    replace: 'paths.filter((path) => isLock(path) && locks.length > 8)',
    test: {
      file: keptLocks,
      title: 'A lock file that setup made stays out of every tree, whatever the agent does to it [X10]',
    },
  },
  {
    id: 'setup-lock-asked-left-out',
    breaks: 'A lock file that the goal asks for is left out of the work.',
    file: 'src/adapters/git/checkouts/own-locks.ts',
    symbol: 'noteAskedLocks',
    find: 'words.includes(name)',
    replace: "name === ''",
    test: {
      file: keptLocks,
      title: 'A lock file that %s names is the work of the agent, also after the worktree was deleted [X10]',
    },
  },
  {
    id: 'setup-lock-follows-link',
    breaks: 'Setup code brings a file of the user into checkouts by a link.',
    file: 'src/adapters/git/setup/kept-locks.ts',
    symbol: 'readLocks',
    find: '!state.isFile() || ',
    replace: '',
    test: {
      file: keptLocks,
      title: 'A lock file that setup makes as a link to a file outside is not read [X12]',
    },
  },
  {
    id: 'setup-seal-not-compared',
    breaks: 'A kept lock that was changed decides the versions.',
    file: 'src/adapters/git/setup/kept-locks.ts',
    symbol: 'openKeptLocks',
    find: 'entry.seal === sealOf(key, entry.locks)',
    replace: "entry.seal !== ''",
    test: {
      file: keptLocks,
      title: 'A kept lock that was changed is not used, and the user reads why [X10]',
    },
  },
  {
    id: 'setup-change-forgotten',
    breaks: 'resume --setup runs the old command again.',
    file: 'src/kernel/fold/apply-control.ts',
    symbol: 'changeSetup',
    find: '{ ...run.config.setup, command, isDetected: false }',
    replace: '{ ...run.config.setup, isDetected: false }',
    test: {
      file: 'src/kernel/decide/decide-controls.test.ts',
      title:
        'A resume with another setup command changes the setup of the run, even if nothing is paused [Q5]',
    },
  },
  {
    id: 'setup-change-takes-work',
    breaks: 'Another setup command throws the work of a builder away.',
    file: 'src/adapters/git/checkouts/prepare.ts',
    symbol: 'settleLinked',
    find: 'isUntouched && !(await',
    replace: '!(await',
    test: {
      file: 'src/adapters/git/setup/run-setup.test.ts',
      title:
        'Once a builder has worked, another setup command applies to the clean checkouts alone, and no work is lost [Q5]',
    },
  },
];
