// The commands that start a run and look at it.
import type { Command } from 'commander';
import type { LogsOptions } from '#surfaces/cli/commands/logs.ts';
import type { RecordOptions } from '#surfaces/cli/commands/record.ts';
import type { RunOptions } from '#surfaces/cli/commands/run.ts';
import { type GivenSetup, noteBothSetups, saidSetup } from './setup-flags.ts';

/** Runs an action and remembers its exit code. */
export type Act = (run: () => Promise<number>) => Promise<void>;

export type GivenOptions = Omit<RunOptions, 'setup'> & GivenSetup;

interface JsonOption {
  readonly json?: boolean;
}

/** An option that can be given more than once. */
export const more = (value: string, known: string[] | undefined): string[] => [...(known ?? []), value];

export function addRunCommands(program: Command, act: Act): void {
  addRun(program, act);
  program
    .command('status')
    .description('where a run stands: criteria, attempts, cost, who drives it')
    .argument('[run]', 'id of a run, or its beginning; default: the unfinished one')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExamples:\n  untildone status\n  untildone status --json | jq .criteria')
    .action((run: string | undefined, options: JsonOption) =>
      act(async () => (await import('#surfaces/cli/commands/status.ts')).statusCommand(run, options)),
    );
  program
    .command('stats')
    .description('all runs of this repository in numbers')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  untildone stats')
    .action((options: JsonOption) =>
      act(async () => (await import('#surfaces/cli/commands/stats.ts')).statsCommand(options)),
    );
  program
    .command('list')
    .description('the runs of this repository')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  untildone list')
    .action((options: JsonOption) =>
      act(async () => (await import('#surfaces/cli/commands/list.ts')).listCommand(options)),
    );
  program
    .command('show')
    .description('the whole life of a run, fact by fact, and its summary')
    .argument('[run]', 'id of a run, or its beginning; default: the unfinished one, else the newest')
    .option('--check <id>', 'all that was seen of one criterion, with the output; held-out ones too')
    .option('--json', 'print one JSON document with every event')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone show\n  untildone show --check npm-test\n  untildone show 20261115 --json | jq ".events[].type"',
    )
    .action((run: string | undefined, options: JsonOption & { readonly check?: string }) =>
      act(async () => (await import('#surfaces/cli/commands/show.ts')).showCommand(run, options)),
    );
  program
    .command('logs')
    .description('what the agents of a run said and did')
    .argument('[run]', 'id of a run, or its beginning; default: the unfinished one, else the newest')
    .option('-f, --follow', 'go on printing until the run is over')
    .option('--session <name>', 'only sessions whose log begins so, such as builder_002')
    .option('--json', 'print the lines of the logs as they are, one event a line')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone logs -f\n  untildone logs --session verifier\n  untildone logs --json | jq -r "select(.type == \\"text\\").text"',
    )
    .action((run: string | undefined, options: LogsOptions) =>
      act(async () => (await import('#surfaces/cli/commands/logs.ts')).logsCommand(run, options)),
    );
  program
    .command('record')
    .description('turn finished sessions into a script that the scripted agent plays again, without secrets')
    .argument('[run]', 'id of a run, or its beginning; default: the unfinished one, else the newest')
    .option('--session <name>', 'only this one: builder_002, 002, or all of a role: verifier')
    .option('-o, --output <file>', 'where to write it; default: print it')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone record -o good-run.json\n  untildone record 20261115 --session builder_001 > flaky.json\n  untildone run "…" --agent scripted:good-run.json --check "npm test"',
    )
    .action((run: string | undefined, options: RecordOptions) =>
      act(async () => (await import('#surfaces/cli/commands/record.ts')).recordCommand(run, options)),
    );
}

function addRun(program: Command, act: Act): void {
  withRunOptions(
    program
      .command('run')
      .description('start a run, or go on with the one that has the same goal')
      .argument(
        '[goal]',
        'what is wanted; default: the plan CLAUDE.md in harness/project (or WIGGUM_PLAN_DIR)',
      ),
  )
    .option('--task-file <file>', 'tasks with acceptance criteria: markdown with checkboxes, JSON or JSONL')
    .option(
      '--preset <name>',
      'how to work: builder-verifier, criteria (one criterion after the other), queue (the tasks of a file), campaign (plan first), actions (turn by turn)',
    )
    .option(
      '--plan <file>',
      'work by this plan (plan.json of a run, or your own) instead of asking an architect; preset campaign',
    )
    .option('--sanity-check', 'only show that builder, verifier, logs and markers work here')
    .addHelpText('after', runExamples)
    .action((goal: string | undefined, given: GivenOptions) =>
      act(async () =>
        (await import('#surfaces/cli/commands/run.ts')).runCommand(goal, withoutDefaultSetup(given)),
      ),
    );
}

/** What can be said of every run, whatever it works on. */
export function withRunOptions(command: Command): Command {
  return noteBothSetups(command)
    .option(
      '--check <check>',
      'must pass when the work is done: a command, file:PATH, symbol:NAME@FILE, http://…; can be repeated',
      more,
    )
    .option(
      '--agent <name>',
      'NAME[:model], role=NAME[:model] or task/role=NAME[:model]: claude, codex, gemini, opencode, ollama, lmstudio, one of your configuration, "acp:my-agent", "command:my-cli --flag", scripted:file.json; can be repeated',
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
    .option('--no-accept-review', "never accept a reviewer's pass as the only proof (exit 7)")
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

const runExamples = `
Examples:
  untildone run "add a --version flag" --check "node cli.js --version | grep 1.0" --check "npm test" --agent claude
  untildone run --agent builder=claude:opus --agent verifier=codex --check "cargo test"
  untildone run --agent claude --agent main/builder=codex    only the builder of the task main
  untildone run "…" --agent claude --pay login         not by the key that lies in .env
  untildone run "…" --agent "command:my-cli --flag" --check "npm test" --verifier none
  untildone run --preset criteria --task-file tasks/login.md --agent claude
  untildone run --sanity-check --agent ollama:qwen3-coder
  untildone run "…" --budget usd=50,sessions=80 --json | jq .type

Ctrl-C once pauses, twice stops. Exit codes: 0 completed · 1 failed · 2 wrong usage · 3 exhausted · 4 blocked ·
5 stopped · 6 parked · 7 unverified, or reviewed and not proven`;
