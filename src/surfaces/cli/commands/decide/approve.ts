import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { whichRun, withRun } from '#surfaces/cli/options/run-option.ts';

export const defineApprove: DefineCommand = (program, act) => {
  withRun(program.command('approve'), `${whichRun}, or the last without proof`)
    .description('approve a criterion, a plan, or unverified work')
    .option('--criterion <id>', 'id of the criterion, if several are open')
    .option('--task <task>', 'its task, if several are open')
    .option('--tree <tree>', 'tree that you reviewed; refused if the work has changed')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\n`untildone status` shows the question, the evidence, the change and the command\nto use.\n\nExample:\n  untildone approve',
    )
    .action(act(async () => (await import('./verdict-action.ts')).verdictCommand.bind(null, 'approve')));
};
