import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineSkip: DefineCommand = (program, act) => {
  withRunOption(program.command('skip'), orNewest)
    .description('skip a task (recorded with your name)')
    .argument('<task>', 'task id or number')
    .option('--json', 'print JSON')
    .option('--why <reason>', 'recorded with it')
    .addHelpText(
      'after',
      '\nThis reopens a run that has ended. Finished work is not paid for again.\nContinue with `untildone resume`.\n\nExample:\n  untildone skip docs --why "they are written elsewhere"',
    )
    .action(act(async () => (await import('./task-control-action.ts')).taskCommand.bind(null, 'skip')));
};
