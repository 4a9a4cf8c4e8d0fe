// The program: its commands by group, in the order of `--help`. A group is a folder of commands/.
import { Command, Option } from 'commander';
import { chooseColour } from './output.ts';
import type { ColourWish } from '#surfaces/cli/render/colour.ts';
import { ownVersion } from '#app/own-files.ts';
import { defineHook } from '#surfaces/cli/commands/agents/hook.ts';
import { defineMcp } from '#surfaces/cli/commands/agents/mcp.ts';
import { definePlugin } from '#surfaces/cli/commands/agents/plugin.ts';
import { defineAccept } from '#surfaces/cli/commands/decide/accept.ts';
import { defineAnswer } from '#surfaces/cli/commands/decide/answer.ts';
import { defineApprove } from '#surfaces/cli/commands/decide/approve.ts';
import { defineChoose } from '#surfaces/cli/commands/decide/choose.ts';
import { defineCriteria } from '#surfaces/cli/commands/decide/criteria.ts';
import { defineReject } from '#surfaces/cli/commands/decide/reject.ts';
import { defineList } from '#surfaces/cli/commands/follow/list.ts';
import { defineLogs } from '#surfaces/cli/commands/follow/logs.ts';
import { defineRecord } from '#surfaces/cli/commands/follow/record.ts';
import { defineReplay } from '#surfaces/cli/commands/follow/replay.ts';
import { defineSession } from '#surfaces/cli/commands/follow/session.ts';
import { defineShow } from '#surfaces/cli/commands/follow/show.ts';
import { defineStats } from '#surfaces/cli/commands/follow/stats.ts';
import { defineStatus } from '#surfaces/cli/commands/follow/status.ts';
import { defineAddTask } from '#surfaces/cli/commands/steer/add-task.ts';
import { defineImport } from '#surfaces/cli/commands/start/import.ts';
import { defineMap } from '#surfaces/cli/commands/start/map.ts';
import { definePlan } from '#surfaces/cli/commands/start/plan.ts';
import { defineQueue } from '#surfaces/cli/commands/start/queue.ts';
import { defineRetry } from '#surfaces/cli/commands/steer/retry.ts';
import { defineSkip } from '#surfaces/cli/commands/steer/skip.ts';
import { defineClean } from '#surfaces/cli/commands/prove/clean.ts';
import { defineExport } from '#surfaces/cli/commands/prove/export.ts';
import { defineLand } from '#surfaces/cli/commands/prove/land.ts';
import { defineProbe } from '#surfaces/cli/commands/prove/probe.ts';
import { defineReport } from '#surfaces/cli/commands/prove/report.ts';
import { defineVerify } from '#surfaces/cli/commands/prove/verify.ts';
import { defineFork } from '#surfaces/cli/commands/start/fork.ts';
import { definePause } from '#surfaces/cli/commands/steer/pause.ts';
import { defineResume } from '#surfaces/cli/commands/start/resume.ts';
import { defineRun } from '#surfaces/cli/commands/start/run.ts';
import { defineStop } from '#surfaces/cli/commands/steer/stop.ts';
import { defineSuspend } from '#surfaces/cli/commands/steer/suspend.ts';
import { defineTell } from '#surfaces/cli/commands/steer/tell.ts';
import { defineWake } from '#surfaces/cli/commands/steer/wake.ts';
import { defineWatch } from '#surfaces/cli/commands/steer/watch.ts';
import { defineCompletion } from '#surfaces/cli/commands/setup/completion.ts';
import { defineConfig } from '#surfaces/cli/commands/setup/config.ts';
import { defineDemo } from '#surfaces/cli/commands/setup/demo.ts';
import { defineDoctor } from '#surfaces/cli/commands/setup/doctor.ts';
import { defineHelp } from '#surfaces/cli/commands/setup/help.ts';
import { defineInit } from '#surfaces/cli/commands/setup/init.ts';
import { defineNotify } from '#surfaces/cli/commands/setup/notify.ts';
import type { Act, DefineCommand } from '#surfaces/cli/options/define-command.ts';

interface CommandGroup {
  readonly heading: string;
  readonly commands: readonly DefineCommand[];
}

const groups: readonly CommandGroup[] = [
  {
    heading: 'Start:',
    commands: [defineRun, defineQueue, definePlan, defineResume, defineFork, defineImport, defineMap],
  },
  {
    heading: 'Follow:',
    commands: [
      defineStatus,
      defineLogs,
      defineList,
      defineShow,
      defineSession,
      defineStats,
      defineReplay,
      defineRecord,
    ],
  },
  {
    heading: 'Decide:',
    commands: [defineApprove, defineReject, defineAnswer, defineChoose, defineAccept, defineCriteria],
  },
  {
    heading: 'Steer:',
    commands: [
      definePause,
      defineStop,
      defineTell,
      defineSuspend,
      defineWatch,
      defineAddTask,
      defineRetry,
      defineSkip,
      defineWake,
    ],
  },
  {
    heading: 'Prove and land:',
    commands: [defineVerify, defineProbe, defineLand, defineReport, defineExport, defineClean],
  },
  {
    heading: 'Set up:',
    commands: [
      defineDemo,
      defineDoctor,
      defineInit,
      defineConfig,
      defineNotify,
      defineCompletion,
      defineHelp,
    ],
  },
  { heading: 'For agents:', commands: [defineMcp, definePlugin, defineHook] },
];

const colourOption = new Option('--color <when>', 'colours in the output')
  .choices(['auto', 'always', 'never'])
  .default('auto');

export function createProgram(setExitCode: (code: number) => void): Command {
  const program: Command = new Command('untildone')
    .description('Runs coding agents until the work is proven done.')
    .version(ownVersion(), '-V, --version')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .addOption(colourOption)
    .hook('preAction', () => chooseColour(program.opts<{ color: ColourWish }>().color))
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', topExamples);
  const act: Act =
    (load) =>
    async (...args) =>
      setExitCode(await (await load())(...args));
  for (const { heading, commands } of groups) {
    program.commandsGroup(heading);
    for (const define of commands) define(program, act);
  }
  return program;
}

const topExamples = `
Examples:
  untildone demo                          see a run without an agent
  untildone doctor                        check agents, logins and who pays
  untildone run "add a --version flag" --check "npm test" --agent claude
  untildone queue tasks.md --agent claude
  untildone plan "move the store to SQLite" --agent claude
  untildone status                        from another terminal
  untildone suspend --time 1h "why"       park a run until a condition holds
  untildone help                          list the guides
  untildone help checks                   show one of them

Exit codes: 0 completed · 1 failed · 2 wrong usage · 3 exhausted · 4 blocked
            5 stopped · 6 parked · 7 unverified`;
