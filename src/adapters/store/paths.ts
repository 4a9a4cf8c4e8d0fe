// Names the files of the embedded store. Pure: it touches none.
import { join } from 'node:path';
import { OperatorError } from '#base/operator-error.ts';

export interface StoreRoots {
  /** $XDG_STATE_HOME, or ~/.local/state. */
  readonly stateHome: string;
  /** `git rev-parse --git-common-dir`, absolute. */
  readonly commonDir: string;
  readonly repoId: string;
  /** Root of the user's checkout, which contains `.untildone/`. */
  readonly viewsRoot: string;
}

export type StorePaths = Readonly<ReturnType<typeof storePaths>>;
export type RunPaths = Readonly<ReturnType<typeof runPaths>>;

/** Suffix of every mirror in the git common dir. */
export const mirrorSuffix = '.mirror.jsonl';

export function storePaths(roots: StoreRoots) {
  const root = join(roots.stateHome, 'untildone', roots.repoId);
  const mirrors = join(roots.commonDir, 'untildone');
  const shown = join(roots.viewsRoot, '.untildone');
  return {
    /** Authority of this repository: one folder per run. */
    root,
    /** Authenticates the mirrors; with the authority, so that a writer of a mirror cannot forge it. */
    mirrorKey: join(root, '.mirror-key'),
    /** Held while a run is searched for and created. */
    startLock: join(root, '.start-lock'),
    startHolder: join(root, '.start-holder.json'),
    mirrors,
    exclude: join(roots.commonDir, 'info', 'exclude'),
    /** `touch pause` or `touch stop` in here reaches every run of the repository. */
    control: join(shown, 'control'),
    /** Contract: throws an OperatorError for an id that cannot name a folder. */
    run: (runId: string): RunPaths =>
      runPaths(runId, join(root, checkedRunId(runId)), mirrors, join(shown, 'runs', runId)),
  };
}

export function isRunId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text);
}

/** The folders of every run, its own first. */
export function runFolders(run: RunPaths): readonly string[] {
  return [run.folder, run.receipts, run.inbox, run.taken, run.pinned, run.heldOut, run.checks];
}

function runPaths(runId: string, folder: string, mirrors: string, views: string) {
  return {
    runId,
    folder,
    journal: join(folder, 'journal.jsonl'),
    lock: join(folder, 'lock'),
    holder: join(folder, 'holder.json'),
    receipts: join(folder, 'receipts'),
    inbox: join(folder, 'inbox'),
    taken: join(folder, 'taken'),
    /** Files from the inbox that were no control. */
    aside: join(folder, 'aside'),
    pinned: join(folder, 'pinned'),
    heldOut: join(folder, 'held-out'),
    checks: join(folder, 'checks'),
    snapshot: join(folder, 'snapshot'),
    /** Held during each check of a poll. */
    lookLock: join(folder, 'look-lock'),
    /** The last results of the run's polls. */
    looks: join(folder, 'looks.json'),
    /** Names of the variables that its agents need. */
    needs: join(folder, 'needs.json'),
    /** Lock files that the setup of the run resolved where none is committed. */
    setup: join(folder, 'setup'),
    mirror: join(mirrors, `${runId}${mirrorSuffix}`),
    views: viewPaths(views),
  };
}

function viewPaths(folder: string) {
  return {
    folder,
    state: join(folder, 'state.json'),
    logs: join(folder, 'logs'),
    master: join(folder, 'master.log'),
    /** Output of drivers that another process started. */
    wake: join(folder, 'wake.log'),
    /** Only for runs that plan. */
    plan: join(folder, 'plan.json'),
    map: join(folder, 'repo-map.md'),
  } as const;
}

function checkedRunId(runId: string): string {
  if (isRunId(runId)) return runId;
  throw new OperatorError(
    'wrong-run-id',
    `${JSON.stringify(runId.slice(0, 120))} is not the id of a run.`,
    'An id has letters, digits, dots and dashes; `untildone status` lists the runs.',
  );
}
