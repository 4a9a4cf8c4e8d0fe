// Redirects filters given as a repository file (`filter.tidy.clean = scripts/tidy.sh`) to the user's own
// checkout. Git would start them in the checkout where an agent writes, and we run outside of every sandbox.
import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { commonOf } from './known-settings.ts';

export interface FilterPlace {
  readonly gitDir: string;
  readonly workTree: string | null;
}

/** Settings as `key=value` that replace the given entries (`name`, `command`). */
export function ownFilters(entries: readonly (readonly [string, string])[], place: FilterPlace): string[] {
  const root = personalRoot(place);
  return entries.flatMap(([key, command]) => {
    const program = programOf(command, root, place.workTree);
    if (program === command) return [];
    const filter = key.slice(0, key.lastIndexOf('.'));
    return program === null ? [`${key}=`, `${filter}.required=false`] : [`${key}=${program}`];
  });
}

/** Null if the user has no checkout, or the agent works in it. */
function personalRoot({ gitDir, workTree }: FilterPlace): string | null {
  const common = commonOf(gitDir);
  const root = basename(common) === '.git' ? dirname(common) : null;
  return root === workTree ? null : root;
}

/** Null if it would start a file that an agent wrote. */
function programOf(command: string, root: string | null, workTree: string | null): string | null {
  let isLost = false;
  let isProgram = true;
  const words = command.replaceAll(/[^\s"'|;&]+/g, (word) => {
    // The first word is searched on PATH unless it is a path.
    const isFirst = isProgram;
    isProgram = false;
    if ((isFirst && !word.includes('/')) || isAbsolute(word) || /^[-%$~]/.test(word)) return word;
    if (root !== null && isFile(join(root, word))) {
      isLost ||= /[\s"'$`\\]/.test(root);
      return join(root, word);
    }
    isLost ||= isFirst || isScript(word) || (workTree !== null && isFile(join(workTree, word)));
    return word;
  });
  return isLost ? null : words;
}

/** Git may be about to write it: a checkout starts programs of the tree that it checks out. */
function isScript(word: string): boolean {
  return /^(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.(?:[a-z]*sh|py|[cm]?[jt]s|pl|rb|php|lua|awk|sed|ps1|bat|cmd|exe)$/.test(
    word,
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
