// A file of the work that the user's editor, shell, git or agent runs by itself once the work has landed.

export interface RunsAfterLanding {
  readonly path: string;
  readonly change: 'added' | 'changed';
  /** What runs it, for example `VS Code runs its tasks`. */
  readonly why: string;
}
