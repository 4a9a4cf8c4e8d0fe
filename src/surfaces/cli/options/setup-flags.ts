// `--setup` and `--no-setup`: one or the other.
import type { Command } from 'commander';
import { OperatorError } from '#base/operator-error.ts';

/** `--no-setup` makes commander set `setup: true` if neither flag was given. */
export interface RawSetup {
  readonly setup?: string | boolean | undefined;
  readonly bothSetups?: boolean | undefined;
}

/** In commander the last of the two wins; both at once are noted, so that `saidSetup` refuses them. */
export function noteBothSetups(command: Command): Command {
  const used = new Set<string>();
  for (const flag of ['setup', 'no-setup'])
    command.on(`option:${flag}`, () => {
      if (used.add(flag).size === 2) command.setOptionValue('bothSetups', true);
    });
  return command;
}

/** Undefined if neither was given. */
export function setupFlag({ setup, bothSetups }: RawSetup): string | false | undefined {
  if (bothSetups === true)
    throw new OperatorError(
      'bad-flag',
      '--setup names a command and --no-setup installs nothing, so they cannot be combined.',
      'Leave out --setup or --no-setup.',
    );
  return setup === true ? undefined : setup;
}
