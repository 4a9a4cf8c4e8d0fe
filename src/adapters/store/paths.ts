// Where the embedded store keeps things. Pure: it names files and touches none.
import { join } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';

export interface StoreRoots {
  /** $XDG_STATE_HOME, or ~/.local/state. */
  readonly stateHome: string;
  /** `git rev-parse --git-common-dir`, absolute. */
  readonly commonDir: string;
  readonly repoId: string;
  /** Root of the user's checkout, in which `.untildone/` is. */
  readonly viewsRoot: string;
}

export interface StorePaths {
  /** Authority of this repository: one folder per run. */
  readonly root: string;
  /** Authenticates the mirrors; lives with the authority, so that whoever writes a mirror cannot forge it. */
  readonly mirrorKey: string;
  /** Held while a run is searched for and created. */
  readonly startLock: string;
  readonly startHolder: string;
  readonly mirrors: string;
  readonly exclude: string;
  /** `touch pause` or `touch stop` in here reaches every run of the repository. */
  readonly control: string;
  /** Contract: throws an OperatorError for an id that cannot name a folder. */
  run(runId: string): RunPaths;
}

export interface RunPaths {
  readonly runId: string;
  readonly folder: string;
  readonly journal: string;
  readonly lock: string;
  readonly holder: string;
  readonly receipts: string;
  readonly inbox: string;
  readonly taken: string;
  /** What lay in the inbox and was no control. */
  readonly aside: string;
  readonly pinned: string;
  readonly heldOut: string;
  readonly checks: string;
  readonly snapshot: string;
  /** Held during each look of a poll. */
  readonly lookLock: string;
  /** What the polls of the run saw last. */
  readonly looks: string;
  /** Names of the variables that its agents need. */
  readonly needs: string;
  /** Lock files that the setup of the run resolved where none is committed. */
  readonly setup: string;
  readonly mirror: string;
  readonly views: ViewPaths;
}

export interface ViewPaths {
  readonly folder: string;
  readonly state: string;
  readonly logs: string;
  readonly master: string;
  /** What the drivers printed that another process woke. */
  readonly wake: string;
  /** Only of runs that plan. */
  readonly plan: string;
  readonly map: string;
}

/** Suffix of every mirror in the git common dir. */
export const mirrorSuffix = '.mirror.jsonl';

export function storePaths(roots: StoreRoots): StorePaths {
  const root = join(roots.stateHome, 'untildone', roots.repoId);
  const mirrors = join(roots.commonDir, 'untildone');
  const shown = join(roots.viewsRoot, '.untildone');
  return {
    root,
    mirrorKey: join(root, '.mirror-key'),
    startLock: join(root, '.start-lock'),
    startHolder: join(root, '.start-holder.json'),
    mirrors,
    exclude: join(roots.commonDir, 'info', 'exclude'),
    control: join(shown, 'control'),
    run: (runId) => runPaths(runId, join(root, checkedRunId(runId)), mirrors, join(shown, 'runs', runId)),
  };
}

export function isRunId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text);
}

/** The folders that every run has, the run's own first. */
export function runFolders(run: RunPaths): readonly string[] {
  return [run.folder, run.receipts, run.inbox, run.taken, run.pinned, run.heldOut, run.checks];
}

function runPaths(runId: string, folder: string, mirrors: string, views: string): RunPaths {
  return {
    runId,
    folder,
    journal: join(folder, 'journal.jsonl'),
    lock: join(folder, 'lock'),
    holder: join(folder, 'holder.json'),
    receipts: join(folder, 'receipts'),
    inbox: join(folder, 'inbox'),
    taken: join(folder, 'taken'),
    aside: join(folder, 'aside'),
    pinned: join(folder, 'pinned'),
    heldOut: join(folder, 'held-out'),
    checks: join(folder, 'checks'),
    snapshot: join(folder, 'snapshot'),
    lookLock: join(folder, 'look-lock'),
    looks: join(folder, 'looks.json'),
    needs: join(folder, 'needs.json'),
    setup: join(folder, 'setup'),
    mirror: join(mirrors, `${runId}${mirrorSuffix}`),
    views: {
      folder: views,
      state: join(views, 'state.json'),
      logs: join(views, 'logs'),
      master: join(views, 'master.log'),
      wake: join(views, 'wake.log'),
      plan: join(views, 'plan.json'),
      map: join(views, 'repo-map.md'),
    },
  };
}

function checkedRunId(runId: string): string {
  if (isRunId(runId)) return runId;
  throw new OperatorError(
    'wrong-run-id',
    `${JSON.stringify(runId.slice(0, 120))} is not the id of a run.`,
    'An id has letters, digits, dots and dashes; `untildone status` lists the runs.',
  );
}
