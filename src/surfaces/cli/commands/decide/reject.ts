import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { withRun } from '#surfaces/cli/options/run-option.ts';

export const defineReject: DefineCommand = (program, act) => {
  withRun(program.command('reject'))
    .summary('reject a criterion, a plan or work, and say why')
    .description('reject a criterion, a plan or work, and say why')
    .option('--criterion <id>', 'id of the criterion, if several are open')
    .option('--task <task>', 'its task, if several are open')
    .option('--tree <tree>', 'tree that you reviewed; refused if the work has changed')
    .option('--json', 'print JSON')
    .option('--why <reason>', 'what is wrong; the next builder or architect gets it')
    .addHelpText(
      'after',
      '\n`untildone status` shows the question, the evidence, the change and the command\nto use.\n\nExample:\n  untildone reject --why "the button is missing"',
    )
    .action(act(async () => (await import('./verdict-action.ts')).verdictCommand.bind(null, 'reject')));
};
