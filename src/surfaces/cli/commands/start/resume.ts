import type { Command } from 'commander';
import { type DefineCommand, more } from '#surfaces/cli/options/define-command.ts';
import { withRun } from '#surfaces/cli/options/run-option.ts';
import { noteBothSetups } from '#surfaces/cli/options/setup-flags.ts';

export const defineResume: DefineCommand = (program, act) => {
  withRun(withWaitFlags(noteBothSetups(program.command('resume'))))
    .description('resume a paused, suspended, parked or interrupted run')
    .option('--budget <limits>', 'raise limits: usd=50,sessions=80', more)
    .option('--setup <command>', 'change the command that installs dependencies')
    .option('--no-setup', 'install nothing from now on')
    .option('--mode <who>', 'who chooses the next action: auto, interactive; preset actions')
    .option('--allow-root', 'let agents work as root, in a container')
    .option('--json', 'print one JSON event per line')
    .addHelpText(
      'after',
      '\nExamples:\n  untildone resume\n  untildone resume --budget usd=50\n  untildone resume --status\n  untildone resume --force\n  untildone resume --reject "the export is empty"',
    )
    .action(act(async () => (await import('./resume-action.ts')).resumeCommand));
};

function withWaitFlags(command: Command): Command {
  return command
    .option('--status', 'show the condition of each waiting run')
    .option('--force', 'end the wait of a suspended run or task')
    .option('--approve', 'approve a suspension that waits for a person')
    .option('--reject <why>', 'reject it; the next builder gets the reason')
    .option('--task <task>', 'task whose suspension to end, if several');
}
