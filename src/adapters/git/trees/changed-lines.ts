// Finds the lines of source files that are new between two trees.
import { createGit, type Environment } from '#adapters/git/repo/git.ts';
import { whyPinned } from '#analysis/tampering/pins/pin-rules.ts';

export interface ChangedFile {
  readonly path: string;
  readonly text: string;
  /** Counted from 1. */
  readonly lines: ReadonlySet<number>;
}

/** Sources only: no tests, no files that decide the checks, no links. */
export async function changedSources(
  { commonDir, env }: { readonly commonDir: string; readonly env: Environment },
  from: string,
  to: string,
): Promise<ChangedFile[]> {
  const git = createGit(commonDir, env);
  const gitDir = commonDir;
  const how = ['--no-ext-diff', '--no-textconv', '--no-renames', '-r', '--diff-filter=AM'];
  const names = await git.tell(['diff-tree', '-z', '--name-only', ...how, from, to], { gitDir });
  const found: ChangedFile[] = [];
  for (const path of names.split('\0').filter((name) => name !== '' && whyPinned(name) === null)) {
    const asked = ['diff-tree', '-p', '-U0', '--no-color', ...how, from, to, '--', `:(literal)${path}`];
    const patch = await git.ask(asked, { gitDir });
    const shown = await git.ask(['cat-file', 'blob', `${to}:${path}`], { gitDir });
    if (patch.code !== 0 || shown.code !== 0) continue;
    const lines = linesOf(patch.stdout);
    if (lines.size > 0) found.push({ path, text: shown.stdout, lines });
  }
  return found;
}

function linesOf(patch: string): Set<number> {
  const lines = new Set<number>();
  for (const [, start, count] of patch.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm))
    for (let n = 0; n < Number(count ?? '1'); n += 1) lines.add(Number(start) + n);
  return lines;
}
