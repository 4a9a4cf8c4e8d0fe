// How a command names its run: by `--run ID`, or by a positional argument if there is no other.
import type { Command } from 'commander';
import { OperatorError } from '#base/operator-error.ts';

export const whichRun = 'run id or its beginning; default: the unfinished run';
export const orNewest = `${whichRun}, else the newest`;
export const runOrCommit = 'run or commit; default: the last ended run';

/** For a command with other positional arguments. */
export function withRunOption(command: Command, description: string = whichRun): Command {
  return command.option('--run <run>', description);
}

/** For a command whose only positional argument is the run: the action gets it there in both forms. */
export function withRun(command: Command, description: string = whichRun, name = 'run'): Command {
  return command
    .argument(`[${name}]`, description)
    .option('--run <run>', `the same as the argument [${name}]`)
    .hook('preAction', (_, acting) => {
      // The hook of a command group also runs for its subcommands, which have their own option.
      if (acting !== command) return;
      const value: unknown = command.getOptionValue('run');
      const [placed] = command.args;
      if (typeof value !== 'string') return;
      if (placed !== undefined && placed !== value) throw twoRuns(command, placed, value);
      command.processedArgs[0] = value;
      command.setOptionValue('run', undefined);
    });
}

function twoRuns(command: Command, placed: string, flag: string): OperatorError {
  return new OperatorError(
    'two-runs',
    `Two runs are given: ${placed}, and --run ${flag}.`,
    `Name one: untildone ${command.name()} --run ${flag}`,
  );
}
