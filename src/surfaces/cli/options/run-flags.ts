// The options of `run`, `queue` and `plan`.
import type { Command } from 'commander';
import { clientNames } from '#config/agents/clients.ts';
import type { RunOptions } from '#surfaces/cli/commands/run/run-action.ts';
import { more } from './define-command.ts';
import { type GivenSetup, noteBothSetups, saidSetup } from './setup-flags.ts';

export type GivenOptions = Omit<RunOptions, 'setup'> & GivenSetup;

/** What can be said of every run, whatever it works on. */
export function withRunOptions(command: Command): Command {
  const proven = command
    .option(
      '--check <check>',
      'must pass when the work is done: a command, file:PATH, symbol:NAME@FILE, http://…; can be repeated',
      more,
    )
    .option(
      '--agent <name>',
      `NAME[:model], role=NAME[:model] or task/role=NAME[:model]: ${clientNames.join(', ')}, ollama, lmstudio, one of your configuration, "acp:my-agent", "command:my-cli --flag", scripted:file.json; can be repeated`,
      more,
    )
    .option('--pay <how>', "by the agent's own login, or by a key in a variable: login, key")
    .option(
      '--budget <limits>',
      'US dollars (50), or usd=50,sessions=80,tokens=40M,hours=12,attempts=5,sessionUsd=…,sessionTokens=…',
      more,
    )
    .option(
      '--max-loops <n>',
      'attempts at a task at most (WIGGUM_MAX_LOOPS; 20, in a queue 5, in a campaign 4)',
    )
    .option('--mode <who>', 'who chooses the next action: auto, interactive; preset actions')
    .option('--max-iterations <n>', 'turns of the agent at most (10); preset actions')
    .option('--turn-timeout <time>', 'time of one turn (10m); preset actions')
    .option('--cooldown <time>', 'between attempts: seconds, 90s, 5m (WIGGUM_COOLDOWN_SECONDS, 2)')
    .option('--known-red [ids]', 'checks that fail before the work may go on failing: all, or these ids')
    .option(
      '--held-out <file>',
      'checks that no agent is shown: a list, in a file outside the repository; can be repeated',
      more,
    )
    .option('--verifier <none>', 'run without any reviewer; the only value is none')
    .option('--accept-review', "accept a reviewer's pass as the only proof")
    .option('--no-accept-review', "never accept a reviewer's pass as the only proof (exit 7)");
  return withPlaceOptions(proven);
}

/** Where the work is done, and how the run starts. */
function withPlaceOptions(command: Command): Command {
  return noteBothSetups(command)
    .option('--may-change <glob>', 'tests and check scripts that the work may change; can be repeated', more)
    .option('--setup <command>', 'install dependencies with it; default: found from lock file or manifest')
    .option('--no-setup', 'install nothing')
    .option('--copy <glob>', 'untracked files that the checks need; can be repeated', more)
    .option(
      '--sandbox <kind>',
      'what agents and checks are shut in: auto, bubblewrap, srt, none (UNTILDONE_SANDBOX)',
    )
    .option(
      '--allow-unsandboxed',
      'go on with your own rights where this machine has no sandbox; otherwise the run does not begin',
    )
    .option('--allow-root', 'let agents work as root, in a container (Claude Code refuses otherwise)')
    .option(
      '--yes',
      'ask nobody: a plan comes into force as it is, and a dead end ends the run; preset campaign',
    )
    .option(
      '--in-place',
      'work in your own checkout instead of a worktree; it must be clean, with its dependencies installed',
    )
    .option('--dry-run', 'do everything up to the first session, pay nothing, keep nothing')
    .option('--new', 'start a new run even if one with this goal is unfinished')
    .option('--resume', 'go on with the unfinished run, with the inputs frozen at its start')
    .option('--json', 'print one event a line');
}

export function withoutDefaultSetup({ setup: given, bothSetups, ...options }: GivenOptions): RunOptions {
  const setup = saidSetup({ setup: given, bothSetups });
  return setup === undefined ? options : { ...options, setup };
}
