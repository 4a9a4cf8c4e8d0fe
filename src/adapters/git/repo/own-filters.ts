// Filters that the settings name by a file of the repository (`filter.tidy.clean = scripts/tidy.sh`): git starts them in the checkout, where
// an agent writes, and we are outside of every sandbox. The one in the person's own checkout is meant.
import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';

export interface FilterPlace {
  readonly gitDir: string;
  readonly workTree: string | null;
}

/** `key=value` of settings that stand before the given ones (`name`, `command`). */
export function ownFilters(entries: readonly (readonly [string, string])[], place: FilterPlace): string[] {
  const root = personalRoot(place);
  return entries.flatMap(([key, command]) => {
    const meant = commandMeant(command, root, place.workTree);
    if (meant === command) return [];
    const filter = key.slice(0, key.lastIndexOf('.'));
    return meant === null ? [`${key}=`, `${filter}.required=false`] : [`${key}=${meant}`];
  });
}

/** Null where the person has none, or where the agent works in it. */
function personalRoot({ gitDir, workTree }: FilterPlace): string | null {
  const common = basename(dirname(gitDir)) === 'worktrees' ? dirname(dirname(gitDir)) : gitDir;
  const root = basename(common) === '.git' ? dirname(common) : null;
  return root === workTree ? null : root;
}

/** Null when it would start what an agent wrote. */
function commandMeant(command: string, root: string | null, workTree: string | null): string | null {
  let isLost = false;
  let isProgram = true;
  const words = command.replaceAll(/[^\s"'|;&]+/g, (word) => {
    // The first word is looked for on the PATH unless it is a path.
    const isName = isProgram && !word.includes('/');
    isProgram = false;
    if (isName || isAbsolute(word) || /^[-%$~]/.test(word)) return word;
    if (root !== null && isFile(join(root, word))) {
      isLost ||= /[\s"'$`\\]/.test(root);
      return join(root, word);
    }
    isLost ||= workTree !== null && isFile(join(workTree, word));
    return word;
  });
  return isLost ? null : words;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
