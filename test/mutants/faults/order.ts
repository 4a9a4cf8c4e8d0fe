// Cleaning and landing: what is removed and what is kept.
import type { Fault } from '../fault.ts';

const cleaning = 'src/app/clean/clean-runs.test.ts';
const leaving = 'src/app/clean/where-work-is.test.ts';

export const orderFaults: readonly Fault[] = [
  {
    id: 'clean-takes-unlanded',
    breaks: 'Work that is on no branch of the user is removed unasked.',
    file: 'src/app/clean/clean-runs.ts',
    symbol: 'whyKept',
    find: "where.kind === 'unlanded' && !order.withUnlanded",
    replace: "where.kind === 'unlanded' && order.isDryRun",
    test: {
      file: cleaning,
      title:
        'Clean removes nothing of a run whose commits are on no branch of the user, unless the user asks for it',
    },
  },
  {
    id: 'clean-trusts-pushed-branch',
    breaks: 'A run counts as landed because its own branch was pushed.',
    file: 'src/adapters/git/refs/run-refs.ts',
    symbol: 'isOnUsersRef',
    find: '(?:heads|remotes\\/[^/]+)',
    replace: '(?:heads)',
    test: {
      file: cleaning,
      title: 'Clean does not count a reverted landing or a pushed branch of the run as landed',
    },
  },
  {
    id: 'clean-forgets-moved-branch',
    breaks: "Commits that the user made on the run's branch are removed with it.",
    file: 'src/app/clean/where-work-is.ts',
    symbol: 'whereWorkIs',
    find: 'now !== (made ?? base.commit)',
    replace: 'now === base.commit',
    test: {
      file: cleaning,
      title: 'Clean keeps a landed run whose branch got commits of the user afterwards',
    },
  },
  {
    id: 'clean-ignores-worktree',
    breaks: 'Files that a person wrote into the worktree of a run are removed unasked.',
    file: 'src/app/clean/where-work-is.ts',
    symbol: 'inWorktree',
    find: 'if (paths.length === 0) return null;',
    replace: 'return null;',
    test: {
      file: leaving,
      title: 'Clean keeps a run as long as its worktree has a file that is in no commit, and names the file',
    },
  },
  {
    id: 'clean-ignores-open-task',
    breaks: 'What an unfinished task left is removed unasked once another task was landed.',
    file: 'src/app/clean/where-work-is.ts',
    symbol: 'leftFiles',
    find: "commit === null && status.is !== 'dropped'",
    replace: "commit === null && status.is === 'dropped'",
    test: {
      file: leaving,
      title: 'Clean keeps the files of an unfinished task in its worktree until the user asks to remove them',
    },
  },
  {
    id: 'clean-removes-journal',
    breaks: 'Statistics and statements of a cleaned run are lost.',
    file: 'src/app/clean/what-remains.ts',
    symbol: 'statePaths',
    find: 'journal\\.jsonl|',
    replace: '',
    test: {
      file: cleaning,
      title:
        'Clean removes the leftovers of a landed run and keeps its journal, its statement and the statistics',
    },
  },
  {
    id: 'cleaned-run-goes-on',
    breaks: 'A run whose branch and files are gone is opened again.',
    file: 'src/kernel/decide/decide-controls.ts',
    symbol: 'settle',
    find: 'if (gone !== null) return { refused: gone };',
    replace: '',
    test: {
      file: 'src/kernel/decide/reopen.test.ts',
      title: 'A run that was cleaned accepts no control [Q5]',
    },
  },
  {
    id: 'land-removes-moved-branch',
    breaks: 'Landing removes a branch that holds other commits than those that landed.',
    file: 'src/adapters/git/refs/run-refs.ts',
    symbol: 'removeRunBranch',
    find: 'expected !== null && commit !== expected',
    replace: 'expected === null',
    test: {
      file: 'src/app/clean/release-landed.test.ts',
      title:
        'Land leaves a branch that moved, one that is checked out, and a run that another process holds, and says so',
    },
  },
  {
    id: 'capped-log-loses-result',
    breaks: 'The result of a session that prints much is not in its log, and the session is paid for again.',
    file: 'src/adapters/sessions/log-file.ts',
    symbol: 'cappedTypes',
    find: "['tool-call',",
    replace: "['agent-ended', 'usage', 'tool-call',",
    test: {
      file: 'src/adapters/logs/log-cap.test.ts',
      title: 'A host that is killed beyond the cap leaves the newest usage to be adopted',
    },
  },
];
