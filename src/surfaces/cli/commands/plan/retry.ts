import { type DefineCommand, more } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineRetry: DefineCommand = (program, act) => {
  withRunOption(program.command('retry'), orNewest)
    .description('retry a failed or skipped task with fresh attempts, and go on')
    .argument('[task]', 'id of the task, or its number; default: the only one that can be retried')
    .option('--json', 'print one JSON document')
    .option('--budget <limits>', 'raise limits: usd=50,sessions=80', more)
    .option('--allow-root', 'let agents work as root, in a container')
    .option('--no-drive', 'write it down only; `untildone resume` goes on')
    .addHelpText(
      'after',
      '\nA run that is over is open again by it, and nothing that is done is paid for again.\n\nExample:\n  untildone retry 3',
    )
    .action(act(async () => (await import('./task-control-action.ts')).taskCommand.bind(null, 'retry')));
};
