// What was allowed beforehand and makes the proof of a run weaker than it looks, for its first lines. Pure.
import type { RunConfig } from '#kernel/config.ts';
import type { Task } from '#kernel/task.ts';

export function weaknessNotes(
  { mayChange, knownRed }: Pick<RunConfig, 'mayChange' | 'knownRed'>,
  tasks: readonly Pick<Task, 'mayChange'>[],
): string[] {
  const wide = [...mayChange, ...tasks.flatMap((task) => task.mayChange)].find(isEverything);
  return [
    ...(wide === undefined
      ? []
      : [
          `WEAK PROOF: "${wide}" may change, so agents may rewrite every test and setting that judges them; it is only listed. Name the files that the work needs`,
        ]),
    ...(knownRed.length === 0
      ? []
      : [
          `WEAK PROOF: ${knownRed === 'all' ? 'whatever check is' : `${knownRed.join(', ')}, if`} red before the work need not pass after it (known red)`,
        ]),
  ];
}

/** A glob that leaves nothing in the repository pinned. */
function isEverything(glob: string): boolean {
  return /^(\.?\/)?(\*\*?\/)*(\*+|\*+\.\*|\{\*\*?\})$/.test(glob.trim());
}
