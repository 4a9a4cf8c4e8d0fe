// The options of `run`, `queue` and `plan`.
import { type Command, Option } from 'commander';
import { type FlagGroup, type FlagName, flagRows } from '#config/setting-table.ts';
import type { RunOptions } from '#surfaces/cli/commands/start/run-action.ts';
import { more } from './define-command.ts';
import { type RawSetup, noteBothSetups, setupFlag } from './setup-flags.ts';

export type RawOptions = Omit<RunOptions, 'setup'> & RawSetup;

/** For flags that are no settings. */
const startGroup: FlagGroup = 'Start and prompts:';

/** `queue` and `plan` settle these two by themselves. */
const ofRunAlone: readonly FlagName[] = ['taskFile', 'preset'];

/** The options of every run, whatever it works on. */
export function withRunOptions(command: Command): Command {
  const names = flagRows.map(({ name }) => name).filter((name) => !ofRunAlone.includes(name));
  return withSettings(noteBothSetups(command), names)
    .optionsGroup(startGroup)
    .option('--dry-run', 'stop before the first session; spend and keep nothing')
    .option('--new', 'start a new run beside the unfinished one')
    .option('--resume', 'resume the unfinished run with its original inputs')
    .option('--json', 'print one JSON event per line');
}

/** The flags of these settings, from the setting table. */
export function withSettings(command: Command, names: readonly FlagName[]): Command {
  for (const { name, flag, long, help, noHelp, takes, group } of flagRows) {
    if (!names.includes(name)) continue;
    const option = inGroup(new Option(flag, help), group);
    command.addOption(takes === 'texts' || takes === 'limits' ? option.argParser(more) : option);
    if (noHelp !== undefined)
      command.addOption(inGroup(new Option(long.replace('--', '--no-'), noHelp), group));
  }
  return command;
}

function inGroup(option: Option, group: FlagGroup | undefined): Option {
  return group === undefined ? option : option.helpGroup(group);
}

export function withoutDefaultSetup({ setup: given, bothSetups, ...options }: RawOptions): RunOptions {
  const setup = setupFlag({ setup: given, bothSetups });
  return setup === undefined ? options : { ...options, setup };
}
