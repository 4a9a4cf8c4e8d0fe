// Shared parts of the scripts: how runs are found and, for bash and zsh, the typed words as `case` branches.
import type { CommandWords, OptionWords } from './words.ts';

/** Prints the runs by their folders in the repository: a completion has no time to start this program. */
export const runsCommand = 'ls "$(git rev-parse --show-toplevel 2>/dev/null)/.untildone/runs" 2>/dev/null';

/** Which command the words so far name, and which words take a value. */
export function walkCases(commands: readonly CommandWords[]): string {
  const deeper = commands
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `      ${place(path)}) place=${place(path)} ;;`);
  const skipped = commands.flatMap(({ path, options }) =>
    options
      .filter(({ values }) => values !== null)
      .map((option) => `      ${optionPlace(path, option)}) skip=1 ;;`),
  );
  return [...deeper, ...skipped].join('\n');
}

/** One branch for each option that takes a value. */
export function valueCases(
  commands: readonly CommandWords[],
  complete: (values: NonNullable<OptionWords['values']>) => string,
): string {
  return commands
    .flatMap(({ path, options }) =>
      options.flatMap((option) =>
        option.values === null ? [] : [`    ${optionPlace(path, option)}) ${complete(option.values)} ;;`],
      ),
    )
    .join('\n');
}

export function flagsOf({ short, long }: OptionWords): string[] {
  return short === null ? [long] : [short, long];
}

/** As `$place`, or `"$place $word"`, spells it: a blank before every word. */
export function place(path: readonly string[]): string {
  return `'${path.map((one) => ` ${one}`).join('')}'`;
}

function optionPlace(path: readonly string[], option: OptionWords): string {
  return flagsOf(option)
    .map((flag) => place([...path, flag]))
    .join('|');
}
