// Forks: what they may not copy, and what they may not touch.
import type { Fault } from '../fault.ts';

const folding = 'src/kernel/fold/fork.test.ts';
const making = 'src/app/fork/fork-run.test.ts';

export const forkFaults: readonly Fault[] = [
  {
    id: 'fork-during-a-step',
    breaks: 'A run is forked while a step runs, and two runs adopt one session.',
    file: 'src/kernel/fold/fork.ts',
    symbol: 'forkPoints',
    find: 'run.outcome === null && run.running.size === 0',
    replace: 'run.outcome === null',
    test: {
      file: folding,
      title: 'A fork begins only where no step runs, the run is not over and no conclusion is cut in half',
    },
  },
  {
    id: 'fork-cuts-an-append',
    breaks: 'A fork begins between two events that were recorded together.',
    file: 'src/kernel/fold/fork.ts',
    symbol: 'forkPoints',
    find: 'isQuiet && boundaries.has(index + 2)',
    replace: 'isQuiet',
    test: {
      file: folding,
      title: 'A fork begins only where no step runs, the run is not over and no conclusion is cut in half',
    },
  },
  {
    id: 'fork-keeps-the-money',
    breaks: 'What the old run spent is taken from the budget of the fork.',
    file: 'src/kernel/fold/apply-fork.ts',
    symbol: 'applyFork',
    find: 'Object.assign(run.ledger, emptyLedger());',
    replace: '',
    test: {
      file: folding,
      title: 'A fork inherits the work, but not money, time, budget raises or conversations',
    },
  },
  {
    id: 'fork-resumes-the-conversation',
    breaks: "The fork continues the old run's conversation with its client.",
    file: 'src/kernel/fold/apply-fork.ts',
    symbol: 'forkTask',
    find: 'task.dialogue.resume = null;',
    replace: '',
    test: {
      file: folding,
      title: 'A fork inherits the work, but not money, time, budget raises or conversations',
    },
  },
  {
    id: 'fork-keeps-the-acceptance',
    breaks: 'A fork shows the acceptance of the old run as its own.',
    file: 'src/kernel/fold/apply-fork.ts',
    symbol: 'applyFork',
    find: 'run.acceptance = null;',
    replace: '',
    test: {
      file: folding,
      title: 'A fork of an accepted run completes only after an acceptance of its own',
    },
  },
  {
    id: 'fork-obeys-an-old-control',
    breaks: 'A stop that the old run was asked for ends the fork.',
    file: 'src/kernel/fold/apply-fork.ts',
    symbol: 'applyFork',
    find: 'run.pending = [];',
    replace: '',
    test: {
      file: folding,
      title: 'A pending control, a pause and an acceptance of the old run do not count in the fork',
    },
  },
  {
    id: 'fork-rests-on-the-old-refs',
    breaks: 'Cleaning the old run takes away the files that the fork goes on from.',
    file: 'src/adapters/git/refs/fork-refs.ts',
    symbol: 'makeForkRefs',
    find: '!held.has(tree)',
    replace: 'held.has(tree)',
    test: {
      file: making,
      title:
        'A fork continues from uncommitted work after the old run was cleaned and git has pruned its objects',
    },
  },
  {
    id: 'fork-copies-no-refs',
    breaks: 'Work that the history of a fork names is kept by the old run alone.',
    file: 'src/adapters/git/refs/fork-refs.ts',
    symbol: 'makeForkRefs',
    find: 'stepNumberOf(ref) <= steps',
    replace: 'stepNumberOf(ref) < 0',
    test: {
      file: making,
      title: 'A fork has its own refs on the results of the copied steps, and none on later results',
    },
  },
  {
    id: 'fork-leaves-killed-ones',
    breaks: 'Branches and refs of a fork that was killed stay for ever.',
    file: 'src/app/fork/fork-run.ts',
    symbol: 'sweepKilledForks',
    find: 'if (unfinished.length === 0) return;',
    replace: 'if (unfinished.length >= 0) return;',
    test: {
      file: making,
      title:
        'A fork that is killed before its journal exists is no run, and the next fork removes its leftovers',
    },
  },
];
