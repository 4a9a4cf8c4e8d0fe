// A file that the work brings and that an editor, a shell, git or an agent of the user runs once it has landed.

export interface RunsAfterLanding {
  readonly path: string;
  readonly change: 'added' | 'changed';
  /** What runs it: `VS Code runs its tasks`. */
  readonly why: string;
}
