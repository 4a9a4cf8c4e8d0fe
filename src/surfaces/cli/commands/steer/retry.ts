import { type DefineCommand, more } from '#surfaces/cli/options/define-command.ts';
import { orNewest, withRunOption } from '#surfaces/cli/options/run-option.ts';

export const defineRetry: DefineCommand = (program, act) => {
  withRunOption(program.command('retry'), orNewest)
    .description('retry a failed or skipped task')
    .argument('[task]', 'task id or number; default: the only candidate')
    .option('--json', 'print JSON')
    .option('--budget <limits>', 'raise limits: usd=50,sessions=80', more)
    .option('--allow-root', 'let agents work as root, in a container')
    .option('--no-drive', 'record it only; continue with `untildone resume`')
    .addHelpText(
      'after',
      '\nThis reopens a run that has ended. Finished work is not paid for again.\n\nExample:\n  untildone retry 3',
    )
    .action(act(async () => (await import('./task-control-action.ts')).taskCommand.bind(null, 'retry')));
};
