import type { DefineCommand } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineSkip: DefineCommand = (program, act) => {
  withRunOption(program.command('skip'), orNewest)
    .description('leave a task out; the outcome says so, and by whom')
    .argument('<task>', 'id of the task, or its number')
    .option('--json', 'print one JSON document')
    .option('--why <reason>', 'recorded with it')
    .addHelpText(
      'after',
      '\nA run that is over is open again by it, and nothing that is done is paid for again. `untildone resume` goes on.\n\nExample:\n  untildone skip docs --why "they are written elsewhere"',
    )
    .action(act(async () => (await import('./task-control-action.ts')).taskCommand.bind(null, 'skip')));
};
